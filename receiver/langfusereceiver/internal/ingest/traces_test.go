// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"
	"google.golang.org/protobuf/encoding/protowire"
)

const (
	tracesPath = "/api/public/otel/v1/traces"
	traceID    = "0af7651916cd43dd8448eb211c80319c"
	spanID     = "b7ad6b7169203331"
)

// exportJSON is an export of spans, each given as the members of its object.
func exportJSON(spans ...string) []byte {
	return fmt.Appendf(nil, `{"resourceSpans":[{"resource":{"attributes":[{"key":"weir.project.id","value":{"stringValue":"other"}},{"key":"service.name","value":{"stringValue":"app"}}]},`+
		`"scopeSpans":[{"scope":{"name":"my-scope"},"spans":[%s]}]}]}`, "{"+strings.Join(spans, "},{")+"}")
}

var goodSpan = `"traceId":"` + traceID + `","spanId":"` + spanID + `","name":"hi","startTimeUnixNano":"1544712660000000000","endTimeUnixNano":1544712661000000000`

func exportProto(t testing.TB, change func(ptrace.Span)) []byte {
	t.Helper()
	request := ptraceotlp.NewExportRequest()
	require.NoError(t, request.UnmarshalJSON(exportJSON(goodSpan)))
	if change != nil {
		change(request.Traces().ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0))
	}
	body, err := request.MarshalProto()
	require.NoError(t, err)
	return body
}

func TestSpansGoIntoThePipeline(t *testing.T) {
	for _, path := range []string{tracesPath, "/v1/traces", "//api/public/otel/v1/traces"} {
		for contentType, body := range map[string][]byte{
			"application/json":                exportJSON(goodSpan),
			"application/json; charset=utf-8": exportJSON(goodSpan),
			"application/x-protobuf":          exportProto(t, nil),
		} {
			t.Run(path+" "+contentType, func(t *testing.T) {
				h := newHarness(t, nil)
				got := h.post(t, path, contentType, body,
					"X-Langfuse-Sdk-Name", "python", "X-Langfuse-Sdk-Version", "4.14.3", "X-Langfuse-Public-Key", "pk-other")
				require.Equal(t, 200, got.status, got.body)
				if strings.Contains(contentType, "json") {
					assert.Equal(t, "{}", got.body)
					assert.Equal(t, "application/json; charset=utf-8", got.header.Get("Content-Type"))
				} else {
					assert.Empty(t, got.body)
					assert.Equal(t, "application/x-protobuf", got.header.Get("Content-Type"))
				}
				require.Equal(t, 1, h.spans.SpanCount())
				resource := h.spans.AllTraces()[0].ResourceSpans().At(0)
				assert.Equal(t, map[string]any{
					"service.name": "app", "weir.project.id": "one", "weir.public_key": "pk",
					"weir.client.name": "python", "weir.client.version": "4.14.3",
				}, resource.Resource().Attributes().AsRaw())
				span := resource.ScopeSpans().At(0).Spans().At(0)
				assert.Equal(t, traceID, span.TraceID().String())
				assert.Equal(t, spanID, span.SpanID().String())
				assert.EqualValues(t, 1544712660000000000, span.StartTimestamp())
			})
		}
	}
}

func TestNothingInNothingOut(t *testing.T) {
	h := newHarness(t, nil)
	for _, body := range []string{`{}`, `{"resourceSpans":[]}`, `{"resourceSpans":null}`} {
		assert.Equal(t, answer{200, nil, "{}"}, withoutHeader(h.post(t, tracesPath, "application/json", []byte(body))))
	}
	assert.Equal(t, 200, h.post(t, tracesPath, "application/x-protobuf", nil).status)
	assert.Empty(t, h.spans.AllTraces())
}

func withoutHeader(a answer) answer {
	a.header = nil
	return a
}

