// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

func TestLegacyScoreShape(t *testing.T) {
	h := start(t)
	row := observation("o", noon)
	row.TraceID, row.UserID, row.SessionID, row.Tags, row.Environment = "t", "ada", "s", []string{"x"}, "prod"
	h.write(t, row)
	for _, tc := range []struct {
		score              model.Score
		value, stringValue any
	}{
		{model.Score{DataType: model.ScoreNumeric, Number: 0.5, TraceID: "t", Comment: "c", Metadata: `{"a":{"b":1}}`, ConfigID: "k", QueueID: "q", AuthorUserID: "u"}, 0.5, nil},
		{model.Score{DataType: model.ScoreBoolean, Number: 1, TraceID: "t", ObservationID: "o"}, 1.0, "True"},
		{model.Score{DataType: model.ScoreBoolean, TraceID: "unknown"}, 0.0, "False"},
		{model.Score{DataType: model.ScoreCategorical, Text: "good", TraceID: "t"}, 0.0, "good"},
		{model.Score{DataType: model.ScoreText, Text: "long", SessionID: "s"}, nil, "long"},
		{model.Score{DataType: model.ScoreCorrection, TraceID: "t"}, 0.0, ""},
		{model.Score{DataType: model.ScoreNumeric, ExperimentID: "e"}, 0.0, nil},
	} {
		s := tc.score
		s.ID, s.Name, s.Source, s.Timestamp = "same", "n", model.ScoreFromEval, noon
		require.NoError(t, h.store.DeleteScores(t.Context(), h.project, []string{s.ID}))
		h.writeScores(t, s)
		orNull := func(text string) any {
			if text == "" {
				return nil
			}
			return text
		}
		want := object{
			"id": "same", "projectId": h.project, "environment": "default", "name": "n", "stringValue": tc.stringValue, "dataType": string(s.DataType),
			"source": "EVAL", "authorUserId": orNull(s.AuthorUserID), "comment": orNull(s.Comment), "metadata": object{}, "configId": orNull(s.ConfigID),
			"queueId": orNull(s.QueueID), "executionTraceId": nil, "timestamp": "2026-11-15T12:00:00.000Z", "createdAt": "now", "updatedAt": "now",
			"traceId": orNull(s.TraceID), "observationId": orNull(s.ObservationID), "sessionId": orNull(s.SessionID), "datasetRunId": orNull(s.ExperimentID),
		}
		if tc.value != nil {
			want["value"] = tc.value
		}
		if s.Metadata != "" {
			want["metadata"] = object{"a": object{"b": 1.0}}
		}
		assert.Equal(t, want, without(exactTimes(t, h.get(t, "/v2/scores/same").decode(t)), "_deprecation"))
		listed := h.get(t, "/v2/scores", "fields", "score").data(t)
		require.Len(t, listed, 1)
		assert.Equal(t, want, exactTimes(t, listed[0]))
		want["trace"] = nil
		if s.TraceID == "t" {
			want["trace"] = object{"userId": "ada", "tags": []any{"x"}, "environment": "prod", "sessionId": "s"}
		}
		assert.Equal(t, want, exactTimes(t, h.get(t, "/v2/scores").data(t)[0]), "the trace comes with it by default")
		assert.Equal(t, want, exactTimes(t, h.get(t, "/v2/scores", "fields", "score,trace").data(t)[0]))

		inFirst := s.TraceID != "" && s.DataType != model.ScoreCorrection
		if inFirst {
			want = without(want, "sessionId", "datasetRunId")
			assert.Equal(t, want, exactTimes(t, h.get(t, "/scores").data(t)[0]))
			assert.Equal(t, without(want, "trace"), without(exactTimes(t, h.get(t, "/scores/same").decode(t)), "_deprecation"))
		} else {
			assert.Empty(t, h.get(t, "/scores").data(t), "the first version does not know it")
			assert.Equal(t, 404, h.get(t, "/scores/same").status)
		}
	}
}

