// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// legacyTrace is what an older reader sees of the generation, without what belongs to it.
func (h *harness) legacyTrace() map[string]any {
	return object{
		"id": traceID, "projectId": h.project, "timestamp": "2026-08-22T10:11:12.123Z", "name": "checkout", "userId": "u-1", "sessionId": "s-1",
		"release": "r9", "version": "v1", "environment": "staging", "public": true, "bookmarked": false, "tags": []any{"a", "日本"},
		"input": object{"q": 1.0}, "output": "four", "externalId": nil, "createdAt": "now", "updatedAt": "now",
	}
}

func TestLegacyTrace(t *testing.T) {
	h := start(t)
	h.fillLegacy(t)
	correction := score("correction", noon)
	correction.DataType = model.ScoreCorrection
	h.writeScores(t, correction)

	with := func(observations, scores []any) map[string]any {
		want := h.legacyTrace()
		maps.Copy(want, object{
			"htmlPath": "/project/" + h.project + "/traces/" + traceID, "latency": 1.5, "totalCost": 0.000225, "observations": observations, "scores": scores,
		})
		return want
	}
	rows := h.get(t, "/traces").data(t)
	require.Len(t, rows, 1)
	metadata := rows[0]["metadata"].(map[string]any)
	assert.Equal(t, "plain", metadata["str"])
	assert.Equal(t, object{"b": object{"c": true}}, metadata["nested"], "objects again")
	assert.Equal(t, with([]any{spanID}, []any{"s1"}), without(exactTimes(t, rows[0]), "metadata"))

	one := h.get(t, "/traces/"+traceID).decode(t)
	assert.Equal(t, metadata, one["metadata"])
	observations, scores := one["observations"].([]any), one["scores"].([]any)
	require.Len(t, observations, 1)
	require.Len(t, scores, 1, "a client library refuses a trace with a correction")
	assert.Equal(t, spanID, observations[0].(map[string]any)["id"])
	assert.Equal(t, "s1", scores[0].(map[string]any)["id"])
	assert.Equal(t, with(observations, scores), without(exactTimes(t, one), "metadata", "_deprecation"))

	for fields, want := range map[string]object{
		"core":         {"input": nil, "output": nil, "metadata": nil, "latency": -1.0, "totalCost": -1.0, "observations": []any{}, "scores": []any{}},
		"io":           {"input": object{"q": 1.0}, "output": "four", "latency": -1.0, "totalCost": -1.0, "observations": []any{}, "scores": []any{}},
		"metrics":      {"input": nil, "latency": 1.5, "totalCost": 0.000225, "observations": []any{}, "scores": []any{}},
		"observations": {"latency": -1.0, "observations": []any{spanID}, "scores": []any{}},
		"scores":       {"totalCost": -1.0, "observations": []any{}, "scores": []any{"s1"}},
	} {
		row := h.get(t, "/traces", "fields", fields).data(t)[0]
		for name, value := range want {
			assert.Equal(t, value, row[name], "%s of %s", name, fields)
		}
	}
	assert.Equal(t, h.get(t, "/traces", "fields", "io").body, h.beyond().get(t, "/traces", "fields", "io,unknown").body)
	assert.Equal(t, []any{}, h.get(t, "/traces/"+traceID, "fields", "core").decode(t)["observations"])
}

func TestLegacyTraceWithNothing(t *testing.T) {
	h := start(t)
	h.write(t, model.Observation{TraceID: "t", ID: "o", ParentID: "elsewhere", Start: noon, Type: model.TypeSpan, Level: model.LevelDefault, Input: "in"})
	got := h.get(t, "/traces/t").decode(t)
	assert.Equal(t, object{
		"id": "t", "projectId": h.project, "timestamp": "2026-11-15T12:00:00.000Z", "name": nil, "userId": nil, "sessionId": nil, "release": nil,
		"version": nil, "environment": "default", "public": false, "bookmarked": false, "tags": []any{}, "input": nil, "output": nil, "metadata": object{},
		"externalId": nil, "createdAt": "now", "updatedAt": "now", "htmlPath": "/project/" + h.project + "/traces/t", "latency": 0.0, "totalCost": 0.0, "scores": []any{},
	}, without(exactTimes(t, got), "observations", "_deprecation"))
}

