// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// score is a NUMERIC score of a trace.
func score(id string, at time.Time) model.Score {
	return model.Score{
		ID: id, Name: "quality", DataType: model.ScoreNumeric, Number: 0.85, TraceID: traceID,
		Source: model.ScoreFromAPI, Environment: model.DefaultEnvironment, Timestamp: at,
	}
}

func (h *harness) writeScores(t testing.TB, scores ...model.Score) {
	t.Helper()
	require.NoError(t, h.store.WriteScores(t.Context(), h.project, scores))
}

// exactTimes replaces the times that the store gave, which no test can know, after a look at them.
func exactTimes(t *testing.T, row map[string]any) map[string]any {
	t.Helper()
	for _, name := range []string{"createdAt", "updatedAt"} {
		at, err := time.Parse("2006-01-02T15:04:05.000Z", row[name].(string))
		require.NoError(t, err, name)
		assert.WithinDuration(t, time.Now(), at, time.Minute, name)
		row[name] = "now"
	}
	return row
}

func TestScoreGroups(t *testing.T) {
	h := start(t)
	got := h.call(t, http.MethodPost, "/api/public/scores", map[string]any{
		"id": "s1", "name": "quality", "value": 0.85, "traceId": traceID, "observationId": spanID, "environment": "staging",
		"comment": "good", "metadata": map[string]any{"a": map[string]any{"b": 1}, "list": []int{1}}, "queueId": "q",
	})
	require.Equal(t, http.StatusOK, got.status, got.body)
	core := map[string]any{
		"id": "s1", "projectId": h.project, "name": "quality", "dataType": "NUMERIC", "value": 0.85, "source": "API",
		"environment": "staging", "createdAt": "now", "updatedAt": "now",
	}
	details := map[string]any{"comment": "good", "configId": nil, "metadata": map[string]any{"a": map[string]any{"b": 1.0}, "list": []any{1.0}}}
	subject := map[string]any{"subject": map[string]any{"kind": "observation", "id": spanID, "traceId": traceID}}
	annotation := map[string]any{"authorUserId": nil, "queueId": "q"}
	for fields, groups := range map[string][]map[string]any{
		"": {}, "core": {}, "details": {details}, "subject": {subject}, "annotation": {annotation},
		"details,subject,annotation": {details, subject, annotation},
	} {
		read := h.get(t, "/v3/scores", "fields", fields)
		rows := read.data(t)
		require.Len(t, rows, 1)
		at, err := time.Parse("2006-01-02T15:04:05.000Z", rows[0]["timestamp"].(string))
		require.NoError(t, err)
		assert.WithinDuration(t, time.Now(), at, time.Minute)
		want := map[string]any{"timestamp": rows[0]["timestamp"]}
		for _, group := range append(groups, core) {
			maps.Copy(want, group)
		}
		assert.Equal(t, want, exactTimes(t, rows[0]), fields)
		assert.Equal(t, map[string]any{"limit": 50.0}, read.decode(t)["meta"])
	}
}

func TestScoreValuesAndSubjects(t *testing.T) {
	h := start(t)
	for i, tc := range []struct {
		score          model.Score
		value, subject string
	}{
		{model.Score{DataType: model.ScoreNumeric, Number: -1.5, TraceID: "t"}, `-1.5`, `{"kind":"trace","id":"t"}`},
		{model.Score{DataType: model.ScoreBoolean, Number: 1, TraceID: "t", ObservationID: "o"}, `true`, `{"kind":"observation","id":"o","traceId":"t"}`},
		{model.Score{DataType: model.ScoreBoolean, SessionID: "s"}, `false`, `{"kind":"session","id":"s"}`},
		{model.Score{DataType: model.ScoreCategorical, Text: "1", ExperimentID: "e"}, `"1"`, `{"kind":"experiment","id":"e"}`},
		{model.Score{DataType: model.ScoreCategorical, TraceID: "t"}, `""`, `{"kind":"trace","id":"t"}`},
		{model.Score{DataType: model.ScoreText, Text: "<long> & ü", TraceID: "t"}, `"<long> & ü"`, `{"kind":"trace","id":"t"}`},
		{model.Score{DataType: model.ScoreCorrection, TraceID: "t"}, `""`, `{"kind":"trace","id":"t"}`},
	} {
		s := tc.score
		s.ID, s.Name, s.Source, s.Timestamp = fmt.Sprint("s", i), "n", model.ScoreFromEval, noon
		h.writeScores(t, s)
		rows := h.get(t, "/v3/scores", "id", s.ID, "fields", "subject,details")
		assert.Contains(t, rows.body, `"value":`+tc.value+`,`, s.DataType)
		assert.Contains(t, rows.body, `"subject":`+tc.subject)
		assert.Contains(t, rows.body, `"timestamp":"2026-11-15T12:00:00.000Z"`)
		assert.Contains(t, rows.body, `"environment":"default"`, "never empty")
		assert.Contains(t, rows.body, `"metadata":{}`)
	}
	odd := score("odd", noon)
	odd.Metadata = `[1]`
	h.writeScores(t, odd)
	assert.Contains(t, h.get(t, "/v3/scores", "id", "odd", "fields", "details").body, `"metadata":{"metadata":[1]}`, "always an object")
}

