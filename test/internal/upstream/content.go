// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package upstream // import "github.com/weirhq/weir/test/internal/upstream"

import (
	"encoding/json"
	"fmt"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/internal/wire"
)

// Content is what a request brings: spans or scores.
type Content struct {
	spans  []ptrace.Span
	events []event
}

// event is one entry of a batch of the ingestion route.
type event struct {
	ID   string         `json:"id"`
	Type string         `json:"type"`
	Body map[string]any `json:"body"`
}

// Len is the number of spans or scores.
func (c Content) Len() int { return len(c.spans) + len(c.events) }

// IDs name what is in it.
func (c Content) IDs() []string {
	ids := make([]string, 0, c.Len())
	for _, span := range c.spans {
		ids = append(ids, spanKey(span))
	}
	for _, e := range c.events {
		ids = append(ids, e.id())
	}
	return ids
}

func spanKey(span ptrace.Span) string { return span.TraceID().String() + span.SpanID().String() }

func (e event) id() string {
	id, _ := e.Body["id"].(string)
	return id
}

func read(path string, data []byte) (Content, error) {
	switch path {
	case wire.PathTraces:
		return readSpans(data)
	case wire.PathIngestion:
		return readScores(data)
	default:
		return Content{}, fmt.Errorf("a request for %s", path)
	}
}

func readSpans(data []byte) (Content, error) {
	var c Content
	request := ptraceotlp.NewExportRequest()
	if err := request.UnmarshalProto(data); err != nil {
		return c, err
	}
	for _, rs := range request.Traces().ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				c.spans = append(c.spans, span)
			}
		}
	}
	return c, nil
}

func readScores(data []byte) (Content, error) {
	var request struct {
		Batch []event `json:"batch"`
	}
	if err := json.Unmarshal(data, &request); err != nil {
		return Content{}, err
	}
	for _, e := range request.Batch {
		if e.Type != "score-create" || e.id() == "" {
			return Content{}, fmt.Errorf("an event of type %q with the id %q", e.Type, e.id())
		}
	}
	return Content{events: request.Batch}, nil
}
