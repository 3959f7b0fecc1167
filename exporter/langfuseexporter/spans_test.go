// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

const batches, batchSize = 4, 8

// Every status that passes, at every position in the sequence of requests: everything arrives, once.
func TestWhatPassesLosesNothing(t *testing.T) {
	for name, does := range map[string]reply{
		"408": {status: 408}, "429": {status: 429}, "500": {status: 500}, "502": {status: 502}, "503": {status: 503}, "504": {status: 504}, "599": {status: 599},
		"401": {status: 401, body: `{"message":"Invalid credentials"}`}, "403": {status: 403},
		"301": {status: 301, header: map[string]string{"Location": "/elsewhere"}}, "307": {status: 307, header: map[string]string{"Location": "/elsewhere"}},
		"413": {status: 413}, "400": {status: 400},
		"connection cut": {cut: true}, "upload cut": {cutUpload: true}, "never answered": {hang: true},
		"400 about the request": {status: 400, body: `{"error":"Failed to decompress request body"}`},
	} {
		for position := range batches {
			t.Run(fmt.Sprint(name, " at ", position), func(t *testing.T) {
				script := make([]reply, position, position+2)
				for i := range script {
					script[i] = reply{status: http.StatusOK, body: `{}`}
				}
				service := newFakeService(t, append(script, does, does)...)
				h := newHarness(t)
				e := h.traces(testConfig(service.URL, func(c *Config) { c.ClientConfig.Timeout = 200 * time.Millisecond }))
				for i := range batches {
					require.NoError(t, e.ConsumeTraces(t.Context(), spans(i*batchSize, batchSize)))
				}
				assert.Equal(t, once(0, batches*batchSize), service.arrived())
				assert.Empty(t, h.metric("dropped_spans"))
			})
		}
	}
}

// What is sent again after a lost answer may arrive twice; nothing may be missing.
func TestLostAnswers(t *testing.T) {
	for name, does := range map[string]reply{"cut after taking": {lost: true}, "cut in the answer": {halfway: true}} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, does)
			h := newHarness(t)
			require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, batchSize)))
			arrived := service.arrived()
			assert.Len(t, arrived, batchSize)
			for name, times := range arrived {
				assert.Equal(t, 2, times, name)
			}
			assert.Empty(t, h.metric("dropped_spans"))
		})
	}
}

// One bad span sinks the batch at the service. Whatever happens at whatever point of the search for it, all good
// spans arrive once, and each bad one is dropped and counted once.
func TestBadSpansAreFound(t *testing.T) {
	const n = 32
	bad := []string{"s3", "s4", "s17", "s31"}
	isBad := func(name string) bool { return slices.Contains(bad, name) }
	run := func(t *testing.T, script ...reply) int {
		service := newFakeService(t, script...)
		service.badSpan = isBad
		h := newHarness(t)
		require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, n)))
		assert.Equal(t, once(0, n, bad...), service.arrived())
		assert.Equal(t, map[string]int64{"refused": int64(len(bad))}, h.metric("dropped_spans"))
		assert.Equal(t, len(bad), h.logged("Dropped spans that the service does not take."))
		dropped := h.logs.FilterMessageSnippet("Dropped spans").All()[0].ContextMap()
		assert.Equal(t, "the service answered 400 Bad Request: Invalid OTLP trace export: 1 span(s) cannot be processed", dropped["error"])
		assert.Equal(t, "0100030000000000"+"0000000000000000", dropped["trace_id"])
		return len(service.seen())
	}
	requests := run(t)
	assert.Less(t, requests, 40, "halving takes about k log n requests, not n")

	for _, does := range []reply{{status: 503}, {status: 401}, {cut: true}, {status: 429}} {
		for position := 0; position < requests; position += 3 {
			t.Run(fmt.Sprintf("%+v at %d", does, position), func(t *testing.T) {
				service := newFakeService(t)
				service.badSpan = isBad
				service.script = make([]reply, position+1) // an empty reply goes by the rules
				service.script[position] = does
				h := newHarness(t)
				require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, n)))
				assert.Equal(t, once(0, n, bad...), service.arrived())
				assert.Equal(t, map[string]int64{"refused": int64(len(bad))}, h.metric("dropped_spans"))
			})
		}
	}
}

func TestABatchOfOnlyBadSpans(t *testing.T) {
	service := newFakeService(t)
	service.badSpan = func(string) bool { return true }
	h := newHarness(t)
	err := h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 4))
	require.ErrorContains(t, err, "the service answered 400 Bad Request: Invalid OTLP trace export")
	assert.True(t, consumererror.IsPermanent(err))
	assert.Equal(t, map[string]int64{"refused": 4}, h.metric("dropped_spans"))
}