func TestLegacyTraceParameters(t *testing.T) {
	h := start(t)
	a, b, c := observation("a", noon), observation("b", noon.Add(time.Minute)), observation("c", noon.Add(2*time.Minute))
	a.TraceID, a.Name, a.UserID, a.SessionID, a.Version, a.Release, a.Environment = "ta", "chat", "ada", "s1", "v1", "r1", "prod"
	b.TraceID, b.Tags, b.Metadata, b.Environment, b.End = "tb", []string{"x", "y"}, `{"k":"v"}`, "dev", b.Start.Add(5*time.Second)
	c.TraceID, c.Tags = "tc", []string{"y"}
	h.write(t, a, b, c)
	condition := func(kind, column, operator, value string) string {
		return `[{"type":"` + kind + `","column":"` + column + `","key":"k","operator":"` + operator + `","value":` + value + `}]`
	}
	for _, tc := range []struct {
		parameters []string
		want       string
	}{
		{nil, "tc tb ta"},
		{[]string{"userId", "ada"}, "ta"},
		{[]string{"userId", ""}, "tc tb ta"},
		{[]string{"name", "chat"}, "ta"},
		{[]string{"sessionId", "s1"}, "ta"},
		{[]string{"version", "v1"}, "ta"},
		{[]string{"release", "r1"}, "ta"},
		{[]string{"environment", "prod"}, "ta"},
		{[]string{"environment", "prod", "environment", "dev"}, "tb ta"},
		{[]string{"tags", "y"}, "tc tb"},
		{[]string{"tags", "y", "tags", "x"}, "tb"},
		{[]string{"fromTimestamp", "2026-11-15T12:01:00Z"}, "tc tb"},
		{[]string{"toTimestamp", "2026-11-15T12:01:00Z"}, "ta"},
		{[]string{"orderBy", "timestamp.asc"}, "ta tb tc"},
		{[]string{"orderBy", "timestamp.desc"}, "tc tb ta"},
		{[]string{"orderBy", "id.asc"}, "ta tb tc"},
		{[]string{"orderBy", "latency.desc"}, "tb tc ta"},
		{[]string{"filter", condition("string", "name", "=", `"chat"`)}, "ta"},
		{[]string{"name", "other", "filter", condition("string", "name", "contains", `"cha"`)}, "ta"},
		{[]string{"toTimestamp", "2026-11-15T12:01:00Z", "filter", condition("datetime", "timestamp", ">", `"2026-11-15T12:01:00Z"`)}, "tc"},
		{[]string{"filter", condition("arrayOptions", "tags", "any of", `["x"]`)}, "tb"},
		{[]string{"filter", condition("stringObject", "metadata", "=", `"v"`)}, "tb"},
		{[]string{"filter", condition("number", "latency", ">", "2")}, "tb"},
	} {
		assert.Equal(t, strings.Fields(tc.want), ids(h.get(t, "/traces", tc.parameters...).data(t)), tc.parameters)
	}
	for message, parameters := range map[string][]string{
		"Invalid orderBy: expected one of timestamp, id, name, userId, sessionId, release, version, environment, latency, totalCost followed by .asc or .desc": {"orderBy", "public.asc"},
		"Invalid ISO datetime":                               {"fromTimestamp", "2026-11-15"},
		"Column foo does not match a UI / CH table mapping.": {"filter", condition("string", "foo", "=", `"x"`)},
		"Invalid JSON in filter parameter":                   {"filter", "x"},
	} {
		got := h.get(t, "/traces", parameters...)
		assert.Equal(t, http.StatusBadRequest, got.status)
		assert.Contains(t, got.body, message)
	}
}

func TestLegacySessions(t *testing.T) {
	h := start(t)
	h.postGeneration(t)
	second := observation("x", noon)
	second.TraceID, second.SessionID, second.Environment, second.Input = "tx", "s-1", "staging", "not json {"
	other := observation("y", noon.Add(time.Minute))
	other.TraceID, other.SessionID = "ty", "s-2"
	h.write(t, second, other, observation("none", noon))
	h.asOther().write(t, second)

	one := object{"id": "s-1", "createdAt": "2026-08-22T10:11:12.123Z", "projectId": h.project, "environment": "staging"}
	two := object{"id": "s-2", "createdAt": "2026-11-15T12:01:00.000Z", "projectId": h.project, "environment": "default"}
	for _, tc := range []struct {
		parameters []string
		want       []map[string]any
	}{
		{nil, []map[string]any{two, one}},
		{[]string{"environment", "staging"}, []map[string]any{one}},
		{[]string{"environment", "staging", "environment", "default"}, []map[string]any{two, one}},
		{[]string{"fromTimestamp", "2026-11-15T00:00:00Z"}, []map[string]any{two}},
		{[]string{"toTimestamp", "2026-11-15T00:00:00Z"}, []map[string]any{one}},
	} {
		assert.Equal(t, tc.want, h.get(t, "/sessions", tc.parameters...).data(t), tc.parameters)
	}
	got := h.get(t, "/sessions/s-1").decode(t)
	traces := got["traces"].([]any)
	require.Len(t, traces, 2)
	assert.Equal(t, "tx", traces[0].(map[string]any)["id"], "the newest first")
	assert.Equal(t, "not json {", traces[0].(map[string]any)["input"])
	assert.Equal(t, h.legacyTrace(), without(exactTimes(t, traces[1].(map[string]any)), "metadata"))
	assert.Equal(t, one, without(got, "traces", "_deprecation"))
}

func TestLegacyAnswerTooLarge(t *testing.T) {
	h := start(t, map[string]any{"limits": map[string]any{"max_response_size": 1000}})
	row := observation("a", noon)
	row.SessionID, row.Input = "s", strings.Repeat("x", 1001)
	h.write(t, row)
	for _, path := range []string{"/traces/trace", "/sessions/s"} {
		got := h.get(t, path)
		assert.Equal(t, http.StatusUnprocessableEntity, got.status, path)
		assert.JSONEq(t, `{"message":"Response payload is too large","error":"PayloadTooLargeError"}`, got.body)
	}
}
