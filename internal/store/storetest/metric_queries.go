// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"time"

	"github.com/weirhq/weir/internal/query"
)

var metricViews = []query.View{query.ViewObservations, query.ViewScoresNumeric, query.ViewScoresBoolean, query.ViewScoresCategorical, query.ViewTraces}

// metricsQuery is any question for metrics that Validate accepts.
func (r *Rows) metricsQuery(project string, view query.View, at time.Time) query.Metrics {
	for {
		q := query.Metrics{
			Project: project, View: view, From: at.Add(-r.span()), To: at.Add(r.span()), Bins: pick(r, []int{0, 1, 3, 100}),
			RowLimit: pick(r, []int{0, 0, 1, 7, 1000}), IsLegacy: true,
		}
		for range r.IntN(4) {
			q.Metrics = append(q.Metrics, query.Metric{Measure: pick(r, view.Measures()).Name, Aggregation: pick(r, query.Aggregations)})
		}
		for range r.IntN(3) {
			q.Dimensions = append(q.Dimensions, pick(r, view.Dimensions()).Name)
		}
		if r.chance(3) {
			q.Granularity = pick(r, []query.Granularity{
				query.GranularityAuto, query.GranularityMinute, query.GranularityHour, query.GranularityDay, query.GranularityWeek, query.GranularityMonth,
			})
		}
		for range r.IntN(3) {
			q.Filters = append(q.Filters, r.metricFilter(view, at))
		}
		if r.chance(3) {
			q.OrderBy = r.metricOrder(&q)
		}
		if q.Validate() == nil {
			return q
		}
	}
}

func (r *Rows) span() time.Duration {
	return pick(r, []time.Duration{time.Millisecond, 40 * time.Minute, 30 * time.Hour, 20 * 24 * time.Hour, 150 * 24 * time.Hour, 2000 * 24 * time.Hour})
}

// metricOrder leaves out what is a sum of floats: where the last bit decides, two stores may differ.
func (r *Rows) metricOrder(q *query.Metrics) []query.MetricOrder {
	var fields []string
	for _, d := range q.AllDimensions() {
		fields = append(fields, d.Name)
	}
	for _, m := range q.Metrics {
		if measure, _ := q.View.Measure(m.Measure); measure.Type != query.MeasureFloat {
			fields = append(fields, m.Column())
		}
	}
	if q.Granularity != "" {
		fields = append(fields, query.TimeDimension)
	}
	var orders []query.MetricOrder
	for range r.IntN(3) {
		if len(fields) > 0 {
			orders = append(orders, query.MetricOrder{Field: pick(r, fields), Descending: r.chance(2)})
		}
	}
	return orders
}

// metricFilter is a condition on any dimension, on the time or on the metadata.
func (r *Rows) metricFilter(view query.View, at time.Time) query.MetricFilter {
	switch r.IntN(8) {
	case 0:
		c := r.valueCondition(view.TimeColumn(), query.KindTime, at)
		return query.MetricFilter{Type: query.FilterDatetime, Condition: c}
	case 1:
		return query.MetricFilter{Type: query.FilterStringObject, Condition: query.Condition{
			Column: query.ColumnMetadata, Operator: query.OpNotContains, Key: pick(r, metadataKeys), Text: "old",
		}}
	}
	d := pick(r, view.Dimensions())
	value, filterType := any(pick(r, []string{"", "answer", "default", "v1", "input", "quality", "API", "2026-08"})), query.FilterString
	switch d.Type {
	case query.DimensionList:
		value, filterType = []string{pick(r, tags), pick(r, tools)}, query.FilterArrayOptions
	case query.DimensionNumber:
		value, filterType = pick(r, []float64{0, 1, 0.1}), query.FilterNumber
	case query.DimensionBool:
		filterType = query.FilterBoolean
	}
	return query.MetricFilter{Type: filterType, Condition: r.valueCondition(query.Column(d.Name), d.Kind(), value)}
}
