// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import "go.opentelemetry.io/collector/pdata/ptrace"

// withValidIDs gives the spans that have a trace id and a span id, and the number of those that have not. When all
// have, that is the batch itself and costs nothing but the look; else it is a copy, since others may share the batch.
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
	valid := ptrace.NewTraces()
	td.CopyTo(valid)
	valid.ResourceSpans().RemoveIf(func(rs ptrace.ResourceSpans) bool {
		rs.ScopeSpans().RemoveIf(func(ss ptrace.ScopeSpans) bool {
			ss.Spans().RemoveIf(func(span ptrace.Span) bool { return !hasValidIDs(span) })
			return ss.Spans().Len() == 0
		})
		return rs.ScopeSpans().Len() == 0
	})
	return valid, invalid
}

func hasValidIDs(span ptrace.Span) bool {
	return !span.TraceID().IsEmpty() && !span.SpanID().IsEmpty()
}

// cut copies the spans, in their order, into n batches of about the same number of spans. It copies because the batch
// may be shared with another exporter.
func cut(td ptrace.Traces, n int) []ptrace.Traces {
	parts := make([]ptrace.Traces, n)
	for i := range parts {
		parts[i] = ptrace.NewTraces()
	}
	count, i := td.SpanCount(), 0
	for _, rs := range td.ResourceSpans().All() {
		opened := -1 // the last part that has this resource
		for _, ss := range rs.ScopeSpans().All() {
			current := -1
			var spans ptrace.SpanSlice
			for _, span := range ss.Spans().All() {
				if part := i * n / count; part != current {
					current = part
					if part != opened {
						opened = part
						copyResource(rs, parts[part].ResourceSpans().AppendEmpty())
					}
					resources := parts[part].ResourceSpans()
					spans = copyScope(ss, resources.At(resources.Len()-1).ScopeSpans().AppendEmpty())
				}
				span.CopyTo(spans.AppendEmpty())
				i++
			}
		}
	}
	return parts
}

func copyResource(from, to ptrace.ResourceSpans) {
	to.SetSchemaUrl(from.SchemaUrl())
	from.Resource().CopyTo(to.Resource())
}

func copyScope(from, to ptrace.ScopeSpans) ptrace.SpanSlice {
	to.SetSchemaUrl(from.SchemaUrl())
	from.Scope().CopyTo(to.Scope())
	return to.Spans()
}
