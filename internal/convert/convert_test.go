// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/wire"
)

// pairs are attributes in their order: name, value, name, value.
type pairs []any

// testEvent is a span event.
type testEvent struct {
	name       string
	attributes pairs
}

// testSpan is a request with one span.
type testSpan struct {
	scope, version  string
	scopeAttributes pairs
	resource        pairs
	name            string
	attributes      pairs
	events          []testEvent
	status          ptrace.StatusCode
	message         string
}

func put(t testing.TB, m pcommon.Map, attributes pairs) {
	t.Helper()
	// Several attributes may have the same name, which only a decoded request can have.
	raw := pcommon.NewMap()
	for i := 0; i < len(attributes); i += 2 {
		require.NoError(t, raw.PutEmpty(attributes[i].(string)).FromRaw(attributes[i+1]))
	}
	raw.CopyTo(m)
}

func (s testSpan) traces(t testing.TB) ptrace.Traces {
	t.Helper()
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	put(t, rs.Resource().Attributes(), s.resource)
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName(s.scope)
	ss.Scope().SetVersion(s.version)
	put(t, ss.Scope().Attributes(), s.scopeAttributes)
	span := ss.Spans().AppendEmpty()
	span.SetTraceID([16]byte{0xAB, 15: 1})
	span.SetSpanID([8]byte{0xCD, 7: 2})
	span.SetName(s.name)
	span.SetStartTimestamp(1_700_000_000_123_999_999)
	span.SetEndTimestamp(1_700_000_001_000_000_000)
	put(t, span.Attributes(), s.attributes)
	for _, e := range s.events {
		event := span.Events().AppendEmpty()
		event.SetName(e.name)
		put(t, event.Attributes(), e.attributes)
	}
	span.Status().SetCode(s.status)
	span.Status().SetMessage(s.message)
	return td
}

func testConverter(t testing.TB) *Converter {
	t.Helper()
	prices, err := pricing.Default()
	require.NoError(t, err)
	return New(Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices})
}

// row converts the span.
func (s testSpan) row(t testing.TB) model.Observation {
	t.Helper()
	return s.rowBy(t, testConverter(t))
}

func (s testSpan) rowBy(t testing.TB, converter *Converter) model.Observation {
	t.Helper()
	rows := converter.Traces(s.traces(t), RequestOrigin{})
	require.Len(t, rows, 1)
	return rows[0]
}

// withAttributes is a span of no special scope.
func withAttributes(attributes ...any) testSpan {
	return testSpan{name: "span", attributes: attributes}
}

// scoped is a span of a scope.
func scoped(scope string, attributes ...any) testSpan {
	return testSpan{scope: scope, name: "span", attributes: attributes}
}

func TestIDsAndTimes(t *testing.T) {
	o := withAttributes().row(t)
	assert.Equal(t, "ab000000000000000000000000000001", o.TraceID)
	assert.Equal(t, "cd00000000000002", o.ID)
	assert.Empty(t, o.ParentID)
	assert.True(t, o.IsRoot())
	assert.Equal(t, time.UnixMilli(1_700_000_000_123).UTC(), o.Start)
	assert.Equal(t, time.UnixMilli(1_700_000_001_000).UTC(), o.End)

	td := withAttributes().traces(t)
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).SetParentSpanID([8]byte{1})
	o = testConverter(t).Traces(td, RequestOrigin{})[0]
	assert.Equal(t, "0100000000000000", o.ParentID)
	assert.False(t, o.IsRoot())
}

