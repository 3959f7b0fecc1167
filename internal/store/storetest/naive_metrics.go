// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// metricInput is a row of a view. Numbers are float64, or *big.Int where they must stay exact; what is absent is nil.
type metricInput struct {
	at         time.Time
	metadata   string
	dimensions map[string]any
	measures   map[string]any
}

// QueryMetrics implements store.Metrics.
func (n *Naive) QueryMetrics(ctx context.Context, q query.Metrics) (rows []store.MetricRow, err error) {
	if err := q.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		q.Granularity = q.Granularity.Resolve(q.From, q.To)
		var inputs []metricInput
		for _, input := range p.viewRows(&q) {
			if !input.at.Before(q.From) && !input.at.After(q.To) && passes(&q, &input, false) {
				inputs = append(inputs, input)
			}
		}
		for _, name := range []string{"toolNames", "calledToolNames", "costType", "usageType"} {
			if isExplodedBy(&q, name) {
				inputs = explodeInputs(inputs, name)
			}
		}
		inputs = slices.DeleteFunc(inputs, func(input metricInput) bool { return !passes(&q, &input, true) })
		rows = naiveAnswer(&q, inputs)
		return nil
	})
	return rows, err
}

// isExplodedBy tells whether the query makes rows of the entries of a dimension: when it groups by them, or looks at them
// one by one. A filter on a list looks at all of them at once.
func isExplodedBy(q *query.Metrics, name string) bool {
	d, _ := q.View.Dimension(name)
	return slices.Contains(q.AllDimensions(), d) || d.Type != query.DimensionList &&
		slices.ContainsFunc(q.Filters, func(f query.MetricFilter) bool { return string(f.Column) == name })
}

// metricEntry is one of what a dimension explodes into, with a measure that comes of it.
type metricEntry struct {
	name    string
	measure string
	value   any
}

// explodeInputs makes a row of each entry.
func explodeInputs(inputs []metricInput, name string) []metricInput {
	var exploded []metricInput
	for _, input := range inputs {
		for _, e := range input.dimensions["entries of "+name].([]metricEntry) {
			one := metricInput{
				at: input.at, metadata: input.metadata, dimensions: maps.Clone(input.dimensions), measures: maps.Clone(input.measures),
			}
			one.dimensions[name] = e.name
			if e.measure != "" {
				one.measures[e.measure] = e.value
			}
			exploded = append(exploded, one)
		}
	}
	return exploded
}

// passes judges the filters on what was exploded, or all others.
func passes(q *query.Metrics, input *metricInput, exploded bool) bool {
	for i := range q.Filters {
		f := &q.Filters[i]
		kind, value, isExploded := query.KindTime, any(input.at), false
		switch f.Column {
		case q.View.TimeColumn():
		case query.ColumnMetadata:
			kind, value = query.KindObject, input.metadata
		default:
			d, _ := q.FilterDimension(f.Column)
			kind, value, isExploded = d.Kind(), input.dimensions[d.Name], d.IsExploded && d.Type == query.DimensionText
			if d.Type == query.DimensionList && d.IsExploded {
				names := []string{}
				for _, e := range input.dimensions["entries of "+d.Name].([]metricEntry) {
					names = append(names, e.name)
				}
				value = names
			}
		}
		if isExploded == exploded && !valueHolds(&f.Condition, kind, value) {
			return false
		}
	}
	return true
}

// metricGroup are the rows of the same bucket and dimensions.
type metricGroup struct {
	at     time.Time
	values []any
	inputs []metricInput
}

func naiveAnswer(q *query.Metrics, inputs []metricInput) []store.MetricRow {
	dimensions := q.AllDimensions()
	groups := map[string]*metricGroup{}
	if len(dimensions) == 0 && q.Granularity == "" {
		groups[""] = &metricGroup{}
	}
	for _, input := range inputs {
		g := metricGroup{}
		if q.Granularity != "" {
			g.at = q.Granularity.Truncate(input.at)
		}
		for _, d := range dimensions {
			g.values = append(g.values, shown(d, input.dimensions[d.Name]))
		}
		key := fmt.Sprintf("%v %#v", g.at.Unix(), g.values)
		if len(dimensions) == 0 && q.Granularity == "" {
			key = ""
		}
		if groups[key] == nil {
			groups[key] = &g
		}
		groups[key].inputs = append(groups[key].inputs, input)
	}
	var sorted []metricRowAt
	for _, g := range groups {
		sorted = append(sorted, metricRowAt{g.at, rowOf(q, g)})
	}
	slices.SortFunc(sorted, func(a, b metricRowAt) int { return compareMetricRows(q, a.row, b.row) })
	if q.Granularity != "" && len(q.OrderBy) == 0 {
		sorted = fillBuckets(q, sorted)
	}
	rows := []store.MetricRow{}
	for _, s := range sorted[:min(len(sorted), q.MaxRows())] {
		rows = append(rows, s.row)
	}
	return rows
}