func TestTooLargeIsSplit(t *testing.T) {
	td := spans(0, 20)
	big := td.ResourceSpans().At(1).ScopeSpans().At(0).Spans().At(2)
	big.Attributes().PutStr("input", strings.Repeat("x", 5000))
	service := newFakeService(t)
	service.maxBytes = 600
	h := newHarness(t)
	require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), td))
	assert.Equal(t, once(0, 20, big.Name()), service.arrived())
	assert.Equal(t, map[string]int64{"too_large": 1}, h.metric("dropped_spans"))
	assert.NotZero(t, h.metric("batch_splits")["too_large"])
	entry := h.logs.FilterMessageSnippet("Dropped spans").All()[0].ContextMap()
	assert.Greater(t, entry["bytes"], int64(5000))
	assert.Equal(t, big.SpanID().String(), entry["span_id"])
	assert.Equal(t, "the service answered 413 Request Entity Too Large: Body exceeded 4.5mb limit", entry["error"])
}

// Batches are bounded after encoding; a span that is larger than the limit goes alone, and is not dropped.
func TestRequestsStayBelowTheLimit(t *testing.T) {
	for _, encoding := range []Encoding{EncodingProto, EncodingJSON} {
		t.Run(string(encoding), func(t *testing.T) {
			const limit = 2000
			td := spans(0, 50)
			td.ResourceSpans().At(0).ScopeSpans().At(1).Spans().At(0).Attributes().PutStr("input", strings.Repeat("x", 3*limit))
			service := newFakeService(t)
			h := newHarness(t)
			e := h.traces(testConfig(service.URL, func(c *Config) {
				c.Encoding = encoding
				c.QueueConfig = createDefaultConfig().(*Config).QueueConfig
				c.QueueConfig.Get().Batch.Get().MinSize = 0
				c.QueueConfig.Get().Batch.Get().MaxSize = limit
			}))
			require.NoError(t, e.ConsumeTraces(t.Context(), td))
			require.Eventually(t, func() bool { return len(service.arrived()) == 50 }, 10*time.Second, time.Millisecond)
			assert.Equal(t, once(0, 50), service.arrived())
			over := 0
			for _, request := range service.seen() {
				if len(request.body) > limit {
					over++
				}
			}
			assert.Equal(t, 1, over, "only the span that is larger by itself")
			assert.NotZero(t, h.metric("batch_splits")["max_size"])
			assert.Empty(t, h.metric("dropped_spans"))
		})
	}
}

func TestOther4xxIsPermanent(t *testing.T) {
	for _, status := range []int{402, 404, 405, 409, 415, 422, 451} {
		service := newFakeService(t, reply{status: status, body: `{"message":"No","error":"SomeError"}`})
		h := newHarness(t)
		e := h.traces(testConfig(service.URL))
		err := e.ConsumeTraces(t.Context(), spans(0, batchSize))
		assert.True(t, consumererror.IsPermanent(err))
		assert.ErrorContains(t, err, fmt.Sprintf("the service answered %d %s: No: SomeError", status, http.StatusText(status)))
		assert.Equal(t, map[string]int64{"rejected": batchSize}, h.metric("dropped_spans"))
		assert.Len(t, service.seen(), 1)

		require.NoError(t, e.ConsumeTraces(t.Context(), spans(batchSize, batchSize)))
		assert.Equal(t, once(batchSize, batchSize), service.arrived())
	}
}

// A status that no batch survives, in the middle of the pieces of one: what was delivered stays delivered, all the rest
// is counted.
func TestOther4xxInTheMiddle(t *testing.T) {
	service := newFakeService(t, reply{status: 413}, reply{status: 200}, reply{status: 413}, reply{status: 404})
	h := newHarness(t)
	require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 16)))
	assert.Equal(t, once(0, 8), service.arrived())
	assert.Equal(t, map[string]int64{"rejected": 8}, h.metric("dropped_spans"))
}

func TestA400AboutTheRequestKeepsTheSpans(t *testing.T) {
	service := newFakeService(t, reply{status: 400, body: `{"error":"Unsupported x-langfuse-ingestion-version: \"4\". Maximum supported: \"3\"."}`})
	h := newHarness(t)
	require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 8)))
	assert.Equal(t, once(0, 8), service.arrived())
	assert.Len(t, service.seen(), 2, "no search for a bad span")
	assert.Contains(t, h.host.events[0].Err().Error(), "check `compression`, `encoding` and `ingestion_version`")
}

