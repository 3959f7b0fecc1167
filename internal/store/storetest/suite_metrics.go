// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// metrics holds the store to its aggregates: some known ones, every dimension, measure and aggregation, and any others.
func metrics(t *testing.T, s store.Store) {
	t.Run("known", func(t *testing.T) { knownMetrics(t, s) })
	t.Run("exact", func(t *testing.T) { exactMetrics(t, s) })
	f := newFixture(t, s)
	rows, scores := experimentRows(f.rows)
	f.write(rows...)
	f.writeScores(scores...)
	all := query.Metrics{Project: f.project, From: f.rows.Base.AddDate(-60, 0, 0), To: f.rows.Base.AddDate(300, 0, 0), RowLimit: query.MaxRowLimit, IsLegacy: true}
	for _, view := range metricViews {
		t.Run(string(view), func(t *testing.T) {
			q := all
			q.View = view
			for _, d := range view.Dimensions() {
				q.Dimensions = []string{d.Name}
				found := requireSameMetrics(t.Context(), t, s, f.naive, q)
				require.NotEmpty(t, found, d.Name)
			}
			for _, m := range view.Measures() {
				q.Dimensions, q.Metrics = []string{"environment"}, nil
				for _, aggregation := range query.Aggregations {
					one := q
					one.Metrics = []query.Metric{{Measure: m.Name, Aggregation: aggregation}}
					if one.Validate() == nil {
						q.Metrics = append(q.Metrics, one.Metrics...)
					}
				}
				requireSameMetrics(t.Context(), t, s, f.naive, q)
				q.Dimensions = nil
				requireSameMetrics(t.Context(), t, s, f.naive, q)
			}
		})
		t.Run(string(view)+" at random", func(t *testing.T) {
			for range 60 {
				q := f.rows.metricsQuery(f.project, view, pick(f.rows, rows).Start)
				requireSameMetrics(t.Context(), t, s, f.naive, q)
			}
		})
	}
	t.Run("errors", func(t *testing.T) {
		for name, change := range map[string]func(*query.Metrics){
			"no project":          func(q *query.Metrics) { q.Project = "" },
			"no view":             func(q *query.Metrics) { q.View = "x; DROP TABLE scores" },
			"no such measure":     func(q *query.Metrics) { q.Metrics = []query.Metric{{Measure: "1", Aggregation: query.AggregationSum}} },
			"no such aggregation": func(q *query.Metrics) { q.Metrics = []query.Metric{{Measure: "count", Aggregation: "evil"}} },
			"no such dimension":   func(q *query.Metrics) { q.Dimensions = []string{"id, 1"} },
			"no such order":       func(q *query.Metrics) { q.OrderBy = []query.MetricOrder{{Field: "1"}} },
			"no such granularity": func(q *query.Metrics) { q.Granularity = "decade'" },
		} {
			t.Run(name, func(t *testing.T) {
				q := all
				q.View = query.ViewObservations
				change(&q)
				_, err := s.QueryMetrics(t.Context(), q)
				require.ErrorIs(t, err, store.ErrInvalid)
			})
		}
	})
}

