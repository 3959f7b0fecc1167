// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/weirhq/weir/internal/validation"
)

// Validate tells why the query cannot be answered. What a reader got wrong is a *validation.Refusal.
func (q *Metrics) Validate() error {
	if q.Project == "" {
		return errors.New("a query needs a project")
	}
	if _, ok := views[q.View]; !ok || q.View == ViewTraces && !q.IsLegacy {
		return fmt.Errorf("there is no view %q", q.View)
	}
	if !q.From.Before(q.To) {
		return errors.New("fromTimestamp must be before toTimestamp")
	}
	if err := q.validateLimits(); err != nil {
		return err
	}
	for _, check := range []func() error{q.validateMetrics, q.validateDimensions, q.validateFilters, q.validateOrder, q.validateHigh} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (q *Metrics) validateLimits() error {
	switch q.Granularity {
	case "", GranularityAuto, GranularityMinute, GranularityHour, GranularityDay, GranularityWeek, GranularityMonth:
	default:
		return fmt.Errorf("there is no granularity %q", q.Granularity)
	}
	if q.Bins < 0 || q.Bins > MaxBins {
		return fmt.Errorf("a histogram has 1 to %d bins, not %d", MaxBins, q.Bins)
	}
	if q.RowLimit < 0 || q.RowLimit > MaxRowLimit {
		return fmt.Errorf("an answer has 1 to %d rows, not %d", MaxRowLimit, q.RowLimit)
	}
	return nil
}

func (q *Metrics) validateMetrics() error {
	for _, metric := range q.Metrics {
		measure, ok := q.View.Measure(metric.Measure)
		if !ok {
			return validation.Refuse("Invalid metric %s. Must be one of %s", metric.Measure, namesOf(q.View.Measures(), func(m Measure) string { return m.Name }))
		}
		valid := measure.Type.aggregations()
		if !slices.Contains(valid, metric.Aggregation) {
			texts := make([]string, len(valid))
			for i, a := range valid {
				texts[i] = string(a)
			}
			return validation.Refuse("Aggregation %q is not valid for measure %q (type: %s). Valid aggregations: %s",
				metric.Aggregation, metric.Measure, measure.Type, strings.Join(texts, ", "))
		}
	}
	return nil
}

// aggregations are those that a measure of the type takes.
func (t MeasureType) aggregations() []Aggregation {
	if t == MeasureText {
		return []Aggregation{AggregationCount, AggregationUniq}
	}
	return Aggregations
}

func (q *Metrics) validateDimensions() error {
	for _, name := range q.Dimensions {
		if _, ok := q.View.Dimension(name); !ok {
			return validation.Refuse("Invalid dimension %s. Must be one of %s", name, q.dimensionNames())
		}
	}
	return nil
}

func (q *Metrics) dimensionNames() string {
	return namesOf(q.View.Dimensions(), func(d Dimension) string { return d.Name })
}

func namesOf[T any](all []T, name func(T) string) string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = name(one)
	}
	return strings.Join(names, ",")
}

// dimensionFilters are the types of filters that a dimension takes, and the kind of condition that they are.
var dimensionFilters = map[DimensionType]struct {
	kind  Kind
	types []FilterType
}{
	DimensionText:   {KindText, []FilterType{FilterString, FilterStringOptions}},
	DimensionList:   {KindList, []FilterType{FilterArrayOptions}},
	DimensionNumber: {KindNumber, []FilterType{FilterNumber}},
	DimensionBool:   {KindBool, []FilterType{FilterBoolean}},
}

// Kind is what conditions on the dimension are about.
func (d Dimension) Kind() Kind { return dimensionFilters[d.Type].kind }

func (q *Metrics) validateFilters() error {
	for i := range q.Filters {
		if err := q.validateFilter(&q.Filters[i]); err != nil {
			return err
		}
	}
	return nil
}

func (q *Metrics) validateFilter(f *MetricFilter) error {
	switch f.Column {
	case q.View.TimeColumn():
		if f.Type != FilterDatetime {
			return validation.Refuse("Invalid filter for field '%s': Filter type '%s' is not supported for time dimension. Expected 'datetime'.", f.Column, f.Type)
		}
		return f.validateAs(KindTime)
	case ColumnMetadata:
		if f.Type != FilterStringObject {
			return validation.Refuse("Invalid filter for field 'metadata': Metadata filters require type 'stringObject' with a 'key' property, not '%s'.", f.Type)
		}
		return f.validateAs(KindObject)
	}
	dimension, ok := q.FilterDimension(f.Column)
	if !ok {
		return validation.Refuse("Invalid filter column %s. Must be one of %s or %s", f.Column, q.dimensionNames(), q.View.TimeColumn())
	}
	takes := dimensionFilters[dimension.Type]
	if f.Type != FilterNull && !slices.Contains(takes.types, f.Type) {
		quoted := make([]string, len(takes.types))
		for i, t := range takes.types {
			quoted[i] = "'" + string(t) + "'"
		}
		return validation.Refuse("Invalid filter for field '%s': Filter type '%s' is not supported for dimension type '%s'. Expected %s.",
			f.Column, f.Type, dimension.Type, strings.Join(quoted, " or "))
	}
	return f.validateAs(takes.kind)
}

func (q *Metrics) validateOrder() error {
	for _, order := range q.OrderBy {
		isDimension := slices.ContainsFunc(q.AllDimensions(), func(d Dimension) bool { return d.Name == order.Field })
		if !isDimension && !q.isMeasureColumn(order.Field) && (order.Field != TimeDimension || q.Granularity == "") {
			return validation.Refuse("Invalid orderBy field: %s. Must be one of the dimension or metric fields.", order.Field)
		}
	}
	return nil
}

// isMeasureColumn tells whether the answer can be sorted by a column as a measure.
func (q *Metrics) isMeasureColumn(field string) bool {
	if len(q.Metrics) == 0 {
		return field == CountColumn
	}
	return slices.ContainsFunc(q.Metrics, func(m Metric) bool {
		return m.Column() == field && m.Aggregation != AggregationHistogram
	})
}

// validateHigh keeps dimensions that have about as many values as there are rows to the first few by a measure.
func (q *Metrics) validateHigh() error {
	var high []string
	for _, d := range q.AllDimensions() {
		if d.IsHigh {
			high = append(high, d.Name)
		}
	}
	if len(high) == 0 || q.IsLegacy {
		return nil
	}
	which := "High cardinality dimension(s) '" + strings.Join(high, "', '") + "' "
	if q.Granularity != "" {
		return validation.Refuse("%scannot be used with timeDimension. Time series queries with high cardinality dimensions produce unbounded result sets.", which)
	}
	first := slices.IndexFunc(q.OrderBy, func(o MetricOrder) bool { return o.Descending })
	if q.RowLimit == 0 || first < 0 {
		return validation.Refuse("%srequire both 'config.row_limit' and 'orderBy' with direction 'desc' on a measure field.", which)
	}
	if field := q.OrderBy[first].Field; !q.isMeasureColumn(field) {
		return validation.Refuse("%srequire 'orderBy' with direction 'desc' on a measure field. '%s' is not a measure in this query.", which, field)
	}
	return nil
}