// With a queue on disk, a shutdown does not wait for a long search: what is left goes back to the queue.
func TestShutdownEndsALongDelivery(t *testing.T) {
	storage := component.MustNewID("file_storage")
	for persistent, want := range map[bool]int{true: 1, false: 15} {
		service := newFakeService(t)
		service.badSpan = func(string) bool { return true }
		cfg := testConfig(service.URL, func(c *Config) {
			c.QueueConfig = createDefaultConfig().(*Config).QueueConfig
			if persistent {
				c.QueueConfig.Get().StorageID = &storage
			}
		})
		s, err := newService(cfg, newHarness(t).set)
		require.NoError(t, err)
		require.NoError(t, s.start(t.Context(), componenttest.NewNopHost()))
		e := newSpanExporter(s)
		service.onRequest = e.courier.stop
		err = e.push(t.Context(), spans(0, 8))
		assert.Len(t, service.seen(), want)
		var rest consumererror.Traces
		if assert.Equal(t, persistent, errors.As(err, &rest)) && persistent {
			assert.Equal(t, 8, rest.Data().SpanCount())
		}
		require.NoError(t, s.shutdown(t.Context()))
	}
}

func TestSpansWithoutIDsAreTakenOut(t *testing.T) {
	td := spans(0, 12)
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).SetTraceID(pcommon.TraceID{})
	td.ResourceSpans().At(1).ScopeSpans().At(1).Spans().At(2).SetSpanID(pcommon.SpanID{})
	for _, shared := range []bool{false, true} {
		sent := ptrace.NewTraces()
		td.CopyTo(sent)
		if shared {
			sent.MarkReadOnly()
		}
		service := newFakeService(t, reply{status: 503}, reply{status: 503})
		h := newHarness(t)
		require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), sent))
		assert.Equal(t, once(0, 12, "s0", "s11"), service.arrived())
		assert.Equal(t, map[string]int64{"invalid_id": 2}, h.metric("dropped_spans"), "counted once, not with each attempt")
		assert.Equal(t, 12, sent.SpanCount(), "the batch itself is not touched")
	}
}

func TestOnlySpansWithoutIDs(t *testing.T) {
	td := spans(0, 1)
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).SetTraceID(pcommon.TraceID{})
	service := newFakeService(t)
	err := newHarness(t).traces(testConfig(service.URL)).ConsumeTraces(t.Context(), td)
	assert.True(t, consumererror.IsPermanent(err))
	assert.ErrorContains(t, err, "none of 1 spans has a trace id and a span id")
	assert.Empty(t, service.seen())
}

func TestSharedBatchIsSplitByCopying(t *testing.T) {
	td := spans(0, 8)
	td.MarkReadOnly() // a write would panic
	service := newFakeService(t)
	service.badSpan = func(name string) bool { return name == "s5" }
	require.NoError(t, newHarness(t).traces(testConfig(service.URL)).ConsumeTraces(t.Context(), td))
	assert.Equal(t, once(0, 8, "s5"), service.arrived())
}

func TestPartsKeepResourceAndScope(t *testing.T) {
	td := spans(0, 8)
	td.ResourceSpans().At(0).SetSchemaUrl("resource schema")
	td.ResourceSpans().At(0).ScopeSpans().At(0).SetSchemaUrl("scope schema")
	halves := cut(td, 2)
	first, second := halves[0], halves[1]
	assert.Equal(t, "resource schema", first.ResourceSpans().At(0).SchemaUrl())
	assert.Equal(t, "scope schema", first.ResourceSpans().At(0).ScopeSpans().At(0).SchemaUrl())
	names := func(td ptrace.Traces) (out []string) {
		for _, rs := range td.ResourceSpans().All() {
			resource, _ := rs.Resource().Attributes().Get("resource")
			for _, ss := range rs.ScopeSpans().All() {
				for _, span := range ss.Spans().All() {
					out = append(out, fmt.Sprint(resource.Int(), ss.Scope().Name(), span.Name()))
				}
			}
		}
		return out
	}
	assert.Equal(t, []string{"0scope0s0", "0scope0s1", "0scope1s2", "0scope1s3"}, names(first))
	assert.Equal(t, []string{"2scope2s4", "2scope2s5", "2scope3s6", "2scope3s7"}, names(second))

	for n := 1; n <= 8; n++ {
		var all []string
		for _, part := range cut(td, n) {
			assert.InDelta(t, 8/n, part.SpanCount(), 1, "%d parts", n)
			all = append(all, names(part)...)
		}
		assert.Equal(t, names(td), all, "%d parts", n)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for name, value := range map[string]func() string{
		"seconds": func() string { return "1" },
		"date":    func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		for _, status := range []int{429, 503, 408} {
			t.Run(fmt.Sprint(name, status), func(t *testing.T) {
				t.Parallel()
				later := func() reply { return reply{status: status, header: map[string]string{"Retry-After": value()}} }
				service := newFakeService(t, later())
				require.NoError(t, newHarness(t).traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 2)))
				requests := service.seen()
				require.Len(t, requests, 2)
				assert.GreaterOrEqual(t, requests[1].at.Sub(requests[0].at), 950*time.Millisecond)
				assert.Equal(t, once(0, 2), service.arrived())

				scores := newFakeService(t, later())
				require.NoError(t, newHarness(t).scores(testConfig(scores.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(2)...)))
				requests = scores.seen()
				require.Len(t, requests, 2)
				assert.GreaterOrEqual(t, requests[1].at.Sub(requests[0].at), 950*time.Millisecond)
			})
		}
	}
}