// knownMetrics are worked out by hand.
func knownMetrics(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	start := time.Date(2026, 8, 22, 10, 0, 0, 0, time.UTC)
	for i, ms := range []int{100, 200, 400, 1000} {
		f.write(model.Observation{
			TraceID: "t", ID: strconv.Itoa(i), Name: []string{"", "b"}[i%2], Type: model.TypeSpan, Level: model.LevelDefault, Environment: "default",
			Start: start.Add(time.Duration(i) * time.Hour), End: start.Add(time.Duration(i)*time.Hour + time.Duration(ms)*time.Millisecond),
			Model: []string{"", "gpt"}[i%2], Cost: model.Costs{{Key: "total", Amount: model.DecimalFromFloat(0.1)}},
		})
	}
	ask := func(q query.Metrics) []store.MetricRow {
		q.Project, q.View, q.From = f.project, query.ViewObservations, start
		if q.To.IsZero() {
			q.To = start.Add(5 * time.Hour)
		}
		return requireSameMetrics(t.Context(), t, s, f.naive, q)
	}
	same := func(want, got []store.MetricRow, why ...any) {
		t.Helper()
		assert.Empty(t, compareMetrics(want, got), why...)
	}
	latency := func(a query.Aggregation) query.Metric { return query.Metric{Measure: "latency", Aggregation: a} }
	same([]store.MetricRow{{
		"p50_latency": 300.0, "p90_latency": 820.0, "avg_latency": 425.0, "max_latency": json.Number("1000"), "sum_latency": json.Number("1700"),
		"count_latency": int64(4), "sum_totalCost": json.Number("0.4"), "histogram_latency": [][3]float64{{100, 550, 3}, {550, 1000, 1}},
	}}, ask(query.Metrics{Bins: 2, Metrics: []query.Metric{
		latency(query.AggregationP50), latency(query.AggregationP90), latency(query.AggregationAvg), latency(query.AggregationMax), latency(query.AggregationSum),
		latency(query.AggregationCount),
		{Measure: "totalCost", Aggregation: query.AggregationSum},
		latency(query.AggregationHistogram),
	}}))
	count := query.Metric{Measure: "count", Aggregation: query.AggregationCount}
	same([]store.MetricRow{
		{"providedModelName": "gpt", "name": "b", "count_count": int64(2)},
		{"providedModelName": nil, "name": "", "count_count": int64(2)},
	}, ask(query.Metrics{Metrics: []query.Metric{count}, Dimensions: []string{"providedModelName", "name"}}), "empty texts are null, but for names")
	to := start.Add(4*time.Hour + time.Minute)
	same([]store.MetricRow{
		{"time_dimension": "2026-08-22T10:00:00Z", "count_count": int64(1)},
		{"time_dimension": "2026-08-22T11:00:00Z", "count_count": int64(0)},
		{"time_dimension": "2026-08-22T12:00:00Z", "count_count": int64(1)},
		{"time_dimension": "2026-08-22T13:00:00Z", "count_count": int64(0)},
	}, ask(query.Metrics{To: to, Metrics: []query.Metric{count}, Granularity: query.GranularityAuto, Filters: []query.MetricFilter{
		{Type: query.FilterString, Condition: query.Condition{Column: "name", Operator: query.OpEqual}},
	}}), "buckets are filled up to that of the end, and without it")
	same([]store.MetricRow{{"count_count": int64(0), "sum_totalCost": nil, "sum_count": json.Number("0"), "avg_latency": nil}},
		ask(query.Metrics{To: start.Add(time.Hour), Metrics: []query.Metric{
			count, {Measure: "totalCost", Aggregation: query.AggregationSum}, {Measure: "count", Aggregation: query.AggregationSum}, latency(query.AggregationAvg),
		}, Filters: []query.MetricFilter{
			{Type: query.FilterString, Condition: query.Condition{Column: "name", Operator: query.OpEqual, Text: "nobody"}},
		}}), "one row without data")
}

// exactMetrics are sums that no float and no integer of 64 bits holds.
func exactMetrics(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	for i := range 3 {
		f.write(model.Observation{
			TraceID: "t", ID: strconv.Itoa(i), Start: f.rows.Base,
			Cost:  model.Costs{{Key: "input", Amount: 9_000_000_000_000_000_001}, {Key: "total", Amount: 9_000_000_000_000_000_001}},
			Usage: model.Usage{{Key: "total", Units: 1<<62 + 1}},
		})
	}
	q := query.Metrics{Project: f.project, View: query.ViewObservations, From: f.rows.Base, To: f.rows.Base.Add(1), Metrics: []query.Metric{
		{Measure: "totalCost", Aggregation: query.AggregationSum}, {Measure: "totalTokens", Aggregation: query.AggregationSum},
	}}
	same := func(want, got []store.MetricRow) {
		t.Helper()
		assert.Empty(t, compareMetrics(want, got))
	}
	same([]store.MetricRow{{"sum_totalCost": json.Number("27000000.000000000003"), "sum_totalTokens": json.Number("13835058055282163715")}},
		requireSameMetrics(t.Context(), t, s, f.naive, q))
	q.Metrics = []query.Metric{{Measure: "costByType", Aggregation: query.AggregationSum}}
	same([]store.MetricRow{
		{"costType": "input", "sum_costByType": json.Number("27000000.000000000003")},
		{"costType": "total", "sum_costByType": json.Number("27000000.000000000003")},
	}, requireSameMetrics(t.Context(), t, s, f.naive, q))
}
