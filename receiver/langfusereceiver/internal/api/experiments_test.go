// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

const before = "2026-11-15T00:00:00Z"

// item is the observation of an item of a run.
func item(id, run string, at time.Time) model.Observation {
	row := observation(id, at)
	row.TraceID = "t-" + id
	row.Experiment = model.Experiment{ID: run, Name: "name of " + run, ItemID: "item-" + id, ItemRootID: id}
	return row
}

// rich is an item with everything that one can say.
func rich() model.Observation {
	row := item("i1", "e1", noon)
	row.TraceID, row.Environment, row.Level = traceID, "sdk-experiment", model.LevelWarning
	row.Input, row.Output, row.Metadata = `{"q":1}`, "4", `{"dataset_id":"ds_1","n":1.50,"list":[1,"a"],"yes":true}`
	row.Experiment = model.Experiment{
		ID: "e1", Name: "run 2026-08-22", Description: "first try", DatasetID: "ds_1", ItemID: "item_1", ItemRootID: "i1",
		ItemVersion: noon.Add(-time.Hour), ItemExpectedOutput: "four", Metadata: `{"model":"gpt-4","a.b":2}`, ItemMetadata: `{"difficulty":"easy"}`,
	}
	return row
}

// asJSON is a value of a test as an answer would hold it.
func asJSON(t testing.TB, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}

func TestExperiments(t *testing.T) {
	h := start(t)
	child, outside := item("c1", "e1", noon.Add(time.Minute)), item("old", "e1", noon.Add(-24*time.Hour))
	child.Experiment = model.Experiment{ID: "e1", Name: "run 2026-08-22", ItemID: "item_1", ItemRootID: "i1"}
	local := item("i2", "e2", noon.Add(-time.Minute))
	local.End = time.Time{}
	h.write(t, rich(), child, outside, local, observation("none", noon))
	run := score("run", noon)
	run.TraceID, run.ExperimentID = "", "e1"
	correction, far, ofTrace := run, run, score("trace", noon)
	correction.ID, correction.DataType = "correction", model.ScoreCorrection
	far.ID, far.Timestamp = "far", noon.Add(48*time.Hour)
	h.writeScores(t, run, correction, far, ofTrace)

	core := `{"data":[
		{"id":"e1","name":"run 2026-08-22","description":"first try","startTime":"2026-11-15T12:00:00.000Z","endTime":"2026-11-15T12:01:01.000Z","itemCount":1,"datasetId":"ds_1"},
		{"id":"e2","name":"name of e2","description":"","startTime":"2026-11-15T11:59:00.000Z","endTime":"2026-11-15T11:59:00.000Z","itemCount":1,"datasetId":null}
	],"meta":{}}`
	assert.JSONEq(t, core, h.get(t, "/experiments", "fromStartTime", before).body)
	assert.JSONEq(t, core, h.get(t, "/experiments", "fromStartTime", before, "fields", "core", "scoreLimit", "1").body)

	rows := h.get(t, "/experiments", "fromStartTime", before, "fields", "metadata,scores").data(t)
	assert.JSONEq(t, `{"model":"gpt-4","a.b":"2"}`, asJSON(t, rows[0]["metadata"]), "texts as they were sent")
	assert.Equal(t, map[string]any{}, rows[1]["metadata"])
	assert.Equal(t, []any{}, rows[1]["scores"])
	scores := rows[0]["scores"].([]any)
	require.Len(t, scores, 1, "no correction, nothing of traces, nothing from another day")
	assert.Equal(t, map[string]any{
		"id": "run", "projectId": h.project, "name": "quality", "dataType": "NUMERIC", "value": 0.85, "source": "API", "environment": "default",
		"timestamp": "2026-11-15T12:00:00.000Z", "createdAt": "now", "updatedAt": "now",
		"subject": map[string]any{"kind": "experiment", "id": "e1"},
	}, exactTimes(t, scores[0].(map[string]any)))

	later := score("later", noon.Add(time.Hour))
	later.TraceID, later.ExperimentID = "", "e1"
	h.writeScores(t, later)
	rows = h.get(t, "/experiments", "fromStartTime", before, "fields", "scores", "scoreLimit", "1").data(t)
	require.Len(t, rows[0]["scores"], 1)
	assert.Equal(t, "later", rows[0]["scores"].([]any)[0].(map[string]any)["id"], "newest first")
}