func TestLegacyScoreParameters(t *testing.T) {
	h := start(t)
	row := observation("o", noon)
	row.TraceID, row.UserID, row.Tags = "t1", "ada", []string{"x", "y"}
	h.write(t, row)
	a, b, c, d := score("a", noon), score("b", noon.Add(time.Minute)), score("c", noon.Add(2*time.Minute)), score("d", noon.Add(3*time.Minute))
	a.Name, a.ConfigID, a.QueueID, a.TraceID, a.Metadata = "other", "config", "queue", "t1", `{"k":"v"}`
	b.DataType, b.Number, b.TraceID, b.ObservationID, b.Source = model.ScoreBoolean, 1, "t1", "o1", model.ScoreFromEval
	c.DataType, c.Text, c.TraceID, c.SessionID, c.Environment = model.ScoreCategorical, "good", "", "s1", "dev"
	d.TraceID, d.ExperimentID, d.Number = "", "e1", 2
	h.writeScores(t, a, b, c, d)
	condition := func(kind, column, operator, value string) string {
		return `[{"type":"` + kind + `","column":"` + column + `","key":"k","operator":"` + operator + `","value":` + value + `}]`
	}
	check := func(h *harness, path, want string, parameters ...string) {
		got := h.get(t, path, parameters...)
		assert.Equal(t, strings.Fields(want), ids(got.data(t)), "%s %s", path, parameters)
		assert.EqualValues(t, len(strings.Fields(want)), got.decode(t)["meta"].(map[string]any)["totalItems"])
	}
	for _, tc := range []struct {
		parameters    []string
		first, second string
	}{
		{nil, "b a", "d c b a"},
		{[]string{"userId", "ada"}, "b a", "b a"},
		{[]string{"name", "other"}, "a", "a"},
		{[]string{"fromTimestamp", "2026-11-15T12:01:00Z"}, "b", "d c b"},
		{[]string{"toTimestamp", "2026-11-15T12:01:00Z"}, "a", "a"},
		{[]string{"environment", "dev", "environment", "default"}, "b a", "d c b a"},
		{[]string{"environment", "dev"}, "", "c"},
		{[]string{"source", "EVAL"}, "b", "b"},
		{[]string{"operator", ">", "value", "0.9"}, "b", "d b"},
		{[]string{"operator", "!=", "value", "1"}, "a", "d a"},
		{[]string{"operator", "=", "value", "0.85"}, "a", "a"},
		{[]string{"operator", "<="}, "b a", "d c b a"},
		{[]string{"value", "1"}, "b a", "d c b a"},
		{[]string{"scoreIds", "a, d"}, "a", "d a"},
		{[]string{"configId", "config"}, "a", "a"},
		{[]string{"queueId", "queue"}, "a", "a"},
		{[]string{"dataType", "BOOLEAN"}, "b", "b"},
		{[]string{"traceTags", "x", "traceTags", "y"}, "b a", "b a"},
		{[]string{"traceTags", "z"}, "", ""},
		{[]string{"filter", condition("string", "name", "=", `"other"`)}, "a", "a"},
		{[]string{"filter", condition("stringOptions", "source", "any of", `["EVAL"]`)}, "b", "b"},
		{[]string{"filter", condition("number", "value", ">=", "1")}, "b", "d b"},
		{[]string{"filter", condition("string", "stringValue", "=", `"good"`)}, "", "c"},
		{[]string{"filter", condition("datetime", "timestamp", ">", `"2026-11-15T12:01:00Z"`)}, "", "d c"},
		{[]string{"filter", condition("stringObject", "metadata", "=", `"v"`)}, "a", "a"},
		{[]string{"filter", condition("string", "datasetRunId", "=", `"e1"`)}, "", "d"},
	} {
		check(h, "/scores", tc.first, tc.parameters...)
		check(h, "/v2/scores", tc.second, tc.parameters...)
	}
	for _, tc := range []struct{ name, value, second string }{
		{"sessionId", "s1", "c"}, {"traceId", "t1", "b a"}, {"datasetRunId", "e1", "d"}, {"observationId", "o1,o2", "b"},
	} {
		check(h.beyond(), "/scores", "b a", tc.name, tc.value) // the first version does not know it
		check(h, "/v2/scores", tc.second, tc.name, tc.value)
	}
	empty := []string{"userId", "", "name", "", "source", "", "dataType", "", "operator", "", "value", "", "scoreIds", ""}
	check(h.beyond(), "/scores", "b a", empty...)
	check(h.beyond(), "/v2/scores", "d c b a", empty...)
	for parameter, value := range map[string]string{
		"source": "api", "dataType": "X", "operator": "~", "value": "x", "fromTimestamp": "2026-11-15", "fields": "x", "filter": condition("string", "foo", "=", `"x"`),
	} {
		assert.Equal(t, 400, h.get(t, "/v2/scores", parameter, value).status, parameter)
		assert.Equal(t, 400, h.get(t, "/scores", parameter, value).status, parameter)
	}
}

