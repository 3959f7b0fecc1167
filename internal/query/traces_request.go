// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"
	"strings"

	"github.com/weirhq/weir/internal/validation"
)

// TraceFilter is the columns of traces.
var TraceFilter = NewFilterTable(
	FilterColumn{"id", "ID", ColumnID, FilterStringOptions},
	FilterColumn{"timestamp", "Timestamp", ColumnStartTime, FilterDatetime},
	FilterColumn{"name", "Name", ColumnName, FilterStringOptions},
	FilterColumn{"traceName", "Trace Name", ColumnName, FilterStringOptions},
	FilterColumn{"userId", "User ID", ColumnUserID, FilterStringOptions},
	FilterColumn{"sessionId", "Session ID", ColumnSessionID, FilterStringOptions},
	FilterColumn{"environment", "Environment", ColumnEnvironment, FilterStringOptions},
	FilterColumn{"version", "Version", ColumnVersion, FilterStringOptions},
	FilterColumn{"release", "Release", ColumnRelease, FilterStringOptions},
	FilterColumn{"tags", "Tags", ColumnTags, FilterArrayOptions},
	FilterColumn{"traceTags", "Trace Tags", ColumnTags, FilterArrayOptions},
	FilterColumn{"latency", "Latency (s)", ColumnLatency, FilterNumber},
	FilterColumn{"totalCost", "Total Cost ($)", ColumnTotalCost, FilterNumber},
	FilterColumn{"metadata", "Metadata", ColumnMetadata, FilterStringObject},
)

// traceOrders are the columns by which traces are sorted, as messages list them.
var traceOrders = []struct {
	name   string
	column Column
}{
	{"timestamp", ColumnStartTime},
	{"id", ColumnID},
	{"name", ColumnName},
	{"userId", ColumnUserID},
	{"sessionId", ColumnSessionID},
	{"release", ColumnRelease},
	{"version", ColumnVersion},
	{"environment", ColumnEnvironment},
	{"latency", ColumnLatency},
	{"totalCost", ColumnTotalCost},
}

var traceParts = map[string]TraceParts{
	"core": 0, "io": TraceIO, "metrics": TraceMetrics, "observations": TraceObservations, "scores": TraceScores,
}

// ParseTraces reads the query of an address that lists traces of a project by the number of the page. Its errors are
// validation.Issues or a *validation.Refusal.
func ParseTraces(project, rawQuery string) (Traces, validation.Page, error) {
	p := listParams{validation.NewParams(rawQuery)}
	page := p.Page(DefaultLimit)
	q := Traces{Project: project, Parts: p.traceParts(), Limit: page.Limit, Offset: page.Offset(), WithTotal: true}
	q.From, q.To = p.Time("fromTimestamp"), p.Time("toTimestamp")
	q.OrderBy = p.traceOrder()
	fixed := p.equal(ColumnUserID, ColumnName, ColumnSessionID, ColumnVersion, ColumnRelease)
	if environments := p.repeated("environment"); len(environments) > 0 {
		fixed = append(fixed, Condition{Column: ColumnEnvironment, Operator: OpAnyOf, Texts: environments})
	}
	if tags := p.repeated("tags"); len(tags) > 0 {
		fixed = append(fixed, Condition{Column: ColumnTags, Operator: OpAllOf, Texts: tags})
	}
	filter, filterError := p.filter(TraceFilter)
	if err := mergeErrors(p.Err(), filterError); err != nil {
		return Traces{}, page, err
	}
	q.Where = combine(fixed, filter)
	if hasColumn(filter, ColumnStartTime) {
		q.From, q.To = boundsOf(filter)
	}
	if err := q.Validate(); err != nil {
		return Traces{}, page, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return q, page, nil
}

// ParseTraceParts reads which parts of one trace a caller wants.
func ParseTraceParts(rawQuery string) (TraceParts, error) {
	p := listParams{validation.NewParams(rawQuery)}
	return p.traceParts(), p.Err()
}

// traceParts are all when nothing is said. Unknown names are left out, for callers that know more groups than we do.
func (p listParams) traceParts() TraceParts {
	names := p.List("fields")
	if len(names) == 0 {
		return TraceAll
	}
	var parts TraceParts
	for _, name := range names {
		parts |= traceParts[name]
	}
	return parts
}

// traceOrder reads a column and a direction, such as timestamp.asc.
func (p listParams) traceOrder() []TraceOrder {
	text, _ := p.Text("orderBy")
	if text == "" {
		return nil
	}
	name, direction, _ := strings.Cut(text, ".")
	names := make([]string, len(traceOrders))
	for i, order := range traceOrders {
		if order.name == name && (direction == "asc" || direction == "desc") {
			return []TraceOrder{{Column: order.column, Descending: direction == "desc"}}
		}
		names[i] = order.name
	}
	p.Add(validation.Custom("Invalid orderBy: expected one of "+strings.Join(names, ", ")+" followed by .asc or .desc", "orderBy"))
	return nil
}

// ParseSessions reads the query of an address that lists sessions of a project by the number of the page. Its errors are
// validation.Issues.
func ParseSessions(project, rawQuery string) (Sessions, validation.Page, error) {
	p := listParams{validation.NewParams(rawQuery)}
	page := p.Page(DefaultLimit)
	q := Sessions{
		Project: project, From: p.Time("fromTimestamp"), To: p.Time("toTimestamp"), Environments: p.repeated("environment"),
		Limit: page.Limit, Offset: page.Offset(), WithTotal: true,
	}
	return q, page, p.Err()
}

// ParseDaily reads the query of an address that asks for the numbers of days. Its errors are validation.Issues.
func ParseDaily(project, rawQuery string) (Daily, validation.Page, error) {
	p := listParams{validation.NewParams(rawQuery)}
	page := p.Page(DefaultLimit)
	q := Daily{
		Project: project, From: p.Time("fromTimestamp"), To: p.Time("toTimestamp"),
		TraceNames: p.optional("traceName"), UserIDs: p.optional("userId"), Environments: p.repeated("environment"), Tags: p.repeated("tags"),
		Limit: page.Limit, Offset: page.Offset(), WithTotal: true,
	}
	return q, page, p.Err()
}
