// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestMetricsErrors(t *testing.T) {
	from := time.Date(2026, 8, 22, 10, 11, 12, 0, time.UTC)
	good := Metrics{
		Project: "p", View: ViewObservations, From: from, To: from.Add(time.Hour),
		Metrics: []Metric{{"count", AggregationCount}, {"latency", AggregationHistogram}}, Dimensions: []string{"name"},
	}
	assert.NoError(t, good.Validate())

	filter := func(t FilterType, c Condition) []MetricFilter { return []MetricFilter{{t, c}} }
	for want, change := range map[string]func(*Metrics){
		"fromTimestamp must be before toTimestamp": func(q *Metrics) { q.To = q.From },
		"Invalid metric foo. Must be one of count,value": func(q *Metrics) {
			q.View, q.Metrics = ViewScoresBoolean, []Metric{{"foo", AggregationSum}}
		},
		"Invalid metric foo. Must be one of count,traceId,*": func(q *Metrics) { q.Metrics = []Metric{{"foo", AggregationSum}} },
		`Aggregation "sum" is not valid for measure "traceId" (type: string). Valid aggregations: count, uniq`: func(q *Metrics) {
			q.Metrics = []Metric{{"traceId", AggregationSum}}
		},
		"Invalid dimension foo. Must be one of id,traceId,*":     func(q *Metrics) { q.Dimensions = []string{"foo"} },
		"Invalid filter column foo. Must be one of id,traceId,*": func(q *Metrics) { q.Filters = filter(FilterString, Condition{Column: "foo"}) },
		"Invalid filter for field 'tags': Filter type 'string' is not supported for dimension type 'string[]'. Expected 'arrayOptions'.": func(q *Metrics) {
			q.Filters = filter(FilterString, Condition{Column: "tags", Operator: OpEqual})
		},
		"Invalid filter for field 'name': Filter type 'number' is not supported for dimension type 'string'. Expected 'string' or 'stringOptions'.": func(q *Metrics) {
			q.Filters = filter(FilterNumber, Condition{Column: "name", Operator: OpEqual})
		},
		"Invalid filter for field 'start_time': Filter type 'string' is not supported for time dimension. Expected 'datetime'.": func(q *Metrics) {
			q.Filters = filter(FilterString, Condition{Column: "start_time", Operator: OpEqual})
		},
		"Invalid filter for field 'metadata': Metadata filters require type 'stringObject' with a 'key' property, not 'string'.": func(q *Metrics) {
			q.Filters = filter(FilterString, Condition{Column: "metadata", Operator: OpEqual})
		},
		"Invalid orderBy field: foo. Must be one of the dimension or metric fields.": func(q *Metrics) { q.OrderBy = []MetricOrder{{Field: "foo"}} },
		"Invalid orderBy field: histogram_latency. Must be one of the dimension or metric fields.": func(q *Metrics) {
			q.OrderBy = []MetricOrder{{Field: "histogram_latency"}}
		},
		"Invalid orderBy field: time_dimension. Must be one of the dimension or metric fields.": func(q *Metrics) {
			q.OrderBy = []MetricOrder{{Field: TimeDimension}}
		},
		"High cardinality dimension(s) 'traceId' require both 'config.row_limit' and 'orderBy' with direction 'desc' on a measure field.": func(q *Metrics) {
			q.Dimensions = []string{"traceId"}
		},
		"High cardinality dimension(s) 'traceId', 'id' cannot be used with timeDimension. Time series queries with high cardinality dimensions produce unbounded result sets.": func(q *Metrics) {
			q.Dimensions, q.Granularity = []string{"traceId", "id"}, GranularityDay
		},
		"High cardinality dimension(s) 'traceId' require 'orderBy' with direction 'desc' on a measure field. 'name' is not a measure in this query.": func(q *Metrics) {
			q.Dimensions, q.RowLimit, q.OrderBy = []string{"traceId", "name"}, 10, []MetricOrder{{Field: "name", Descending: true}}
		},
		`there is no view "traces"`:              func(q *Metrics) { q.View = ViewTraces },
		"a histogram has 1 to 100 bins, not 101": func(q *Metrics) { q.Bins = 101 },
		"an answer has 1 to 1000 rows, not 1001": func(q *Metrics) { q.RowLimit = 1001 },
	} {
		bad := good
		change(&bad)
		err := bad.Validate()
		if start, isPart := strings.CutSuffix(want, "*"); isPart {
			assert.ErrorContains(t, err, start)
		} else {
			assert.EqualError(t, err, want)
		}
	}
	for _, change := range []func(*Metrics){
		func(q *Metrics) {
			q.Dimensions, q.RowLimit, q.OrderBy = []string{"traceId"}, 10, []MetricOrder{{Field: "count_count", Descending: true}}
		},
		func(q *Metrics) { q.Dimensions, q.IsLegacy = []string{"traceId"}, true },
		func(q *Metrics) { q.Filters = filter(FilterNull, Condition{Column: "tags", Operator: OpIsNull}) },
		func(q *Metrics) {
			q.Filters = filter(FilterString, Condition{Column: "anyOtherName", Operator: OpEqual, Text: "falls back to the name"})
		},
		func(q *Metrics) {
			q.Metrics = []Metric{{"costByType", AggregationSum}}
			q.OrderBy = []MetricOrder{{Field: "costType"}}
		},
	} {
		ok := good
		change(&ok)
		assert.NoError(t, ok.Validate())
	}
}

func TestGranularity(t *testing.T) {
	from := time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.FixedZone("", -11*3600))
	for span, want := range map[time.Duration]Granularity{
		2*time.Hour - 1: GranularityMinute, 2 * time.Hour: GranularityHour, 72*time.Hour - 1: GranularityHour, 72 * time.Hour: GranularityDay,
		60 * day: GranularityWeek, 365 * day: GranularityMonth,
	} {
		assert.Equal(t, want, GranularityAuto.Resolve(from, from.Add(span)))
	}
	assert.Equal(t, GranularityWeek, GranularityWeek.Resolve(from, from.Add(1)))
	for g, want := range map[Granularity][2]string{
		GranularityMinute: {"2026-08-22T21:11:00Z", "2026-08-22T21:12:00Z"},
		GranularityHour:   {"2026-08-22T21:00:00Z", "2026-08-22T22:00:00Z"},
		GranularityDay:    {"2026-08-22", "2026-08-23"},
		GranularityWeek:   {"2026-08-17", "2026-08-24"},
		GranularityMonth:  {"2026-08-01", "2026-09-01"},
	} {
		bucket := g.Truncate(from)
		assert.Equal(t, want, [2]string{g.Format(bucket), g.Format(g.Next(bucket))}, g)
	}
	sunday := time.Date(2026, 8, 23, 23, 0, 0, 0, time.UTC)
	assert.Equal(t, "2026-08-17", GranularityWeek.Format(GranularityWeek.Truncate(sunday)))
}
