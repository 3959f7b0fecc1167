// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"slices"
	"strings"
	"time"
)

// Aggregation makes one value of the values of many rows. Rows without a value do not take part.
type Aggregation string

// The aggregations. Percentiles are exact and interpolate between the two nearest values: the value at place (n-1)·p of
// the sorted ones, counted from 0. A histogram has bins of the same width from the smallest to the largest value, without
// the empty ones.
const (
	AggregationSum       Aggregation = "sum"
	AggregationAvg       Aggregation = "avg"
	AggregationCount     Aggregation = "count"
	AggregationMax       Aggregation = "max"
	AggregationMin       Aggregation = "min"
	AggregationP50       Aggregation = "p50"
	AggregationP75       Aggregation = "p75"
	AggregationP90       Aggregation = "p90"
	AggregationP95       Aggregation = "p95"
	AggregationP99       Aggregation = "p99"
	AggregationHistogram Aggregation = "histogram"
	// AggregationUniq is the number of different values.
	AggregationUniq Aggregation = "uniq"
)

// Aggregations are all there are.
var Aggregations = []Aggregation{
	AggregationSum, AggregationAvg, AggregationCount, AggregationMax, AggregationMin, AggregationP50, AggregationP75,
	AggregationP90, AggregationP95, AggregationP99, AggregationHistogram, AggregationUniq,
}

// Percentile tells which percentile an aggregation is, as a fraction.
func (a Aggregation) Percentile() (fraction float64, ok bool) {
	fraction, ok = map[Aggregation]float64{
		AggregationP50: 0.5, AggregationP75: 0.75, AggregationP90: 0.9, AggregationP95: 0.95, AggregationP99: 0.99,
	}[a]
	return fraction, ok
}

// Metric is one column of the answer.
type Metric struct {
	Measure     string
	Aggregation Aggregation
}

// Column is its name, such as sum_totalCost.
func (m Metric) Column() string { return string(m.Aggregation) + "_" + m.Measure }

// MetricFilter is a condition on a dimension, on the time of the row, or on its metadata.
type MetricFilter struct {
	Type FilterType
	Condition
}

// MetricOrder sorts the answer by a column. Null comes last in either direction.
type MetricOrder struct {
	Field      string
	Descending bool
}

// TimeDimension is the column with the buckets of time.
const TimeDimension = "time_dimension"

// CountColumn is the only column of an answer when no metric was asked for.
const CountColumn = "count"

// Limits of metrics.
const (
	DefaultBins     = 10
	MaxBins         = 100
	DefaultRowLimit = 100
	MaxRowLimit     = 1000
)

// Metrics asks for aggregates over the rows of a view.
//
// Without dimensions and granularity the answer is one row, whether there is data or not. With a granularity and no
// order, buckets without data are filled in from that of From up to but without that of To. Ties are broken by
// time, then dimensions, ascending, so that the answer is always the same.
type Metrics struct {
	Project string
	View    View
	// Metrics are the columns; none stands for the number of rows.
	Metrics    []Metric
	Dimensions []string
	Filters    []MetricFilter
	// Granularity is that of the time dimension; empty for none.
	Granularity Granularity
	// From and To bound the time of rows, both inclusive.
	From, To time.Time
	// OrderBy is by time, else by the first metric descending, else by the first dimension, when it is empty.
	OrderBy []MetricOrder
	// Bins is how many bins a histogram has at most; 0 for DefaultBins.
	Bins int
	// RowLimit cuts the answer, filled buckets included; 0 for DefaultRowLimit.
	RowLimit int
	// IsLegacy is for the older metrics, which know traces and have no rules on dimensions of high cardinality.
	IsLegacy bool
}

// BinCount is how many bins a histogram has.
func (q *Metrics) BinCount() int {
	if q.Bins == 0 {
		return DefaultBins
	}
	return q.Bins
}

// MaxRows is how many rows the answer has at most.
func (q *Metrics) MaxRows() int {
	if q.RowLimit == 0 {
		return DefaultRowLimit
	}
	return q.RowLimit
}

// AllDimensions are those that were asked for and those that come with a measure, each once.
func (q *Metrics) AllDimensions() []Dimension {
	var all []Dimension
	add := func(name string) {
		d, ok := q.View.Dimension(name)
		if ok && !slices.ContainsFunc(all, func(other Dimension) bool { return other.Name == name }) {
			all = append(all, d)
		}
	}
	for _, name := range q.Dimensions {
		add(name)
	}
	for _, metric := range q.Metrics {
		if m, ok := q.View.Measure(metric.Measure); ok && m.Explodes != "" {
			add(m.Explodes)
		}
	}
	return all
}

// Order is the order of the answer without what breaks ties.
func (q *Metrics) Order() []MetricOrder {
	if len(q.OrderBy) > 0 {
		return q.OrderBy
	}
	if q.Granularity != "" {
		return []MetricOrder{{Field: TimeDimension}}
	}
	for _, metric := range q.Metrics {
		if metric.Aggregation != AggregationHistogram {
			return []MetricOrder{{Field: metric.Column(), Descending: true}}
		}
	}
	if len(q.Metrics) == 0 {
		return []MetricOrder{{Field: CountColumn, Descending: true}}
	}
	if all := q.AllDimensions(); len(all) > 0 {
		return []MetricOrder{{Field: all[0].Name}}
	}
	return nil
}

// FilterDimension finds the dimension on which a filter stands. Names that end in Name and mean nothing else mean the name.
func (q *Metrics) FilterDimension(column Column) (Dimension, bool) {
	d, ok := q.View.Dimension(string(column))
	if !ok && strings.HasSuffix(string(column), "Name") {
		return q.View.Dimension("name")
	}
	return d, ok
}