func TestIdsInOtherForms(t *testing.T) {
	bytesOf := func(id string) string {
		var list []string
		for i := 0; i < len(id); i += 2 {
			var octet int
			_, err := fmt.Sscanf(id[i:i+2], "%x", &octet)
			require.NoError(t, err)
			list = append(list, strconv.Itoa(octet))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	h := newHarness(t, nil)
	for _, span := range []string{
		`"traceId":` + bytesOf(traceID) + `,"spanId":` + bytesOf(spanID) + `,"startTimeUnixNano":"1544712660000000001"`,
		`"traceId":{"type":"Buffer","data":` + bytesOf(traceID) + `},"spanId":{"type":"Buffer","data":` + bytesOf(spanID) + `},"startTimeUnixNano":1544712660000000001`,
		`"trace_id":"` + strings.ToUpper(traceID) + `","span_id":"` + spanID + `","start_time_unix_nano":"1544712660000000001","parentSpanId":""`,
	} {
		h.spans.Reset()
		require.Equal(t, answer{200, nil, "{}"}, withoutHeader(h.post(t, tracesPath, "application/json", exportJSON(span))))
		read := h.spans.AllTraces()[0].ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
		assert.Equal(t, traceID, read.TraceID().String())
		assert.Equal(t, spanID, read.SpanID().String())
		assert.EqualValues(t, 1544712660000000001, read.StartTimestamp())
	}
}

func TestBadSpansRefuseAll(t *testing.T) {
	h := newHarness(t, nil)
	whole := func(text string) []byte { return []byte(text) }
	const end = " The entire export was rejected and no spans were ingested. Instrumentation scopes: my-scope. Trace ids are 32 and span ids 16 hexadecimal digits."
	for name, tc := range map[string]struct {
		contentType string
		body        []byte
		want        string
	}{
		"no ids": {"application/json", exportJSON(`"name":"a"`, `"name":"b"`), "Invalid OTLP trace export: 2 of 2 span(s) cannot be processed (traceId:absent, spanId:absent)." + end},
		"one of two": {
			"application/json",
			exportJSON(goodSpan, `"traceId":"`+traceID+`","spanId":"xyz"`),
			"Invalid OTLP trace export: 1 of 2 span(s) cannot be processed (spanId:not_an_id)." + end,
		},
		"the same fault twice": {
			"application/json",
			exportJSON(`"traceId":"x","spanId":"`+spanID+`"`, `"traceId":"y","spanId":"`+spanID+`"`),
			"Invalid OTLP trace export: 2 of 2 span(s) cannot be processed (traceId:not_an_id)." + end,
		},
		"bad parent":        {"application/json", exportJSON(goodSpan + `,"parentSpanId":"nope"`), "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (parentSpanId:not_an_id)." + end},
		"attributes":        {"application/json", exportJSON(goodSpan + `,"attributes":{}`), "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (attributes:not_an_array)." + end},
		"events":            {"application/json", exportJSON(goodSpan + `,"events":"x"`), "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (events:not_an_array)." + end},
		"event attributes":  {"application/json", exportJSON(goodSpan + `,"events":[{"attributes":1}]`), "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (event.attributes:not_an_array)." + end},
		"zero id":           {"application/json", exportJSON(`"traceId":"00000000000000000000000000000000","spanId":"` + spanID + `"`), "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (traceId:absent)." + end},
		"a list of no byte": {"application/json", exportJSON(`"traceId":[256],"spanId":[1,2]`), "Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (traceId:not_an_id, spanId:not_an_id)." + end},
		"scopes": {
			"application/json",
			whole(`{"resourceSpans":[{"resource":{"attributes":{}},"scopeSpans":{}}]}`),
			"Invalid OTLP trace export: 0 of 0 span(s) cannot be processed; 2 resource- or scope-level field(s) are present but not arrays (resource.attributes:not_an_array, scopeSpans:not_an_array). The entire export was rejected and no spans were ingested. Trace ids are 32 and span ids 16 hexadecimal digits.",
		},
		"spans": {
			"application/json",
			whole(`{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"my-scope","attributes":1},"spans":1}]}]}`),
			"Invalid OTLP trace export: 0 of 0 span(s) cannot be processed; 2 resource- or scope-level field(s) are present but not arrays (scope.attributes:not_an_array, spans:not_an_array)." + end,
		},
		"protobuf without ids": {
			"application/x-protobuf",
			exportProto(t, func(s ptrace.Span) { s.SetTraceID([16]byte{}) }),
			"Invalid OTLP trace export: 1 of 1 span(s) cannot be processed (traceId:absent)." + end,
		},
		"no JSON":           {"application/json", whole(`{"resourceSpans":`), "Failed to parse OTel JSON Trace"},
		"more than JSON":    {"application/json", append(exportJSON(goodSpan), "{}"...), "Failed to parse OTel JSON Trace"},
		"a list":            {"application/json", whole(`[]`), "Failed to parse OTel JSON Trace"},
		"an odd time":       {"application/json", exportJSON(goodSpan + `,"endTimeUnixNano":"soon"`), "Failed to parse OTel JSON Trace"},
		"no protobuf":       {"application/x-protobuf", whole("weir"), "Failed to parse OTel Protobuf Trace"},
		"JSON as protobuf":  {"application/x-protobuf", exportJSON(goodSpan), "Failed to parse OTel Protobuf Trace"},
		"no content type":   {"", exportJSON(goodSpan), "Invalid content type"},
		"text":              {"text/plain", exportJSON(goodSpan), "Invalid content type"},
		"larger than taken": {"application/json", exportJSON(goodSpan + `,"traceState":"` + strings.Repeat("x", 1<<20) + `"`), "Body exceeded 1mb limit"},
	} {
		t.Run(name, func(t *testing.T) {
			got := h.post(t, tracesPath, tc.contentType, tc.body)
			if strings.HasPrefix(tc.want, "Body") {
				assert.Equal(t, 413, got.status)
			} else {
				assert.Equal(t, 400, got.status)
			}
			assert.JSONEq(t, fmt.Sprintf(`{"error":%q}`, tc.want), got.body)
		})
	}
	assert.Empty(t, h.spans.AllTraces())
}

func TestIngestionVersion(t *testing.T) {
	h := newHarness(t, nil)
	for version, want := range map[string]string{
		"4": "", "3": "", "0": "", "-1": "",
		"5":    `Unsupported x-langfuse-ingestion-version: "5". Maximum supported: "4".`,
		"four": `Unsupported x-langfuse-ingestion-version: "four". Maximum supported: "4".`,
		"4.0":  `Unsupported x-langfuse-ingestion-version: "4.0". Maximum supported: "4".`,
	} {
		for _, name := range []string{"X-Langfuse-Ingestion-Version", "X_langfuse_ingestion_version"} {
			got := h.post(t, tracesPath, "application/json", exportJSON(goodSpan), name, version)
			if want == "" {
				assert.Equal(t, 200, got.status, version)
				continue
			}
			assert.Equal(t, 400, got.status, version)
			assert.JSONEq(t, fmt.Sprintf(`{"error":%q}`, want), got.body)
		}
	}
}

func TestWhatThePipelineSays(t *testing.T) {
	for name, tc := range map[string]struct {
		err    error
		status int
		body   string
	}{
		"later": {errors.New("full"), 503, `{"error":"The pipeline cannot take the data now; send it again later"}`},
		"never": {consumererror.NewPermanent(errors.New("odd")), 400, `{"error":"The pipeline refused the data for good"}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, func(s *Settings) { s.Traces = consumertest.NewErr(tc.err) })
			got := h.post(t, tracesPath, "application/json", exportJSON(goodSpan))
			assert.Equal(t, tc.status, got.status)
			assert.JSONEq(t, tc.body, got.body)
			assert.Equal(t, tc.status == 503, got.header.Get("Retry-After") == "1")
		})
	}
}

func TestWithoutAPipeline(t *testing.T) {
	h := newHarness(t, func(s *Settings) { s.Traces, s.Logs = nil, nil })
	got := h.post(t, tracesPath, "application/json", exportJSON(goodSpan))
	assert.Equal(t, 501, got.status)
	assert.JSONEq(t, "{\"error\":\"This server takes no spans: add `langfuse` to the receivers of a traces pipeline\"}", got.body)
	got = h.post(t, "/v1/logs", "application/json", []byte("{}"))
	assert.Equal(t, 501, got.status)
	assert.JSONEq(t, "{\"error\":\"This server takes no scores and no log records: add `langfuse` to the receivers of a logs pipeline\"}", got.body)
}

func TestSpansAreCounted(t *testing.T) {
	h := newHarness(t, nil)
	h.post(t, tracesPath, "application/json", exportJSON(goodSpan, goodSpan))
	h.post(t, tracesPath, "application/json", exportJSON(`"name":"bad"`))
	accepted, err := h.telemetry.GetMetric("otelcol_receiver_accepted_spans")
	require.NoError(t, err)
	metricdatatest.AssertEqual(t, metricdata.DataPoint[int64]{
		Value: 2, Attributes: attribute.NewSet(attribute.String("receiver", "langfuse"), attribute.String("transport", "http")),
	}, accepted.Data.(metricdata.Sum[int64]).DataPoints[0], metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
}

func TestReadersMayNotWrite(t *testing.T) {
	h := newHarness(t, nil)
	got := h.post(t, tracesPath, "application/json", exportJSON(goodSpan), "Authorization", "Basic cGstcmVhZDpzaw==")
	assert.Equal(t, 403, got.status)
	assert.JSONEq(t, "{\"message\":\"Access denied - the key pk-read may not write: add `write` to its `access`\"}", got.body)
	got = h.post(t, tracesPath, "application/json", exportJSON(goodSpan), "Authorization", "Bearer pk")
	assert.Equal(t, 403, got.status)
	assert.Empty(t, h.spans.AllTraces())
}

// nestedJSON and nestedProto are a span with a list in a list in a list.
func nestedJSON(depth int) []byte {
	value := strings.Repeat(`{"arrayValue":{"values":[`, depth) + `{"intValue":"1"}` + strings.Repeat(`]}}`, depth)
	return exportJSON(goodSpan + `,"attributes":[{"key":"deep","value":` + value + `}]`)
}

func nestedProto(t testing.TB, depth int) []byte {
	t.Helper()
	return exportProto(t, func(s ptrace.Span) {
		value := s.Attributes().PutEmpty("deep")
		for range depth {
			value = value.SetEmptySlice().AppendEmpty()
		}
		value.SetInt(1)
	})
}

func TestDepthIsBounded(t *testing.T) {
	h := newHarness(t, nil)
	for contentType, body := range map[string]func(depth int) []byte{
		"application/json":       nestedJSON,
		"application/x-protobuf": func(depth int) []byte { return nestedProto(t, depth) },
	} {
		assert.Equal(t, 200, h.post(t, tracesPath, contentType, body(99)).status)
		got := h.post(t, tracesPath, contentType, body(200))
		assert.Equal(t, 400, got.status)
		assert.JSONEq(t, `{"error":"A value in the export is nested deeper than 100 levels"}`, got.body)
	}
	deep := strings.Repeat("[", 500_000)
	assert.Equal(t, 400, h.post(t, tracesPath, "application/json", []byte(deep)).status)
	assert.Equal(t, 400, h.post(t, "/v1/logs", "application/json", []byte(deep)).status)
	assert.Equal(t, 400, h.post(t, "/v1/logs", "application/json", []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":`+strings.Repeat(`{"arrayValue":{"values":[`, 5000))).status)
}

func TestManyEmptySpansAreBounded(t *testing.T) {
	h := newHarness(t, nil)
	got := h.post(t, tracesPath, "application/json", exportJSON(goodSpan, strings.Repeat("},{", 40_000)))
	assert.Equal(t, 413, got.status, "40,000 spans would take more than the 8 MB of the test")
	assert.JSONEq(t, `{"error":"The request needs more memory than all requests together may have"}`, got.body)
	inScope := protowire.AppendTag(nil, 2, protowire.BytesType)
	for range 40_000 {
		inScope = append(inScope, 2<<3|2, 0) // a span without anything
	}
	body := inScope[1:]
	for _, number := range []protowire.Number{2, 1} {
		body = protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), body)
	}
	assert.Equal(t, 413, h.post(t, tracesPath, "application/x-protobuf", body).status)
	assert.Equal(t, 200, h.post(t, tracesPath, "application/json", exportJSON(goodSpan)).status)
}

