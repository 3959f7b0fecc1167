// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/internal/wire"
)

// Request is a few spans of one agent, or its scores.
type Request struct {
	Project int

	agent    *agent
	isScores bool
	first    int // in the order of sending, or of all scores
	count    int
	seed     uint64

	state state // for the ledger
}

// Spans is the number of spans in it.
func (r *Request) Spans() int {
	if r.isScores {
		return 0
	}
	return r.count
}

// Body is a request ready to be sent.
type Body struct {
	Path, ContentType, ContentEncoding string
	Content                            []byte
	// Size is that of the content before compression.
	Size int
}

// Body makes the request as a client library does: OTLP with gzip for spans, a batch of events for scores.
func (r *Request) Body() (Body, error) {
	if r.isScores {
		content, err := r.events()
		return Body{Path: wire.PathIngestion, ContentType: "application/json", Content: content, Size: len(content)}, err
	}
	content, err := ptraceotlp.NewExportRequestFromTraces(r.traces()).MarshalProto()
	if err != nil {
		return Body{}, err
	}
	packed, err := zip(content)
	return Body{Path: wire.PathTraces, ContentType: "application/x-protobuf", ContentEncoding: "gzip", Content: packed, Size: len(content)}, err
}

var zippers = sync.Pool{New: func() any {
	zipper, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a level that there is
	return zipper
}}

func zip(content []byte) ([]byte, error) {
	zipper := zippers.Get().(*gzip.Writer)
	defer zippers.Put(zipper)
	var packed bytes.Buffer
	zipper.Reset(&packed)
	if _, err := zipper.Write(content); err != nil {
		return nil, err
	}
	err := zipper.Close() // before the bytes are all there
	return packed.Bytes(), err
}

func (r *Request) traces() ptrace.Traces {
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", fmt.Sprint("agent-", r.agent.number%7))
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName("langfuse-sdk")
	ss.Scope().SetVersion("5.0.4")
	for n := range r.count {
		r.agent.fill(ss.Spans().AppendEmpty(), r.agent.order(r.first+n))
	}
	return td
}

var models = []string{"gpt-4o", "gpt-4o-mini", "claude-sonnet-4-20250514", "gemini-2.5-pro"}

// fill makes a span as the client libraries do.
func (a *agent) fill(span ptrace.Span, n int) {
	start := a.start.Add(time.Duration(n) * 20 * time.Millisecond)
	end := start.Add(time.Duration(100+a.texts[n].size/64) * time.Millisecond)
	span.SetTraceID(a.trace)
	span.SetSpanID(a.spanID(n))
	attributes := span.Attributes()
	attributes.PutStr("user.id", fmt.Sprint("user-", a.number%500))
	attributes.PutStr("session.id", fmt.Sprint("session-", a.number/4))
	attributes.PutStr("langfuse.trace.name", "agent")
	attributes.PutStr("langfuse.trace.metadata.plan", []string{"free", "team", "enterprise"}[a.number%3])
	attributes.PutInt("langfuse.observation.metadata.step", int64(n))
	attributes.PutStr("langfuse.observation.metadata.tenant", fmt.Sprint("tenant-", a.number%50))
	switch {
	case n == 0:
		span.SetName("agent")
		end = start.Add(time.Duration(len(a.texts)) * 20 * time.Millisecond)
		attributes.PutStr("langfuse.observation.type", "agent")
		attributes.PutStr("langfuse.observation.input", a.texts[0].String())
	case turn(n):
		span.SetName("chat")
		a.fillTurn(attributes, n)
	default:
		span.SetName([]string{"search", "", "fetch"}[n%3])
		attributes.PutStr("langfuse.observation.type", []string{"retriever", "", "tool"}[n%3])
		attributes.PutStr("langfuse.observation.input", `{"query":"step `+strconv.Itoa(n)+`"}`)
		attributes.PutStr("langfuse.observation.output", a.texts[n].String())
	}
	if n > 0 {
		span.SetParentSpanID(a.spanID(0))
	}
	span.SetStartTimestamp(pcommon.NewTimestampFromTime(start))
	span.SetEndTimestamp(pcommon.NewTimestampFromTime(end))
}

// fillTurn gives a call of a model the chat so far, and the answer.
func (a *agent) fillTurn(attributes pcommon.Map, n int) {
	var chat strings.Builder
	chat.WriteByte('[')
	for i, message := range a.history(n) {
		if i > 0 {
			chat.WriteByte(',')
		}
		chat.WriteString(`{"role":"` + []string{"user", "assistant"}[i%2] + `","content":"` + message.String() + `"}`)
	}
	chat.WriteByte(']')
	attributes.PutStr("langfuse.observation.type", "generation")
	attributes.PutStr("langfuse.observation.model.name", models[a.number%len(models)])
	attributes.PutStr("langfuse.observation.input", chat.String())
	attributes.PutStr("langfuse.observation.output", a.texts[n].String())
	attributes.PutStr("langfuse.observation.usage_details", fmt.Sprintf(`{"input":%d,"output":%d}`, chat.Len()/4, a.texts[n].size/4))
}

// events are scores as the client libraries send them.
func (r *Request) events() ([]byte, error) {
	type body struct {
		ID            string  `json:"id"`
		Name          string  `json:"name"`
		Value         float64 `json:"value"`
		TraceID       string  `json:"traceId"`
		ObservationID string  `json:"observationId,omitempty"`
		Comment       string  `json:"comment"`
	}
	type event struct {
		ID        string    `json:"id"`
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Body      body      `json:"body"`
	}
	var batch []event
	for n := r.first; n < r.first+r.count; n++ {
		score := body{
			ID: scoreID(r.seed, n), Name: []string{"quality", "tone", "right"}[n%3], Value: float64(n%100) / 100,
			TraceID: r.agent.trace.String(), Comment: "judged later",
		}
		if n%2 == 0 {
			score.ObservationID = r.agent.spanID(n % len(r.agent.texts)).String()
		}
		batch = append(batch, event{ID: "event-" + score.ID, Type: "score-create", Timestamp: r.agent.start, Body: score})
	}
	return json.Marshal(map[string]any{"batch": batch})
}
