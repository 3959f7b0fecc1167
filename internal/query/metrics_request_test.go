// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/validation"
)

// metricsText is a query with some members on top of the required ones, of which a later one wins.
func metricsText(members ...string) string {
	required := []string{
		`"view":"observations"`, `"metrics":[{"measure":"count","aggregation":"count"}]`,
		`"fromTimestamp":"2026-08-22T00:00:00Z"`, `"toTimestamp":"2026-08-23T00:00:00Z"`,
	}
	return "{" + strings.Join(append(required, members...), ",") + "}"
}

func asQuery(text string) string { return "query=" + url.QueryEscape(text) }

func TestMetricsMembers(t *testing.T) {
	good := func(change func(*Metrics)) Metrics {
		q := Metrics{
			Project: project, View: ViewObservations, Metrics: []Metric{{"count", AggregationCount}},
			From: at("2026-08-22T00:00:00Z"), To: at("2026-08-23T00:00:00Z"),
		}
		change(&q)
		return q
	}
	filter := func(kind FilterType, c Condition) func(*Metrics) {
		return func(q *Metrics) { q.Filters = []MetricFilter{{kind, c}} }
	}
	for members, want := range map[string]Metrics{
		`"unknown":1`: good(func(*Metrics) {}),
		`"dimensions":[],"filters":[],"timeDimension":null,"orderBy":null,"config":null`: good(func(*Metrics) {}),
		`"view":"scores-numeric"`:     good(func(q *Metrics) { q.View = ViewScoresNumeric }),
		`"view":"scores-boolean"`:     good(func(q *Metrics) { q.View = ViewScoresBoolean }),
		`"view":"scores-categorical"`: good(func(q *Metrics) { q.View = ViewScoresCategorical }),
		`"metrics":[]`:                good(func(q *Metrics) { q.Metrics = nil }),
		`"metrics":[{"measure":"latency","aggregation":"p95"},{"measure":"latency","aggregation":"p95"}]`: good(func(q *Metrics) {
			q.Metrics = []Metric{{"latency", AggregationP95}}
		}),
		`"dimensions":[{"field":"name"},{"field":"tags"}]`: good(func(q *Metrics) { q.Dimensions = []string{"name", "tags"} }),
		`"timeDimension":{"granularity":"auto"}`:           good(func(q *Metrics) { q.Granularity = GranularityAuto }),
		`"timeDimension":{"granularity":"month"}`:          good(func(q *Metrics) { q.Granularity = GranularityMonth }),
		`"orderBy":[{"field":"count_count","direction":"desc"}]`: good(func(q *Metrics) {
			q.OrderBy = []MetricOrder{{Field: "count_count", Descending: true}}
		}),
		`"config":{"bins":100,"row_limit":1000}`: good(func(q *Metrics) { q.Bins, q.RowLimit = 100, 1000 }),
		`"config":{}`:                            good(func(*Metrics) {}),
		`"filters":[{"type":"string","column":"name","operator":"=","value":"x"}]`:                            good(filter(FilterString, Condition{Column: "name", Operator: OpEqual, Text: "x"})),
		`"filters":[{"type":"stringOptions","column":"userId","operator":"any of","value":["x"]}]`:            good(filter(FilterStringOptions, Condition{Column: "userId", Operator: OpAnyOf, Texts: []string{"x"}})),
		`"filters":[{"type":"arrayOptions","column":"tags","operator":"all of","value":["x"]}]`:               good(filter(FilterArrayOptions, Condition{Column: "tags", Operator: OpAllOf, Texts: []string{"x"}})),
		`"filters":[{"type":"boolean","column":"isRootObservation","operator":"=","value":true}]`:             good(filter(FilterBoolean, Condition{Column: "isRootObservation", Operator: OpEqual, Bool: true})),
		`"filters":[{"type":"number","column":"promptVersion","operator":">","value":1}]`:                     good(filter(FilterNumber, Condition{Column: "promptVersion", Operator: OpGreater, Number: 1})),
		`"filters":[{"type":"null","column":"version","operator":"is null","value":""}]`:                      good(filter(FilterNull, Condition{Column: "version", Operator: OpIsNull})),
		`"filters":[{"type":"datetime","column":"start_time","operator":">","value":"2026-08-22T10:00:00Z"}]`: good(filter(FilterDatetime, Condition{Column: "start_time", Operator: OpGreater, Time: at("2026-08-22T10:00:00Z")})),
		`"filters":[{"type":"stringObject","column":"metadata","key":"k","operator":"contains","value":"x"}]`: good(filter(FilterStringObject, Condition{Column: "metadata", Key: "k", Operator: OpContains, Text: "x"})),
		`"filters":[{"type":"positionInTrace","column":"name","operator":"=","value":"first"}]`:               good(func(*Metrics) {}),
	} {
		got, err := ParseMetrics(project, asQuery(metricsText(members)), false)
		require.NoError(t, err, members)
		assert.Equal(t, want, got, members)
	}
	legacy, err := ParseMetrics(project, asQuery(metricsText(`"view":"traces"`, `"dimensions":[{"field":"id"}]`)), true)
	require.NoError(t, err)
	assert.Equal(t, good(func(q *Metrics) { q.View, q.Dimensions, q.IsLegacy = ViewTraces, []string{"id"}, true }), legacy)
}

