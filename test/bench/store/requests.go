// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

const (
	spansPerBatch = 512
	// spansPerTrace is an agent of ordinary size.
	spansPerTrace = 16
	// experimentEvery is how many spans there are for one that is an item of an experiment.
	experimentEvery = 64
	// differentBodies is how many requests are made beforehand; each gets new ids and times every time it is decoded.
	differentBodies = 16
)

// requests are OTLP requests as they come over the wire.
type requests struct {
	writers int // how many send them at the same time
	bodies  [][]byte
	zipped  [][]byte
	begin   time.Time
	counter atomic.Int64
}

// next numbers the requests, so that no two have the same ids, whichever run they are of.
func (r *requests) next() int { return int(r.counter.Add(1)) }

func newRequests(text, writers int) *requests {
	r := &requests{writers: writers, begin: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
	random := rand.New(rand.NewPCG(1, 2))
	for range differentBodies {
		td := ptrace.NewTraces()
		rs := td.ResourceSpans().AppendEmpty()
		rs.Resource().Attributes().PutStr("service.name", "bench")
		ss := rs.ScopeSpans().AppendEmpty()
		ss.Scope().SetName("langfuse-sdk")
		ss.Scope().SetVersion("4.14.3")
		for i := range spansPerBatch {
			fillSpan(ss.Spans().AppendEmpty(), i, sentence(random, text))
		}
		body, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
		if err != nil {
			panic(err) // a batch that we made ourselves
		}
		r.bodies = append(r.bodies, body)
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := w.Write(body); err != nil {
			panic(err) // there is always room in a buffer
		}
		_ = w.Close()
		r.zipped = append(r.zipped, zipped.Bytes())
	}
	return r
}

var words = strings.Fields("the model answers with a table of costs and the user asks for more details about weather in the city of " +
	"Zürich while tools return JSON objects and lists of numbers that nobody reads twice")

// sentence is text of a given length that compresses about as well as prose.
func sentence(random *rand.Rand, length int) string {
	var text strings.Builder
	for text.Len() < length {
		text.WriteString(words[random.IntN(len(words))])
		if random.IntN(4) == 0 {
			fmt.Fprintf(&text, "%x", random.Uint32())
		}
		text.WriteByte(' ')
	}
	return strings.ToValidUTF8(text.String()[:length], "?")
}

// fillSpan makes a generation as the client libraries send it; ids and times come later.
func fillSpan(span ptrace.Span, i int, text string) {
	span.SetName([]string{"chat", "plan", "search", "summarise"}[i%4])
	a := span.Attributes()
	a.PutStr("langfuse.observation.type", []string{"generation", "span", "tool", "generation"}[i%4])
	a.PutStr("langfuse.observation.model.name", []string{"gpt-4o", "gpt-4o-mini", "claude-3-5-sonnet-20241022"}[i%3])
	a.PutStr("langfuse.observation.model.parameters", `{"temperature":0.7,"max_tokens":1000}`)
	a.PutStr("langfuse.observation.input", strings.ToValidUTF8(text[:len(text)/2], "?"))
	a.PutStr("langfuse.observation.output", strings.ToValidUTF8(text[len(text)/2:], "?"))
	a.PutStr("langfuse.observation.usage_details", fmt.Sprintf(`{"input":%d,"output":%d}`, 100+i, 20+i))
	a.PutStr("user.id", fmt.Sprint("user-", i%997))
	a.PutStr("session.id", fmt.Sprint("session-", i%499))
	a.PutStr("langfuse.environment", "production")
	a.PutStr("langfuse.trace.name", "agent")
	a.PutStr("langfuse.observation.metadata.tenant", fmt.Sprint("tenant-", i%50))
	a.PutStr("langfuse.observation.metadata.region", "eu-central-1")
	a.PutInt("langfuse.observation.metadata.attempt", int64(i%3))
	a.PutStr("langfuse.trace.metadata.plan", "enterprise")
	if i%experimentEvery == 0 {
		a.PutStr("langfuse.experiment.id", fmt.Sprint("run-", i/experimentEvery))
		a.PutStr("langfuse.experiment.name", fmt.Sprint("run ", i/experimentEvery))
		a.PutStr("langfuse.experiment.item.id", fmt.Sprint("item-", i))
	}
}

// body is the n-th request without compression.
func (r *requests) body(n int) []byte { return r.bodies[n%len(r.bodies)] }

// decode is what a receiver does with a body, and gives the spans of the n-th request ids and times of their own.
func (r *requests) decode(n int, body []byte) (ptraceotlp.ExportRequest, error) {
	request := ptraceotlp.NewExportRequest()
	if err := request.UnmarshalProto(body); err != nil {
		return request, err
	}
	spans := request.Traces().ResourceSpans().At(0).ScopeSpans().At(0).Spans()
	for i, span := range spans.All() {
		number := uint64(n*spansPerBatch + i + 1)
		span.SetTraceID(pcommon.TraceID(binary.BigEndian.AppendUint64([]byte("benchmrk"), number/spansPerTrace+1)))
		span.SetSpanID(pcommon.SpanID(binary.BigEndian.AppendUint64(nil, number)))
		// A second of wall time holds about ten spans: a million of them is a day.
		start := r.begin.Add(time.Duration(number) * 86 * time.Millisecond)
		span.SetStartTimestamp(pcommon.NewTimestampFromTime(start))
		span.SetEndTimestamp(pcommon.NewTimestampFromTime(start.Add(time.Duration(500+i) * time.Millisecond)))
		if i%experimentEvery == 0 {
			span.Attributes().PutStr("langfuse.experiment.item.root_observation_id", span.SpanID().String())
		}
	}
	return request, nil
}
