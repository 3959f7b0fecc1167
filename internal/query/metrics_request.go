// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/weirhq/weir/internal/validation"
)

const (
	// maxMetricParts is how many metrics, dimensions or orders a query has at most.
	maxMetricParts = 100
	maxMetricsText = maxFilterTextBytes
)

// The values of members with a few, as messages list them.
var (
	metricViews   = []string{string(ViewObservations), string(ViewScoresNumeric), string(ViewScoresCategorical), string(ViewScoresBoolean)}
	granularities = []string{
		string(GranularityAuto), string(GranularityMinute), string(GranularityHour), string(GranularityDay), string(GranularityWeek), string(GranularityMonth),
	}
)

// ParseMetrics reads the query of an address that asks for metrics of a project: one parameter with a JSON text. The
// older metrics know more. Its errors are validation.Issues or a *validation.Refusal.
func ParseMetrics(project, rawQuery string, isLegacy bool) (Metrics, error) {
	const name = "query"
	p := validation.NewParams(rawQuery)
	text, ok := p.Text(name)
	switch {
	case !ok && p.Err() == nil:
		p.Add(validation.Missing("string", name))
	case len(text) > maxMetricsText:
		p.Add(validation.Custom(fmt.Sprintf("Too big: a query has at most %d bytes, not %d", maxMetricsText, len(text)), name))
	}
	if err := p.Err(); err != nil {
		return Metrics{}, err
	}
	if !json.Valid([]byte(text)) {
		return Metrics{}, validation.Refuse("Invalid JSON in query parameter")
	}
	o, err := validation.ParseObject([]byte(text), name)
	if err != nil {
		return Metrics{}, err
	}
	q := readMetrics(metricsObject{o}, isLegacy)
	q.Project = project
	if err := o.Err(); err != nil {
		return Metrics{}, err
	}
	if err := q.Validate(); err != nil {
		return Metrics{}, err
	}
	return q, nil
}

// metricsObject reads the members of a query for metrics.
type metricsObject struct{ *validation.Object }

func readMetrics(o metricsObject, isLegacy bool) Metrics {
	q := Metrics{IsLegacy: isLegacy}
	views := metricViews
	if isLegacy {
		views = append([]string{string(ViewTraces)}, views...)
	}
	q.View = View(o.RequiredOneOf("view", views...))
	o.Required("metrics", "array")
	for _, metric := range o.parts("metrics") {
		read := Metric{
			Measure:     metric.RequiredText("measure", 0, maxColumnLength),
			Aggregation: Aggregation(metric.RequiredOneOf("aggregation", aggregationNames()...)),
		}
		if !slices.Contains(q.Metrics, read) { // it would be the same column
			q.Metrics = append(q.Metrics, read)
		}
	}
	for _, dimension := range o.parts("dimensions") {
		q.Dimensions = append(q.Dimensions, dimension.RequiredText("field", 0, maxColumnLength))
	}
	q.Filters = o.filters()
	if at := o.Object.Object("timeDimension"); at != nil {
		q.Granularity = Granularity(at.RequiredOneOf("granularity", granularities...))
	}
	q.From, q.To = o.RequiredTime("fromTimestamp"), o.RequiredTime("toTimestamp")
	if !q.From.IsZero() && !q.To.IsZero() && !q.From.Before(q.To) {
		o.Add(validation.Custom("fromTimestamp must be before toTimestamp", "query"))
	}
	for _, order := range o.parts("orderBy") {
		q.OrderBy = append(q.OrderBy, MetricOrder{
			Field:      order.RequiredText("field", 0, maxColumnLength),
			Descending: order.RequiredOneOf("direction", "asc", "desc") == "desc",
		})
	}
	if config := o.Object.Object("config"); config != nil {
		q.Bins = valueOrZero(config.Int("bins", 1, MaxBins))
		q.RowLimit = valueOrZero(config.Int("row_limit", 1, MaxRowLimit))
	}
	return q
}

// parts is a list of objects that is not too long.
func (o metricsObject) parts(name string) []*validation.Object {
	parts := o.Objects(name)
	if len(parts) > maxMetricParts {
		o.Add(validation.TooBig(validation.OfArray, maxMetricParts, o.At(name)...))
		return nil
	}
	return parts
}

// filters are conditions as lists have them, but without the search of texts. Their columns are those of the view.
func (o metricsObject) filters() []MetricFilter {
	var filters []MetricFilter
	for _, object := range o.parts("filters") {
		c := readCondition(object)
		switch {
		case c.kind == FilterPositionInTrace:
			continue // known, and without a meaning for single rows
		case c.Operator == OpMatches:
			allowed := make([]string, 0, len(stringOperators))
			for _, operator := range stringOperators {
				if operator != OpMatches {
					allowed = append(allowed, string(operator))
				}
			}
			object.Add(validation.NotOneOf(allowed, object.At("operator")...))
		}
		c.Column = Column(c.column)
		filters = append(filters, MetricFilter{Type: c.kind, Condition: c.Condition})
	}
	return filters
}

func aggregationNames() []string {
	names := make([]string, len(Aggregations))
	for i, aggregation := range Aggregations {
		names[i] = string(aggregation)
	}
	return names
}

func valueOrZero(number *int) int {
	if number == nil {
		return 0
	}
	return *number
}