func TestMetricsIssues(t *testing.T) {
	const views = `Invalid option: expected one of "observations"|"scores-numeric"|"scores-categorical"|"scores-boolean"`
	for rawQuery, want := range map[string]string{
		"":                "query: Invalid input: expected string, received undefined",
		"query=a&query=b": "query: Invalid input: expected string, received array",
		"query=[]":        "query: Invalid input: expected object, received array",
		"query={}": "query.view: " + views + "; query.metrics: Invalid input: expected array, received undefined; " +
			"query.fromTimestamp: Invalid input: expected string, received undefined; query.toTimestamp: Invalid input: expected string, received undefined",
		asQuery(metricsText(`"view":"traces"`)):                                                                 "query.view: " + views,
		asQuery(metricsText(`"view":1`)):                                                                        "query.view: " + views,
		asQuery(metricsText(`"metrics":{}`)):                                                                    "query.metrics: Invalid input: expected array, received object",
		asQuery(metricsText(`"metrics":[{}]`)):                                                                  "query.metrics.0.measure: Invalid input: expected string, received undefined; query.metrics.0.aggregation: " + aggregationIssue,
		asQuery(metricsText(`"metrics":[{"measure":"count","aggregation":"median"}]`)):                          "query.metrics.0.aggregation: " + aggregationIssue,
		asQuery(metricsText(`"dimensions":[1]`)):                                                                "query.dimensions.0: Invalid input: expected object, received number; query.dimensions.0.field: Invalid input: expected string, received undefined",
		asQuery(metricsText(`"timeDimension":{"granularity":"year"}`)):                                          `query.timeDimension.granularity: Invalid option: expected one of "auto"|"minute"|"hour"|"day"|"week"|"month"`,
		asQuery(metricsText(`"fromTimestamp":"2026-08-22"`)):                                                    "query.fromTimestamp: Invalid ISO datetime",
		asQuery(metricsText(`"toTimestamp":"2026-08-22T00:00:00Z"`)):                                            "query: fromTimestamp must be before toTimestamp",
		asQuery(metricsText(`"toTimestamp":"2026-08-21T00:00:00Z"`)):                                            "query: fromTimestamp must be before toTimestamp",
		asQuery(metricsText(`"orderBy":[{"field":"count_count","direction":"up"}]`)):                            `query.orderBy.0.direction: Invalid option: expected one of "asc"|"desc"`,
		asQuery(metricsText(`"config":{"bins":0,"row_limit":1001}`)):                                            "query.config.bins: Too small: expected number to be >=1; query.config.row_limit: Too big: expected number to be <=1000",
		asQuery(metricsText(`"config":{"bins":1.5,"row_limit":"1"}`)):                                           "query.config.bins: Invalid input: expected int, received number; query.config.row_limit: Invalid input: expected number, received string",
		asQuery(metricsText(`"filters":[{"type":"x"}]`)):                                                        "query.filters.0.type: Invalid input",
		asQuery(metricsText(`"filters":[{"type":"string","column":"name","operator":"matches","value":"x"}]`)):  `query.filters.0.operator: Invalid option: expected one of "="|"contains"|"does not contain"|"starts with"|"ends with"`,
		asQuery(metricsText(`"dimensions":[` + strings.Repeat(`{"field":"name"},`, 100) + `{"field":"name"}]`)): "query.dimensions: Too big: expected array to have <=100 items",
		asQuery(`"` + strings.Repeat("x", 128<<10) + `"`):                                                       "query: Too big: a query has at most 131072 bytes, not 131074",
	} {
		_, err := ParseMetrics(project, rawQuery, false)
		var issues validation.Issues
		require.ErrorAs(t, err, &issues, rawQuery)
		assert.EqualError(t, err, want, rawQuery)
	}
}