func TestScoreParameters(t *testing.T) {
	h := start(t)
	a, b, c, d := score("a", noon), score("b", noon.Add(time.Minute)), score("c", noon.Add(2*time.Minute)), score("d", noon.Add(3*time.Minute))
	a.Name, a.ConfigID, a.QueueID, a.AuthorUserID, a.TraceID = "other", "config", "queue", "ada", "t1"
	b.DataType, b.Number, b.TraceID, b.ObservationID, b.Source = model.ScoreBoolean, 1, "t1", "o1", model.ScoreFromEval
	c.DataType, c.Text, c.TraceID, c.SessionID, c.Environment = model.ScoreCategorical, "good", "", "s1", "dev"
	d.TraceID, d.ExperimentID, d.Number, d.Source = "", "e1", 2, model.ScoreFromAnnotation
	h.writeScores(t, a, b, c, d)
	for _, tc := range []struct{ parameters, want string }{
		{"", "d c b a"},
		{"id=a,b", "b a"},
		{"name=other", "a"},
		{"name=Other", ""},
		{"name=other,quality&id=a,d", "d a"},
		{"source=eval", "b"},
		{"source=eval,Annotation", "d b"},
		{"dataType=numeric", "d a"},
		{"dataType=boolean,categorical", "c b"},
		{"environment=dev", "c"},
		{"configId=config", "a"},
		{"queueId=queue", "a"},
		{"authorUserId=ada", "a"},
		{"traceId=t1", "b a"},
		{"traceId=t1,t2&observationId=o1", "b"},
		{"sessionId=s1", "c"},
		{"experimentId=e1", "d"},
		{"dataType=NUMERIC&value=2,7", "d"},
		{"dataType=NUMERIC&value=1", ""},
		{"dataType=BOOLEAN&value=true", "b"},
		{"dataType=BOOLEAN&value=false", ""},
		{"dataType=CATEGORICAL&value=good", "c"},
		{"dataType=NUMERIC&valueMin=0.85", "d a"},
		{"dataType=NUMERIC&valueMin=0.86", "d"},
		{"dataType=NUMERIC&valueMax=2", "d a"},
		{"dataType=NUMERIC&valueMin=0.8&valueMax=1.9", "a"},
		{"fromTimestamp=2026-11-15T12:02:00Z", "d c"},
		{"toTimestamp=2026-11-15T12:02:00Z", "b a"},
		{"fromTimestamp=2026-11-15", "d c b a"},
		{"toTimestamp=2026-11-15", ""},
		{"limit=2", "d c"},
		{"limit=100", "d c b a"},
	} {
		got := h.call(t, http.MethodGet, "/api/public/v3/scores?"+tc.parameters, nil)
		assert.Equal(t, strings.Fields(tc.want), ids(got.data(t)), tc.parameters)
	}
	assert.Equal(t, map[string]any{"limit": 100.0}, h.get(t, "/v3/scores", "limit", "100").decode(t)["meta"])
	assert.JSONEq(t, `{"data":[],"meta":{"limit":7}}`, h.get(t, "/v3/scores", "limit", "7", "id", "none").body)
}