func FuzzTraces(f *testing.F) {
	f.Add(true, exportJSON(goodSpan))
	f.Add(true, exportJSON(`"traceId":[1,2],"spanId":{"type":"Buffer","data":[]}`))
	f.Add(false, exportProto(f, nil))
	f.Add(true, nestedJSON(150))
	f.Add(false, nestedProto(f, 150))
	f.Fuzz(func(t *testing.T, asJSON bool, body []byte) {
		encoding := protobuf
		if asJSON {
			encoding = jsonText
			if _, err := countJSON(body); err != nil {
				return
			}
		} else if _, err := tracesMessage.count(body, 0); err != nil {
			return
		}
		request, err := decodeTraces(encoding, body)
		if err != nil {
			return
		}
		var found faults
		found.ofTraces(request.Traces())
		if found.err() != nil {
			t.Fatalf("took what it should not: %v", found.err())
		}
	})
}

func BenchmarkDecodeTraces(b *testing.B) {
	spans := make([]string, 512)
	for i := range spans {
		spans[i] = fmt.Sprintf(`"traceId":%q,"spanId":"%016x","name":"hi","attributes":[{"key":"langfuse.observation.input","value":{"stringValue":%q}}]`, traceID, i+1, strings.Repeat("text ", 200))
	}
	body := exportJSON(spans...)
	request, err := decodeTracesJSON(body)
	require.NoError(b, err)
	binary, err := request.MarshalProto()
	require.NoError(b, err)
	for name, tc := range map[string]struct {
		encoding encoding
		body     []byte
	}{"json": {jsonText, body}, "protobuf": {protobuf, binary}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(tc.body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decodeTraces(tc.encoding, tc.body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
