// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"encoding/hex"

	"github.com/weirhq/weir/internal/model"
)

// ids sets the ids as lower-case hexadecimal; an id of zeros is none. All three share one piece of memory.
func (s *span) ids(o *model.Observation) {
	trace, id, parent := s.otlp.TraceID(), s.otlp.SpanID(), s.otlp.ParentSpanID()
	const traceEnd, idEnd = 2 * len(trace), 2 * (len(trace) + len(id))
	var digits [idEnd + 2*len(parent)]byte
	hex.Encode(digits[:], trace[:])
	hex.Encode(digits[traceEnd:], id[:])
	hex.Encode(digits[idEnd:], parent[:])
	text := string(digits[:])
	if !trace.IsEmpty() {
		o.TraceID = text[:traceEnd]
	}
	if !id.IsEmpty() {
		o.ID = text[traceEnd:idEnd]
	}
	if !parent.IsEmpty() {
		o.ParentID = text[idEnd:]
	}
}