func TestScoreErrors(t *testing.T) {
	h := start(t)
	for rawQuery, want := range map[string]string{
		"foo=1": `{"message":"Invalid request data","error":[{"code":"unrecognized_keys","keys":["foo"],"path":[],"message":"Unrecognized key: \"foo\""}]}`,
		"fields=core,x": `{"message":"Invalid request data","error":[{"code":"invalid_value","values":["core","details","subject","annotation"],"path":["fields",1],
			"message":"Invalid option: expected one of \"core\"|\"details\"|\"subject\"|\"annotation\""}]}`,
		"value=1&observationId=o": `{"message":"Invalid request data","error":[
			{"code":"custom","path":[],"message":"value filter requires a single dataType from: NUMERIC, BOOLEAN, CATEGORICAL"},
			{"code":"custom","path":[],"message":"observationId filter requires traceId — observation IDs are scoped to a trace"}]}`,
		"limit=101":  `{"message":"Invalid request data","error":[{"origin":"number","code":"too_big","maximum":100,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=100"}]}`,
		"cursor=%21": `{"message":"Invalid cursor format","error":"InvalidRequestError"}`,
	} {
		got := h.call(t, http.MethodGet, "/api/public/v3/scores?"+rawQuery, nil)
		assert.Equal(t, http.StatusBadRequest, got.status, rawQuery)
		assert.JSONEq(t, want, got.body, rawQuery)
	}
	denied := h.call(t, http.MethodGet, "/api/public/v3/scores", nil, "Authorization", "Bearer pk-a")
	assert.Equal(t, http.StatusForbidden, denied.status)
	assert.Equal(t, http.StatusUnauthorized, h.call(t, http.MethodGet, "/api/public/v3/scores", nil, "Authorization", "").status)
	assert.Equal(t, http.StatusNotImplemented, startWith(t, nil).get(t, "/v3/scores").status)
}

// walk reads a list page by page, and checks that each row comes once and pages are full.
func (h *harness) walk(t *testing.T, path string, limit int, parameters ...string) []string {
	t.Helper()
	walked := []string{}
	for cursor := ""; ; {
		asked := append([]string{"limit", strconv.Itoa(limit)}, parameters...)
		if cursor != "" {
			asked = append(asked, "cursor", cursor)
		}
		page := h.get(t, path, asked...)
		rows := ids(page.data(t))
		walked = append(walked, rows...)
		if cursor = page.cursor(t); cursor == "" {
			return walked
		}
		require.Len(t, rows, limit, "only the last page is short")
		assert.Regexp(t, "^[A-Za-z0-9_-]+$", cursor, "fit for an address as it is")
	}
}

func TestScorePages(t *testing.T) {
	h := start(t)
	for i := range 25 {
		h.writeScores(t, score(fmt.Sprintf("s%02d", i), noon.Add(time.Duration(i/5)*time.Millisecond))) // five of each time
	}
	all := ids(h.get(t, "/v3/scores").data(t))
	require.Len(t, all, 25)
	assert.Equal(t, "s24", all[0], "newest first")
	for _, limit := range []int{1, 2, 7, 24, 25, 26} {
		assert.Equal(t, all, h.walk(t, "/v3/scores", limit))
	}
}

func TestScoresOfProjects(t *testing.T) {
	h := start(t)
	other := h.asOther()
	mine, theirs := score("same", noon), score("same", noon)
	mine.Number, theirs.Number = 1, 2
	h.writeScores(t, mine, score("older", noon.Add(-time.Hour)))
	other.writeScores(t, theirs)
	assert.Equal(t, []string{"same", "older"}, ids(h.get(t, "/v3/scores").data(t)))
	rows := other.get(t, "/v3/scores", "id", "same,older", "traceId", traceID).data(t)
	require.Len(t, rows, 1)
	assert.InDelta(t, 2.0, rows[0]["value"], 0)
	assert.Equal(t, other.project, rows[0]["projectId"])

	cursor := h.get(t, "/v3/scores", "limit", "1").cursor(t)
	require.NotEmpty(t, cursor)
	for _, foreign := range []answer{
		other.get(t, "/v3/scores", "limit", "1", "cursor", cursor),
		h.get(t, "/v3/scores", "cursor", query.EncodeCursor(query.ListObservations, h.project, query.Position{Time: noon})),
	} {
		assert.Equal(t, http.StatusBadRequest, foreign.status, foreign.body)
	}
}
