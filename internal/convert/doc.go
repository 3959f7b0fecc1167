// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package convert turns OTLP spans into observations: one row a span, whichever library wrote the span.
//
// A span is read once: every attribute whose name matters lands in a slot of its own (keys.go, attributes.go), and
// the rules, one file a concern, look at the slots. Nothing here does I/O, keeps state or changes the spans.
//
// The rules are those of the service that the clients are written for. Where it loses data that no client relies on
// losing, this package does better:
//
//   - integers of 64 bits stay exact;
//   - maps, bytes and empty lists are stored as what they are, not as the text of their encoding;
//   - an attribute without a value is null;
//   - an exception event fills an empty status message;
//   - a cost sent as text is read as a number;
//   - tool calls in the parts of GenAI messages are found;
//   - fields of the trace that an integration put into metadata are decoded as the rest of metadata is.
package convert // import "github.com/weirhq/weir/internal/convert"
