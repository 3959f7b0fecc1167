// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

const (
	spansPerBatch = 512
	senders       = 4
	// differentBatches is how many requests are made beforehand and then sent in turn, so that making them costs
	// nothing during a measurement.
	differentBatches = 16
)

// load is requests ready to be sent.
type load struct {
	requests [][]byte
}

func newLoad(text int) *load {
	l := &load{}
	words := strings.Fields("the model answers with a table of costs and the user asks for more details about weather in the city of " +
		"Zürich while tools return JSON objects and lists of numbers that nobody reads twice")
	random := rand.New(rand.NewPCG(1, 2))
	for b := range differentBatches {
		td := ptrace.NewTraces()
		rs := td.ResourceSpans().AppendEmpty()
		rs.Resource().Attributes().PutStr("service.name", "bench")
		spans := rs.ScopeSpans().AppendEmpty().Spans()
		for i := range spansPerBatch {
			fillSpan(spans.AppendEmpty(), b*spansPerBatch+i, sentence(random, words, text))
		}
		body, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
		if err != nil {
			panic(err) // a batch that we made ourselves
		}
		l.requests = append(l.requests, body)
	}
	return l
}

func sentence(random *rand.Rand, words []string, length int) string {
	var text strings.Builder
	for text.Len() < length {
		text.WriteString(words[random.IntN(len(words))])
		text.WriteByte(' ')
	}
	return text.String()[:length]
}

// fillSpan makes a generation as the client libraries send it.
func fillSpan(span ptrace.Span, i int, text string) {
	span.SetName("generation")
	span.SetTraceID(pcommon.TraceID(binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i/10+1))))
	span.SetSpanID(pcommon.SpanID(binary.BigEndian.AppendUint64(nil, uint64(i+1))))
	a := span.Attributes()
	a.PutStr("langfuse.observation.type", "generation")
	a.PutStr("langfuse.observation.model.name", "gpt-4o")
	a.PutStr("langfuse.observation.input", text[:len(text)/2])
	a.PutStr("langfuse.observation.output", text[len(text)/2:])
	a.PutStr("langfuse.observation.usage_details", `{"input":10,"output":20,"total":30}`)
	a.PutStr("user.id", fmt.Sprint("user-", i%100))
	a.PutStr("langfuse.observation.metadata.tenant", "acme")
	a.PutStr("langfuse.observation.metadata.region", "eu-central-1")
	a.PutInt("langfuse.observation.metadata.attempt", int64(i%3))
	a.PutStr("langfuse.observation.metadata.config", `{"temperature": 0.7, "tools": ["search", "calculator"]}`)
	a.PutStr("langfuse.trace.metadata.plan", "enterprise")
	a.PutBool("langfuse.trace.metadata.beta", true)
}

// send posts about n spans with several senders at once, and returns how many the collector acknowledged.
func (l *load) send(ctx context.Context, url string, n int) (int, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: senders}}
	defer client.CloseIdleConnections()
	turns := make(chan int)
	errs := make(chan error, senders)
	var wg sync.WaitGroup
	for range senders {
		wg.Go(func() {
			for turn := range turns {
				if err := post(ctx, client, url, l.requests[turn%len(l.requests)]); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	sent := 0
	var err error
	for turn := 0; sent < n && err == nil; turn++ {
		select {
		case turns <- turn:
			sent += spansPerBatch
		case err = <-errs:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	close(turns)
	wg.Wait()
	return sent, err
}

func post(ctx context.Context, client *http.Client, url string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the collector answered %s: %s", resp.Status, answer)
	}
	return err
}
