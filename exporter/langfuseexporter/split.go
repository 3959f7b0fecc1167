// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import "go.opentelemetry.io/collector/pdata/ptrace"

// withValidIDs gives the spans that have a trace id and a span id, and the number of those that have not. When
// all have, that is the batch itself and costs nothing but the look.
func withValidIDs(td ptrace.Traces) (_ ptrace.Traces, invalid int) {
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				if !hasValidIDs(span) {
					invalid++
				}
			}
		}
	}
	if invalid == 0 {
		return td, 0
	}
	valid := newSpanCopier()
	valid.copyFrom(td, hasValidIDs)
	return valid.td, invalid
}

func hasValidIDs(span ptrace.Span) bool {
	return !span.TraceID().IsEmpty() && !span.SpanID().IsEmpty()
}

// halves copies the first half of the spans into one batch and the rest into another, in their order. It copies
// because the batch may be shared with another exporter.
func halves(td ptrace.Traces) (first, second ptrace.Traces) {
	middle, n := td.SpanCount()/2, 0
	a, b := newSpanCopier(), newSpanCopier()
	a.copyFrom(td, func(ptrace.Span) bool { n++; return n <= middle })
	n = 0
	b.copyFrom(td, func(ptrace.Span) bool { n++; return n > middle })
	return a.td, b.td
}

// spanCopier builds a batch of some spans of another one, with the resources and scopes that they need.
type spanCopier struct {
	td ptrace.Traces
}

func newSpanCopier() spanCopier { return spanCopier{td: ptrace.NewTraces()} }

func (c spanCopier) copyFrom(td ptrace.Traces, wanted func(ptrace.Span) bool) {
	for _, rs := range td.ResourceSpans().All() {
		newRS := ptrace.NewResourceSpans()
		for _, ss := range rs.ScopeSpans().All() {
			newSS := ptrace.NewScopeSpans()
			for _, span := range ss.Spans().All() {
				if wanted(span) {
					span.CopyTo(newSS.Spans().AppendEmpty())
				}
			}
			if newSS.Spans().Len() > 0 {
				newSS.SetSchemaUrl(ss.SchemaUrl())
				ss.Scope().CopyTo(newSS.Scope())
				newSS.MoveTo(newRS.ScopeSpans().AppendEmpty())
			}
		}
		if newRS.ScopeSpans().Len() > 0 {
			newRS.SetSchemaUrl(rs.SchemaUrl())
			rs.Resource().CopyTo(newRS.Resource())
			newRS.MoveTo(c.td.ResourceSpans().AppendEmpty())
		}
	}
}