func TestMissingTimes(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 678_999_999, time.UTC)
	late := time.UnixMilli(9_999_999_999_999).UTC()
	for _, tc := range []struct {
		name                       string
		start, end                 pcommon.Timestamp
		expectedStart, expectedEnd time.Time
	}{
		{"no start", 0, 2_000_000, time.UnixMilli(2).UTC(), time.UnixMilli(2).UTC()},
		{"no end", 3_000_000, 0, time.UnixMilli(3).UTC(), time.UnixMilli(3).UTC()},
		{"neither", 0, 0, now.Truncate(time.Millisecond), now.Truncate(time.Millisecond)},
		{"end before start", 3_000_000, 2_000_000, time.UnixMilli(3).UTC(), time.UnixMilli(2).UTC()},
		{"beyond 63 bits", 9_999_999_999_999_000_000, 9_999_999_999_999_999_999, late, late},
	} {
		t.Run(tc.name, func(t *testing.T) {
			td := withAttributes().traces(t)
			span := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
			span.SetStartTimestamp(tc.start)
			span.SetEndTimestamp(tc.end)
			converter := New(Settings{Names: wire.NewNames(wire.DefaultService), Now: func() time.Time { return now }})
			o := converter.Traces(td, RequestOrigin{})[0]
			assert.Equal(t, tc.expectedStart, o.Start)
			assert.Equal(t, tc.expectedEnd, o.End)
		})
	}
}

func TestCompletionStart(t *testing.T) {
	at := time.Date(2025, 10, 1, 8, 45, 26, 112_000_000, time.UTC)
	start := time.UnixMilli(1_700_000_000_123).UTC()
	const name = "langfuse.observation.completion_start_time"
	for _, tc := range []struct {
		name       string
		attributes pairs
		expected   time.Time
	}{
		{"bare", pairs{name, "2025-10-01T08:45:26.112648Z"}, at},
		{"encoded", pairs{name, "\"2025-10-01T08:45:26.112648Z\""}, at},
		{"offset", pairs{name, "2025-10-01T10:45:26.112+02:00"}, at},
		{"blank for T", pairs{name, "2025-10-01 08:45:26.112"}, at},
		{"no zone", pairs{name, "2025-10-01T08:45:26.112"}, at},
		{"milliseconds", pairs{name, at.UnixMilli()}, at},
		{"milliseconds as text", pairs{name, "1759308326112"}, at},
		{"no date", pairs{name, "soon"}, time.Time{}},
		{"too far", pairs{name, "9999999999999999"}, time.Time{}},
		{"nothing", nil, time.Time{}},
		{"delay", pairs{"ai.response.msToFirstChunk", 99.1}, start.Add(100 * time.Millisecond)},
		{"delay of a stream", pairs{"ai.stream.msToFirstChunk", "7"}, start.Add(7 * time.Millisecond)},
		{"response before stream", pairs{"ai.stream.msToFirstChunk", 7, "ai.response.msToFirstChunk", 5}, start.Add(5 * time.Millisecond)},
		{"date before delay", pairs{name, "2025-10-01T08:45:26.112Z", "ai.response.msToFirstChunk", 5}, at},
		{"absurd delay", pairs{"ai.response.msToFirstChunk", 1e300}, time.Time{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, withAttributes(tc.attributes...).row(t).CompletionStart)
		})
	}
}

func TestOrigin(t *testing.T) {
	s := testSpan{
		scope: "my-scope", version: "1.2",
		resource: pairs{
			"service.name", "shop", "service.version", "3", "telemetry.sdk.language", "go", "telemetry.sdk.name", "otel",
			"telemetry.sdk.version", "1.45",
		},
	}
	o := testConverter(t).Traces(s.traces(t), RequestOrigin{PublicKey: "pk", ClientName: "python", ClientVersion: "4.1"})[0]
	assert.Equal(t, model.Origin{
		Source: "otel", ServiceName: "shop", ServiceVersion: "3", ScopeName: "my-scope", ScopeVersion: "1.2",
		TelemetryLanguage: "go", TelemetryName: "otel", TelemetryVersion: "1.45",
		PublicKey: "pk", ClientName: "python", ClientVersion: "4.1",
	}, o.Origin)

	o = testSpan{}.row(t)
	assert.Equal(t, model.Origin{Source: "otel", ClientName: "unknown", ClientVersion: "unknown"}, o.Origin)
}