// metricRowAt is a row with the time of its bucket.
type metricRowAt struct {
	at  time.Time
	row store.MetricRow
}

// shown is a value of a dimension as the answer has it.
func shown(d query.Dimension, value any) any {
	if text, ok := value.(string); ok && text == "" && d.Type == query.DimensionText && !d.KeepsEmpty {
		return nil
	}
	return value
}

func rowOf(q *query.Metrics, g *metricGroup) store.MetricRow {
	row := store.MetricRow{}
	if q.Granularity != "" {
		row[query.TimeDimension] = q.Granularity.Format(g.at)
	}
	for i, d := range q.AllDimensions() {
		row[d.Name] = g.values[i]
	}
	if len(q.Metrics) == 0 {
		row[query.CountColumn] = int64(len(g.inputs))
	}
	for _, metric := range q.Metrics {
		measure, _ := q.View.Measure(metric.Measure)
		var values []any
		for _, input := range g.inputs {
			if value := input.measures[metric.Measure]; value != nil {
				values = append(values, value)
			}
		}
		row[metric.Column()] = aggregate(q, metric.Aggregation, measure, values)
	}
	return row
}

// compareMetricRows is the order that was asked for, then time, then dimensions.
func compareMetricRows(q *query.Metrics, a, b store.MetricRow) int {
	for _, order := range q.Order() {
		if c := compareCells(a[order.Field], b[order.Field], order.Descending); c != 0 {
			return c
		}
	}
	if c := compareCells(a[query.TimeDimension], b[query.TimeDimension], false); c != 0 {
		return c
	}
	for _, d := range q.AllDimensions() {
		if c := compareCells(a[d.Name], b[d.Name], false); c != 0 {
			return c
		}
	}
	return 0
}

// compareCells sorts nil last.
func compareCells(a, b any, descending bool) int {
	if a == nil || b == nil {
		return cmp.Compare(absence(a), absence(b))
	}
	var order int
	switch a := a.(type) {
	case string:
		order = strings.Compare(a, b.(string))
	case bool:
		order = cmp.Compare(truth(a), truth(b.(bool)))
	case []string:
		order = strings.Compare(listText(a), listText(b.([]string)))
	default:
		order = ratOf(a).Cmp(ratOf(b))
	}
	if descending {
		return -order
	}
	return order
}

// listText is how a list is stored, and so how it is sorted.
func listText(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(encodeJSON(list))
}

func absence(value any) int {
	if value == nil {
		return 1
	}
	return 0
}

func truth(value bool) int {
	if value {
		return 1
	}
	return 0
}

// fillBuckets adds a row for each bucket that has none, from that of From up to that of To.
func fillBuckets(q *query.Metrics, rows []metricRowAt) []metricRowAt {
	present := map[time.Time]bool{}
	for _, row := range rows {
		present[row.at] = true
	}
	end := q.Granularity.Truncate(q.To)
	for t, n := q.Granularity.Truncate(q.From), 0; t.Before(end) && n < query.MaxRowLimit; t, n = q.Granularity.Next(t), n+1 {
		if present[t] {
			continue
		}
		empty := &metricGroup{at: t}
		for _, d := range q.AllDimensions() {
			switch {
			case d.Type == query.DimensionList && !d.IsExploded:
				empty.values = append(empty.values, []string{})
			case d.KeepsEmpty:
				empty.values = append(empty.values, "")
			default:
				empty.values = append(empty.values, nil)
			}
		}
		rows = append(rows, metricRowAt{t, rowOf(q, empty)})
	}
	slices.SortStableFunc(rows, func(a, b metricRowAt) int { return a.at.Compare(b.at) })
	return rows
}