func TestExperimentItems(t *testing.T) {
	h := start(t)
	bare := item("i2", "e2", noon.Add(-time.Minute))
	bare.End = time.Time{}
	notRoot := item("child", "e1", noon)
	notRoot.Experiment.ItemRootID = "i1"
	h.write(t, rich(), bare, notRoot)
	core := map[string]any{
		"id": "i1", "traceId": traceID, "startTime": "2026-11-15T12:00:00.000Z", "endTime": "2026-11-15T12:00:01.000Z", "level": "WARNING",
		"environment": "sdk-experiment", "experimentId": "e1", "experimentName": "run 2026-08-22", "experimentItemId": "item_1",
	}
	bareCore := map[string]any{
		"id": "i2", "traceId": "t-i2", "startTime": "2026-11-15T11:59:00.000Z", "endTime": nil, "level": "DEFAULT",
		"environment": "default", "experimentId": "e2", "experimentName": "name of e2", "experimentItemId": "item-i2",
	}
	dataset := map[string]any{"experimentDatasetId": "ds_1", "experimentItemVersion": "2026-11-15T11:00:00.000Z"}
	bareDataset := map[string]any{"experimentDatasetId": nil, "experimentItemVersion": nil}
	for fields, want := range map[string][2]map[string]any{
		"":        {dataset, bareDataset},
		"core":    {},
		"dataset": {dataset, bareDataset},
		"io":      {{"input": `{"q":1}`, "output": "4", "expectedOutput": "four"}, {"input": "", "output": "", "expectedOutput": ""}},
		"metadata": {
			{"metadata": map[string]any{"dataset_id": "ds_1", "n": "1.50", "list": `[1,"a"]`, "yes": "true"}}, {"metadata": map[string]any{}},
		},
		"itemMetadata": {{"experimentItemMetadata": map[string]any{"difficulty": "easy"}}, {"experimentItemMetadata": map[string]any{}}},
		"experimentMetadata": {
			{"experimentMetadata": map[string]any{"model": "gpt-4", "a.b": "2"}, "experimentDescription": "first try"},
			{"experimentMetadata": map[string]any{}, "experimentDescription": ""},
		},
		"scores": {{"scores": []any{}}, {"scores": []any{}}},
	} {
		got := h.get(t, "/experiment-items", "fromStartTime", before, "fields", fields)
		rows := got.data(t)
		require.Len(t, rows, 2)
		for i, base := range []map[string]any{core, bareCore} {
			expected := map[string]any{}
			for _, part := range []map[string]any{base, want[i]} {
				maps.Copy(expected, part)
			}
			assert.Equal(t, expected, rows[i], fields)
		}
		assert.Contains(t, got.body, `"meta":{}`)
	}

	own, ofOther, ofTrace, far := score("own", noon), score("other", noon), score("trace", noon.Add(time.Second)), score("far", noon.Add(-49*time.Hour))
	own.ObservationID, ofOther.ObservationID = "i1", "child"
	correction := own
	correction.ID, correction.DataType = "correction", model.ScoreCorrection
	h.writeScores(t, own, ofOther, ofTrace, far, correction)
	rows := h.get(t, "/experiment-items", "fromStartTime", before, "fields", "scores").data(t)
	scores := rows[0]["scores"].([]any)
	require.Len(t, scores, 2)
	assert.Equal(t, map[string]any{"kind": "trace", "id": traceID}, scores[0].(map[string]any)["subject"])
	assert.Equal(t, map[string]any{"kind": "observation", "id": "i1", "traceId": traceID}, scores[1].(map[string]any)["subject"])
	assert.Len(t, h.get(t, "/experiment-items", "fromStartTime", before, "fields", "scores", "scoreLimit", "1").data(t)[0]["scores"], 1)
}