func TestAppRoot(t *testing.T) {
	const name = "langfuse.internal.is_app_root"
	assert.False(t, withAttributes().row(t).IsAppRoot)
	assert.True(t, withAttributes(name, true).row(t).IsAppRoot)
	assert.True(t, withAttributes(name, "true").row(t).IsAppRoot)
	assert.False(t, withAttributes(name, "True").row(t).IsAppRoot)
	assert.False(t, withAttributes(name, 1).row(t).IsAppRoot)
	assert.False(t, withAttributes("langfuse.internal.as_root", true).row(t).IsAppRoot)
}

// The names of the service follow its setting.
func TestOtherService(t *testing.T) {
	s := testSpan{scope: "acme-sdk", attributes: pairs{
		"acme.observation.type", "agent", "acme.observation.input", "in", "acme.environment", "acme-prod",
		"acme.observation.metadata.k", "1", "acme.trace.metadata.acme_user_id", "u",
	}}
	converter := New(Settings{Names: wire.NewNames("acme")})
	o := converter.Traces(s.traces(t), RequestOrigin{})[0]
	assert.Equal(t, model.TypeAgent, o.Type)
	assert.Equal(t, "in", o.Input)
	assert.Equal(t, "prod", o.Environment)
	assert.Equal(t, "u", o.UserID)
	assert.JSONEq(t, `{"scope.name":"acme-sdk","k":1,"acme_user_id":"u"}`, o.Metadata)
}

// What is kept for one span must not show up in the next.
func TestSpansDoNotMix(t *testing.T) {
	first := testSpan{scope: "x", attributes: pairs{
		"gen_ai.prompt.0.content", "a", "gen_ai.usage.input_tokens", 1, "langfuse.metadata.k.l", "v", "app", "1",
		"langfuse.experiment.metadata.e", "1", "user.id", "u",
	}}.traces(t)
	spans := first.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
	withAttributes().traces(t).ResourceSpans().At(0).ScopeSpans().At(0).Spans().MoveAndAppendTo(spans)
	rows := testConverter(t).Traces(first, RequestOrigin{})
	require.Len(t, rows, 2)
	alone := testSpan{scope: "x", name: "span"}.row(t)
	assert.Equal(t, alone, rows[1])
}

func TestConverterKeepsSpansAndIsSafeForMany(t *testing.T) {
	s := testSpan{scope: "ai", resource: pairs{"weir.project.id", "p"}, attributes: pairs{
		"ai.prompt.messages", `[{"role":"user","content":"hi"}]`, "ai.prompt.tools", `[{"name":"t","type":"function"}]`,
		"ai.telemetry.metadata.k",
		map[string]any{"a": []any{1, "b"}},
		"model_request_parameters", `{"function_tools":[{"name":"u"}],"x":1}`,
	}, events: []testEvent{{"gen_ai.content.prompt", pairs{"a", "b"}}}}
	td, untouched := s.traces(t), s.traces(t)
	td.MarkReadOnly()
	converter := testConverter(t)
	expected := converter.Traces(td, RequestOrigin{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 20 {
				assert.Equal(t, expected, converter.Traces(td, RequestOrigin{}))
			}
		})
	}
	group.Wait()
	marshaler := &ptrace.JSONMarshaler{}
	before, err := marshaler.MarshalTraces(untouched)
	require.NoError(t, err)
	after, err := marshaler.MarshalTraces(td)
	require.NoError(t, err)
	assert.JSONEq(t, string(before), string(after))
}

func TestRepeatedAttribute(t *testing.T) {
	request := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"ab000000000000000000000000000001","spanId":"cd00000000000002","attributes":[
		{"key":"user.id","value":{"stringValue":"first"}},
		{"key":"a","value":{"intValue":"1"}},
		{"key":"user.id","value":{"stringValue":"last"}},
		{"key":"a","value":{"intValue":"2"}}]}]}]}]}`
	td, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(request))
	require.NoError(t, err)
	o := testConverter(t).Traces(td, RequestOrigin{})[0]
	assert.Equal(t, "last", o.UserID)
	assert.Equal(t, `{"attributes.user.id":"last","attributes.a":2}`, o.Metadata)
}
