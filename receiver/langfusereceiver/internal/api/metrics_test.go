// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// metricsQuery is a query over the day of the tests; members given replace or add.
func metricsQuery(t testing.TB, members map[string]any) string {
	t.Helper()
	q := map[string]any{
		"view": "observations", "metrics": []any{map[string]any{"measure": "count", "aggregation": "count"}},
		"fromTimestamp": "2026-11-15T00:00:00Z", "toTimestamp": "2026-11-16T00:00:00Z",
	}
	maps.Copy(q, members)
	return asJSON(t, q)
}

type object = map[string]any

func metric(measure, aggregation string) object {
	return object{"measure": measure, "aggregation": aggregation}
}

func (h *harness) fillMetrics(t *testing.T) {
	t.Helper()
	a, b, c := observation("a", noon), observation("b", noon.Add(10*time.Minute)), observation("c", noon.Add(2*time.Hour))
	a.Name, a.Model, a.Type, a.Tags = "chat", "gpt-4", model.TypeGeneration, []string{"x", "y"}
	a.Usage, a.Cost = model.Usage{{Key: "input", Units: 3}, {Key: "total", Units: 5}}, model.Costs{{Key: "total", Amount: model.DecimalFromFloat(0.1)}}
	b.Name, b.Model, b.Type, b.End = "chat", "gpt-4", model.TypeGeneration, b.Start.Add(3*time.Second)
	b.Cost = model.Costs{{Key: "total", Amount: model.DecimalFromFloat(0.2)}}
	c.Name = "tool"
	h.write(t, a, b, c)
	yes, no, word := score("yes", noon), score("no", noon), score("word", noon)
	yes.DataType, yes.Number, no.DataType, no.Number = model.ScoreBoolean, 1, model.ScoreBoolean, 0
	word.DataType, word.Text = model.ScoreCategorical, "good"
	h.writeScores(t, yes, no, word, score("number", noon))
}

func TestMetrics(t *testing.T) {
	h := start(t)
	h.fillMetrics(t)
	for _, tc := range []struct {
		name string
		q    object
		want string
	}{
		{"count", nil, `[{"count_count":3}]`},
		{"no metric", object{"metrics": []any{}}, `[{"count":3}]`},
		{"by model", object{
			"metrics":    []any{metric("count", "count"), metric("totalCost", "sum"), metric("latency", "max"), metric("latency", "p50")},
			"dimensions": []any{object{"field": "providedModelName"}},
		}, `[{"providedModelName":"gpt-4","count_count":2,"sum_totalCost":0.3,"max_latency":3000,"p50_latency":2000},
		     {"providedModelName":null,"count_count":1,"sum_totalCost":0,"max_latency":1000,"p50_latency":1000}]`},
		{"hours are filled", object{
			"timeDimension": object{"granularity": "hour"}, "fromTimestamp": "2026-11-15T12:00:00Z", "toTimestamp": "2026-11-15T15:00:00Z",
		}, `[{"time_dimension":"2026-11-15T12:00:00Z","count_count":2},{"time_dimension":"2026-11-15T13:00:00Z","count_count":0},{"time_dimension":"2026-11-15T14:00:00Z","count_count":1}]`},
		{"a day", object{"timeDimension": object{"granularity": "day"}}, `[{"time_dimension":"2026-11-15","count_count":3}]`},
		{"both ends count", object{"fromTimestamp": "2026-11-15T12:10:00Z", "toTimestamp": "2026-11-15T14:00:00Z"}, `[{"count_count":2}]`},
		{"filter", object{"filters": []any{object{"type": "string", "column": "name", "operator": "=", "value": "tool"}}}, `[{"count_count":1}]`},
		{"first few", object{
			"dimensions": []any{object{"field": "id"}}, "metrics": []any{metric("latency", "sum")},
			"config": object{"row_limit": 1}, "orderBy": []any{object{"field": "sum_latency", "direction": "desc"}},
		}, `[{"id":"b","sum_latency":3000}]`},
		{"different users", object{"metrics": []any{metric("traceId", "uniq")}}, `[{"uniq_traceId":1}]`},
		{"nothing there", object{"fromTimestamp": "2020-01-01T00:00:00Z", "toTimestamp": "2020-01-02T00:00:00Z", "dimensions": []any{object{"field": "name"}}}, `[]`},
		{"numbers", object{"view": "scores-numeric", "metrics": []any{metric("count", "count"), metric("value", "max")}}, `[{"count_count":3,"max_value":1}]`},
		{"truths", object{"view": "scores-boolean", "metrics": []any{metric("value", "avg")}}, `[{"avg_value":0.5}]`},
		{"categories", object{"view": "scores-categorical", "dimensions": []any{object{"field": "stringValue"}}}, `[{"stringValue":"good","count_count":1}]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := h.get(t, "/v2/metrics", "query", metricsQuery(t, tc.q))
			require.Equal(t, http.StatusOK, got.status, got.body)
			assert.JSONEq(t, `{"data":`+tc.want+`}`, got.body)
		})
	}
	assert.JSONEq(t, `{"data":[{"count_count":0}]}`, h.asOther().get(t, "/v2/metrics", "query", metricsQuery(t, nil)).body, "another project")
}

func TestMetricsErrors(t *testing.T) {
	h := start(t)
	issue := func(text string) string { return `{"message":"Invalid request data","error":[` + text + `]}` }
	refusal := func(text string) string { return asJSON(t, object{"message": text, "error": "InvalidRequestError"}) }
	for text, want := range map[string]string{
		"{": refusal("Invalid JSON in query parameter"),
		metricsQuery(t, object{"view": "traces"}): issue(`{"code":"invalid_value","values":["observations","scores-numeric","scores-categorical","scores-boolean"],"path":["query","view"],
			"message":"Invalid option: expected one of \"observations\"|\"scores-numeric\"|\"scores-categorical\"|\"scores-boolean\""}`),
		metricsQuery(t, object{"toTimestamp": "2026-11-15T00:00:00Z"}): issue(`{"code":"custom","path":["query"],"message":"fromTimestamp must be before toTimestamp"}`),
		metricsQuery(t, object{"config": object{"row_limit": 1001}}): issue(`{"origin":"number","code":"too_big","maximum":1000,"inclusive":true,"path":["query","config","row_limit"],
			"message":"Too big: expected number to be <=1000"}`),
		metricsQuery(t, object{"metrics": []any{metric("traceId", "sum")}}):                       refusal(`Aggregation "sum" is not valid for measure "traceId" (type: string). Valid aggregations: count, uniq`),
		metricsQuery(t, object{"view": "scores-boolean", "metrics": []any{metric("foo", "sum")}}): refusal("Invalid metric foo. Must be one of count,value"),
	} {
		got := h.get(t, "/v2/metrics", "query", text)
		assert.Equal(t, http.StatusBadRequest, got.status, text)
		assert.JSONEq(t, want, got.body, text)
	}
	assert.JSONEq(t, issue(`{"expected":"string","code":"invalid_type","path":["query"],"message":"Invalid input: expected string, received undefined"}`), h.get(t, "/v2/metrics").body)
}