func TestLegacyMetrics(t *testing.T) {
	h := start(t)
	h.fillMetrics(t)
	second := observation("z", noon.Add(-24*time.Hour))
	second.TraceID, second.UserID, second.Tags, second.Environment, second.TraceName = "tz", "ada", []string{"x", "z"}, "dev", "named"
	h.write(t, second)
	h.asOther().write(t, second)

	got := h.get(t, "/metrics", "query", metricsQuery(t, object{
		"view": "traces", "metrics": []any{metric("count", "count"), metric("observationsCount", "sum")}, "fromTimestamp": "2026-11-01T00:00:00Z",
		"dimensions": []any{object{"field": "id"}}, "orderBy": []any{object{"field": "sum_observationsCount", "direction": "desc"}},
	}))
	require.Equal(t, 200, got.status, got.body)
	assert.JSONEq(t, `[{"id":"trace","count_count":1,"sum_observationsCount":3},{"id":"tz","count_count":1,"sum_observationsCount":1}]`, asJSON(t, got.decode(t)["data"]))
	assert.JSONEq(t, `[{"count_count":3}]`, asJSON(t, h.get(t, "/metrics", "query", metricsQuery(t, nil)).decode(t)["data"]))
	assert.Equal(t, 400, h.get(t, "/metrics", "query", "{}").status)
	assert.Equal(t, 400, h.get(t, "/metrics").status)

	today := `{"date":"2026-11-15","countTraces":1,"countObservations":3,"totalCost":0.3,"usage":[
		{"model":null,"inputUsage":0,"outputUsage":0,"totalUsage":0,"countObservations":1,"countTraces":1,"totalCost":0},
		{"model":"gpt-4","inputUsage":3,"outputUsage":0,"totalUsage":5,"countObservations":2,"countTraces":1,"totalCost":0.3}]}`
	yesterday := `{"date":"2026-11-14","countTraces":1,"countObservations":1,"totalCost":0,"usage":[
		{"model":null,"inputUsage":0,"outputUsage":0,"totalUsage":0,"countObservations":1,"countTraces":1,"totalCost":0}]}`
	for _, tc := range []struct {
		parameters []string
		want       string
	}{
		{nil, today + "," + yesterday},
		{[]string{"fromTimestamp", "2026-11-15T00:00:00Z"}, today},
		{[]string{"toTimestamp", "2026-11-15T00:00:00Z"}, yesterday},
		{[]string{"userId", "ada"}, yesterday},
		{[]string{"traceName", "named"}, yesterday},
		{[]string{"environment", "dev"}, yesterday},
		{[]string{"tags", "x", "tags", "z"}, yesterday},
		{[]string{"tags", "x", "tags", "y"}, today},
		{[]string{"userId", "nobody"}, ""},
	} {
		body := h.get(t, "/metrics/daily", tc.parameters...).decode(t)
		assert.JSONEq(t, "["+tc.want+"]", asJSON(t, body["data"]), tc.parameters)
	}
	assert.Equal(t, 400, h.get(t, "/metrics/daily", "fromTimestamp", "2026-11-15").status)
}