func TestExperimentFilters(t *testing.T) {
	h := start(t)
	h.write(t, rich(), item("i2", "e2", noon.Add(time.Minute)), item("i3", "e3", noon.Add(2*time.Minute)))
	condition := func(kind, column, operator, value string) string {
		return `[{"type":"` + kind + `","column":"` + column + `","operator":"` + operator + `","value":` + value + `}]`
	}
	for _, tc := range []struct {
		parameters         []string
		experiments, items string
	}{
		{nil, "e3 e2 e1", "i3 i2 i1"},
		{[]string{"datasetId", "ds_1"}, "e1", "i1"},
		{[]string{"datasetId", ""}, "e3 e2 e1", "i3 i2 i1"},
		{[]string{"toStartTime", "2026-11-15T12:01:00Z"}, "e1", "i1"},
		{[]string{"filter", condition("string", "datasetId", "=", `"ds_1"`)}, "e1", "i1"},
		{[]string{"datasetId", "other", "filter", condition("stringOptions", "datasetId", "any of", `["ds_1"]`)}, "e1", "i1"},
		{[]string{"filter", condition("null", "datasetId", "is null", `""`)}, "e3 e2", "i3 i2"},
		{[]string{"limit", "1"}, "e3", "i3"},
	} {
		parameters := append([]string{"fromStartTime", before}, tc.parameters...)
		assert.Equal(t, strings.Fields(tc.experiments), ids(h.get(t, "/experiments", parameters...).data(t)), tc.parameters)
		assert.Equal(t, strings.Fields(tc.items), ids(h.get(t, "/experiment-items", parameters...).data(t)), tc.parameters)
	}
	for _, tc := range []struct{ path, name, value, want, other, all string }{
		{"/experiments", "id", "e1,e3", "e3 e1", "/experiment-items", "i3 i2 i1"},
		{"/experiments", "name", "name of e2", "e2", "/experiment-items", "i3 i2 i1"},
		{"/experiment-items", "experimentId", "e1,e3", "i3 i1", "/experiments", "e3 e2 e1"},
		{"/experiment-items", "experimentName", "name of e2", "i2", "/experiments", "e3 e2 e1"},
		{"/experiment-items", "experimentItemId", "item_1", "i1", "/experiments", "e3 e2 e1"},
	} {
		assert.Equal(t, strings.Fields(tc.want), ids(h.get(t, tc.path, "fromStartTime", before, tc.name, tc.value).data(t)), tc.name)
		assert.Equal(t, strings.Fields(tc.all), ids(h.beyond().get(t, tc.other, "fromStartTime", before, tc.name, tc.value).data(t)), "the other list does not know it")
	}
	assert.Equal(t, []string{"e3"}, ids(h.get(t, "/experiments", "fromStartTime", before, "filter", condition("string", "name", "ends with", `"e3"`)).data(t)))
	assert.Equal(t, []string{"i3"}, ids(h.get(t, "/experiment-items", "fromStartTime", before, "filter", condition("string", "experimentItemId", "=", `"item-i3"`)).data(t)))
	assert.Empty(t, h.get(t, "/experiments", "fromStartTime", "2026-11-15T13:00:00Z").data(t))
}

func TestExperimentErrors(t *testing.T) {
	h := start(t)
	for _, path := range []string{"/experiments", "/experiment-items"} {
		missing := h.get(t, path)
		assert.Equal(t, http.StatusBadRequest, missing.status)
		assert.JSONEq(t, `{"message":"Invalid request data","error":[{"expected":"string","code":"invalid_type","path":["fromStartTime"],
			"message":"Invalid input: expected string, received undefined"}]}`, missing.body)
		unknown := h.get(t, path, "fromStartTime", before, "filter", `[{"type":"string","column":"foo","operator":"=","value":"x"}]`)
		assert.Equal(t, http.StatusBadRequest, unknown.status)
		assert.Contains(t, unknown.body, `"path":["filter",0,"column"]`)
		format := h.get(t, path, "fromStartTime", before, "cursor", "x")
		assert.Equal(t, http.StatusBadRequest, format.status)
		assert.JSONEq(t, `{"message":"Invalid cursor format","error":"InvalidRequestError"}`, format.body)
	}
}

func TestExperimentPagesAndProjects(t *testing.T) {
	h := start(t)
	other := h.asOther()
	var rows []model.Observation
	for i := range 13 {
		rows = append(rows, item(fmt.Sprintf("i%02d", i), fmt.Sprintf("e%02d", i), noon.Add(time.Duration(i/4)*time.Second)))
	}
	h.write(t, rows...)
	theirs := rich()
	theirs.Experiment.ID, theirs.ID, theirs.Experiment.ItemRootID, theirs.TraceID = "e01", "i01", "i01", rows[1].TraceID
	other.write(t, theirs)
	foreignScore := score("foreign", noon)
	foreignScore.TraceID = rows[1].TraceID
	h.writeScores(t, foreignScore)

	for _, path := range []string{"/experiments", "/experiment-items"} {
		all := ids(h.get(t, path, "fromStartTime", before).data(t))
		require.Len(t, all, 13)
		for _, limit := range []int{1, 2, 5, 12, 13, 14} {
			assert.Equal(t, all, h.walk(t, path, limit, "fromStartTime", before), path)
		}
		found := other.get(t, path, "fromStartTime", before, "fields", "scores").data(t)
		require.Len(t, found, 1, path)
		assert.Empty(t, found[0]["scores"], "the scores of another project's trace of the same id")

		cursor := h.get(t, path, "fromStartTime", before, "limit", "1").cursor(t)
		require.NotEmpty(t, cursor)
		assert.Equal(t, http.StatusBadRequest, other.get(t, path, "fromStartTime", before, "cursor", cursor).status)
	}
}