func TestPartialSuccess(t *testing.T) {
	service := newFakeService(t, reply{
		status: 200, header: map[string]string{"Content-Type": "application/json; charset=utf-8"},
		body: `{"partialSuccess":{"rejectedSpans":"3","errorMessage":"three were bad"}}`,
	})
	h := newHarness(t)
	require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 8)))
	assert.Equal(t, map[string]int64{"partial_success": 3}, h.metric("dropped_spans"))
	assert.Equal(t, "the service rejected 3 of 8 spans: three were bad",
		h.logs.FilterMessage("The service took only a part of the spans.").All()[0].ContextMap()["error"])
	assert.Len(t, service.seen(), 1, "never sent again")
}

func TestPartialSuccessAsProtobuf(t *testing.T) {
	for rejected, dropped := range map[int64]map[string]int64{3: {"partial_success": 3}, -3: {}, 0: {}, 99: {"partial_success": 8}} {
		response := ptraceotlp.NewExportResponse()
		response.PartialSuccess().SetRejectedSpans(rejected)
		response.PartialSuccess().SetErrorMessage("a word")
		body, err := response.MarshalProto()
		require.NoError(t, err)
		service := newFakeService(t, reply{status: 200, header: map[string]string{"Content-Type": "application/x-protobuf"}, body: string(body)})
		h := newHarness(t)
		err = h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 8))
		assert.Equal(t, rejected >= 8, consumererror.IsPermanent(err))
		assert.Equal(t, dropped, h.metric("dropped_spans"))
		assert.Equal(t, rejected <= 0, h.logged("The service took the spans, with a warning.") == 1)
	}
}

func TestSuccessWithAnyBody(t *testing.T) {
	for _, body := range []string{``, `{}`, `{"jobId":17,"data":[1]}`, `<html>`, `null`} {
		service := newFakeService(t, reply{status: 200, body: body})
		h := newHarness(t)
		require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), spans(0, 2)))
		assert.Equal(t, once(0, 2), service.arrived())
		assert.Empty(t, h.metric("dropped_spans"))
	}
}

func TestWithoutRetryTheCallerHears(t *testing.T) {
	service := newFakeService(t, reply{status: 503, body: `{"message":"Service Unavailable"}`})
	e := newHarness(t).traces(testConfig(service.URL, func(c *Config) { c.RetryConfig.Enabled = false }))
	err := e.ConsumeTraces(t.Context(), spans(0, 2))
	require.EqualError(t, err, "the service answered 503 Service Unavailable: Service Unavailable")
	assert.False(t, consumererror.IsPermanent(err))
	var rest consumererror.Traces
	require.ErrorAs(t, err, &rest)
	assert.Equal(t, 2, rest.Data().SpanCount())
}

func TestStampsStayHere(t *testing.T) {
	td := spans(0, 1)
	attributes := td.ResourceSpans().At(0).Resource().Attributes()
	attributes.Clear()
	attributes.PutStr("service.name", "app")
	attributes.PutStr("weir.project.id", "p")
	attributes.PutStr("weir.public_key", "pk")
	shared := ptrace.NewTraces()
	td.CopyTo(shared)
	shared.MarkReadOnly()
	for _, given := range []ptrace.Traces{td, shared} {
		sent := withoutStamps(given)
		assert.Equal(t, map[string]any{"service.name": "app"}, sent.ResourceSpans().At(0).Resource().Attributes().AsRaw())
		assert.Equal(t, 1, sent.SpanCount())
	}
	assert.Equal(t, 3, shared.ResourceSpans().At(0).Resource().Attributes().Len(), "what others see stays as it is")
}
