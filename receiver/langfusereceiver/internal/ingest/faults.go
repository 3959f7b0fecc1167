// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"fmt"
	"slices"
	"strings"

	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// faults is what is wrong with the spans of an export. One bad span refuses all of them: a client that got part of its
// batch in could never tell which part.
type faults struct {
	spans, badSpans, badFields int
	reasons                    []string
	scopes                     []string
}

// The reasons are those that the service gives.
const (
	absent     = "absent"
	notAnID    = "not_an_id"
	notAnArray = "not_an_array"

	maxNamedScopes = 10
)

func (f *faults) because(field, reason string) {
	if text := field + ":" + reason; !slices.Contains(f.reasons, text) {
		f.reasons = append(f.reasons, text)
	}
}

func (f *faults) inScope(name string) {
	if name != "" && len(f.scopes) < maxNamedScopes && !slices.Contains(f.scopes, name) {
		f.scopes = append(f.scopes, name)
	}
}

// ofTraces looks at decoded spans, in which an id is either right or not there.
func (f *faults) ofTraces(td ptrace.Traces) {
	for _, resource := range td.ResourceSpans().All() {
		for _, scope := range resource.ScopeSpans().All() {
			before := f.badSpans
			for _, span := range scope.Spans().All() {
				f.ofSpan(span)
			}
			if f.badSpans > before {
				f.inScope(scope.Scope().Name())
			}
		}
	}
}

func (f *faults) ofSpan(span ptrace.Span) {
	f.spans++
	if !span.TraceID().IsEmpty() && !span.SpanID().IsEmpty() {
		return
	}
	f.badSpans++
	if span.TraceID().IsEmpty() {
		f.because("traceId", absent)
	}
	if span.SpanID().IsEmpty() {
		f.because("spanId", absent)
	}
}

// err is the answer to an export with faults; nil when there are none.
func (f *faults) err() error {
	if f.badSpans == 0 && f.badFields == 0 {
		return nil
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Invalid OTLP trace export: %d of %d span(s) cannot be processed", f.badSpans, f.spans)
	if f.badFields > 0 {
		fmt.Fprintf(&text, "; %d resource- or scope-level field(s) are present but not arrays", f.badFields)
	}
	fmt.Fprintf(&text, " (%s). The entire export was rejected and no spans were ingested.", strings.Join(f.reasons, ", "))
	if len(f.scopes) > 0 {
		fmt.Fprintf(&text, " Instrumentation scopes: %s.", strings.Join(f.scopes, ", "))
	}
	text.WriteString(" Trace ids are 32 and span ids 16 hexadecimal digits.")
	return web.BadRequest(text.String())
}
