// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/wire"
)

// maxKeptBuffer is the largest scratch buffer that is kept for the next batch.
const maxKeptBuffer = 1 << 20

// pass is one walk over a batch. Passes are pooled, and the two visitors are bound once, so that a span with
// nothing to rewrite costs no allocation.
type pass struct {
	*metadataProcessor
	tally tally

	// settled is true while the metadata of the scope at hand already stands in the wanted encoding.
	settled bool
	// rewritten is true when a metadata value of the scope at hand was looked at and not settled.
	rewritten bool

	buf       []byte // the value being written
	shortened []byte // the same after truncation

	visitSpan  func(string, pcommon.Value) bool
	visitOther func(string, pcommon.Value) bool
}

func newPass(p *metadataProcessor) *pass {
	r := &pass{metadataProcessor: p}
	r.visitSpan = r.spanAttribute
	r.visitOther = r.otherAttribute
	return r
}

func (r *pass) reset() {
	r.tally = tally{}
	if cap(r.buf) > maxKeptBuffer {
		r.buf = nil
	}
}

func (r *pass) traces(td ptrace.Traces) {
	for _, rs := range td.ResourceSpans().All() {
		r.complexAttributes(rs.Resource().Attributes())
		for _, ss := range rs.ScopeSpans().All() {
			r.scopeSpans(rs.Resource(), ss)
		}
	}
}

func (r *pass) scopeSpans(resource pcommon.Resource, ss ptrace.ScopeSpans) {
	scope := ss.Scope()
	r.settled = r.isSettled(resource, scope)
	r.rewritten = false
	r.complexAttributes(scope.Attributes())
	for _, span := range ss.Spans().All() {
		span.Attributes().RemoveIf(r.visitSpan)
		for _, event := range span.Events().All() {
			r.complexAttributes(event.Attributes())
		}
	}
	if r.rewritten {
		r.mark(scope)
	}
}

func (r *pass) complexAttributes(attributes pcommon.Map) {
	if r.cfg.Attributes.ComplexValues == ComplexValuesJSON {
		attributes.RemoveIf(r.visitOther)
	}
}

// spanAttribute rewrites one attribute of a span in place, or tells that it is to be removed.
func (r *pass) spanAttribute(key string, value pcommon.Value) (remove bool) {
	kind := r.kindOf(key)
	if kind == notMetadata {
		return r.otherAttribute(key, value)
	}
	if r.settled {
		r.tally.unchanged++
		return false
	}
	r.rewritten = true
	return r.rewrite(kind, value)
}

func (r *pass) otherAttribute(_ string, value pcommon.Value) (remove bool) {
	if r.cfg.Attributes.ComplexValues == ComplexValuesJSON && isUnreadable(value, 0) {
		r.buf, _ = wire.AppendValue(r.buf[:0], value)
		value.SetStr(string(r.buf))
		r.tally.encoded++
	}
	return false
}

// metadataKind is what an attribute carries, by its name.
type metadataKind int

const (
	notMetadata metadataKind = iota
	observationMetadata
	traceMetadata
	// wholeTraceMetadata is the attribute without a key: an object, to which the limit on a value does not apply.
	wholeTraceMetadata
)

func (r *pass) kindOf(key string) metadataKind {
	if !strings.HasPrefix(key, r.names.Service) { // most attributes leave here
		return notMetadata
	}
	switch {
	case strings.HasPrefix(key, r.names.ObservationMetadataPrefix), key == r.names.ObservationMetadata:
		return observationMetadata
	case strings.HasPrefix(key, r.names.TraceMetadataPrefix):
		return traceMetadata
	case key == r.names.TraceMetadata:
		return wholeTraceMetadata
	default:
		return notMetadata
	}
}

// isUnreadable tells whether the service would store the raw OTLP object instead of the value. It reads lists,
// but not what is in them when that is no scalar, and it takes an empty list for an object.
func isUnreadable(value pcommon.Value, depth int) bool {
	switch value.Type() {
	case pcommon.ValueTypeMap, pcommon.ValueTypeBytes:
		return true
	case pcommon.ValueTypeSlice:
		if value.Slice().Len() == 0 || depth == wire.MaxDepth {
			return true
		}
		for _, element := range value.Slice().All() {
			if element.Type() == pcommon.ValueTypeEmpty || isUnreadable(element, depth+1) {
				return true
			}
		}
	}
	return false
}