const aggregationIssue = `Invalid option: expected one of "sum"|"avg"|"count"|"max"|"min"|"p50"|"p75"|"p90"|"p95"|"p99"|"histogram"|"uniq"`

func TestMetricsRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"{": "Invalid JSON in query parameter",
		"":  "Invalid JSON in query parameter",
		metricsText(`"metrics":[{"measure":"traceId","aggregation":"sum"}]`): `Aggregation "sum" is not valid for measure "traceId" (type: string). Valid aggregations: count, uniq`,
		metricsText(`"orderBy":[{"field":"foo","direction":"asc"}]`):         "Invalid orderBy field: foo. Must be one of the dimension or metric fields.",
		metricsText(`"dimensions":[{"field":"traceId"}]`):                    "High cardinality dimension(s) 'traceId' require both 'config.row_limit' and 'orderBy' with direction 'desc' on a measure field.",
		metricsText(`"dimensions":[{"field":"traceId"}],"timeDimension":{"granularity":"day"}`): "High cardinality dimension(s) 'traceId' cannot be used with timeDimension. " +
			"Time series queries with high cardinality dimensions produce unbounded result sets.",
		metricsText(`"dimensions":[{"field":"id"},{"field":"name"}],"config":{"row_limit":5},"orderBy":[{"field":"name","direction":"desc"}]`): "High cardinality dimension(s) 'id' require 'orderBy' " +
			"with direction 'desc' on a measure field. 'name' is not a measure in this query.",
		metricsText(`"filters":[{"type":"string","column":"tags","operator":"=","value":"x"}]`):     "Invalid filter for field 'tags': Filter type 'string' is not supported for dimension type 'string[]'. Expected 'arrayOptions'.",
		metricsText(`"filters":[{"type":"string","column":"metadata","operator":"=","value":"x"}]`): "Invalid filter for field 'metadata': Metadata filters require type 'stringObject' with a 'key' property, not 'string'.",
	} {
		_, err := ParseMetrics(project, asQuery(text), false)
		var refusal *validation.Refusal
		require.ErrorAs(t, err, &refusal, text)
		assert.Equal(t, want, refusal.Message)
	}
	for member, want := range map[string]string{
		`"metrics":[{"measure":"foo","aggregation":"sum"}]`:                       "Invalid metric foo. Must be one of count,traceId,",
		`"dimensions":[{"field":"foo"}]`:                                          "Invalid dimension foo. Must be one of id,traceId,",
		`"filters":[{"type":"string","column":"foo","operator":"=","value":"x"}]`: "Invalid filter column foo. Must be one of id,traceId,",
	} {
		_, err := ParseMetrics(project, asQuery(metricsText(member)), false)
		require.ErrorContains(t, err, want)
	}
}

func FuzzMetrics(f *testing.F) {
	f.Add(metricsText())
	f.Add(metricsText(`"view":"traces","dimensions":[{"field":"name"}],"timeDimension":{"granularity":"week"},"orderBy":[{"field":"time_dimension","direction":"asc"}]`))
	f.Add(metricsText(`"filters":[{"type":"null","column":"metadata","operator":"is null"},{"type":"arrayOptions","column":"tags","operator":"none of","value":[]}],"config":{"bins":7}`))
	f.Add(`{"view":null,"metrics":[[]],"filters":[null]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, isLegacy := range []bool{false, true} {
			q, err := ParseMetrics(project, asQuery(text), isLegacy)
			if err != nil {
				requireKnownError(t, err)
				continue
			}
			require.NoError(t, q.Validate())
		}
	})
}
