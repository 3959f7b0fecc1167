// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/wire"
)

// chat is the JSON text of a list of messages, about as long as asked for.
func chat(role string, size int) string {
	text := strings.Repeat("The weather in Paris is fine today, is it not? ", size/40)
	return string(wire.AppendString(fmt.Appendf(nil, `[{"role":%q,"content":`, role), text[:size])) + "}]"
}

// benchSpans is a request with a number of equal spans.
func benchSpans(scope string, count int, fill func(pcommon.Map)) ptrace.Traces {
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", "shop")
	rs.Resource().Attributes().PutStr("telemetry.sdk.language", "python")
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName(scope)
	ss.Scope().SetVersion("4.14.0")
	ss.Scope().Attributes().PutStr("public_key", "pk-lf-1234")
	for i := range count {
		span := ss.Spans().AppendEmpty()
		span.SetTraceID([16]byte{1, byte(i)})
		span.SetSpanID([8]byte{2, byte(i)})
		span.SetParentSpanID([8]byte{3})
		span.SetName("answer")
		span.SetStartTimestamp(1_752_384_000_000_000_000)
		span.SetEndTimestamp(1_752_384_001_000_000_000)
		fill(span.Attributes())
	}
	return td
}

// prose is text with a character here and there that is not ASCII.
func prose(size int) string {
	const sentence = "the model answers with a table of costs, and the user asks for more details about the weather in the city " +
		"of Zürich, while tools return objects 5b2f09ae and lists of numbers that nobody reads twice; "
	return strings.Repeat(sentence, size/len(sentence)+1)[:size]
}

// BenchmarkConvert converts a generation with 25 attributes, 2 kB of input and 2 kB of output, as the service's own
// client writes it and as an instrumentation by the GenAI conventions does; and a plain one with 14 attributes and 1 kB
// of prose, as most are.
func BenchmarkConvert(b *testing.B) {
	prices, err := pricing.Default()
	require.NoError(b, err)
	converter := New(Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices})
	input, output := chat("user", 2000), chat("assistant", 2000)

	sdk := func(m pcommon.Map) {
		m.PutStr("langfuse.observation.type", "generation")
		m.PutStr("langfuse.observation.level", "DEFAULT")
		m.PutStr("langfuse.observation.input", input)
		m.PutStr("langfuse.observation.output", output)
		m.PutStr("langfuse.observation.model.name", "gpt-4o")
		m.PutStr("langfuse.observation.model.parameters", `{"temperature":0.7,"max_tokens":1024}`)
		m.PutStr("langfuse.observation.usage_details", `{"input":500,"output":480,"total":980}`)
		m.PutStr("langfuse.observation.completion_start_time", `"2025-07-13T05:20:00.250Z"`)
		m.PutStr("langfuse.observation.prompt.name", "answer")
		m.PutInt("langfuse.observation.prompt.version", 3)
		m.PutStr("langfuse.environment", "production")
		m.PutStr("langfuse.release", "v1.2.3")
		m.PutStr("langfuse.version", "7")
		m.PutStr("langfuse.trace.name", "chat")
		m.PutStr("user.id", "user-17")
		m.PutStr("session.id", "session-42")
		m.PutEmptySlice("langfuse.trace.tags").AppendEmpty().SetStr("beta")
		m.PutBool("langfuse.internal.is_app_root", true)
		m.PutStr("langfuse.trace.metadata.tenant", `"acme"`)
		m.PutStr("langfuse.trace.metadata.region", "eu")
		for i := range 4 {
			m.PutStr(fmt.Sprintf("langfuse.observation.metadata.key%d", i), fmt.Sprintf("\"value %d\"", i))
		}
		m.PutStr("langfuse.observation.metadata.nested", `{"a":1,"b":{"c":true}}`)
	}
	genAI := func(m pcommon.Map) {
		m.PutStr("gen_ai.operation.name", "chat")
		m.PutStr("gen_ai.system", "openai")
		m.PutStr("gen_ai.request.model", "gpt-4o")
		m.PutStr("gen_ai.response.model", "gpt-4o-2024-08-06")
		m.PutStr("gen_ai.response.id", "chatcmpl-1")
		m.PutDouble("gen_ai.request.temperature", 0.7)
		m.PutInt("gen_ai.request.max_tokens", 1024)
		m.PutDouble("gen_ai.request.top_p", 1)
		m.PutEmptySlice("gen_ai.response.finish_reasons").AppendEmpty().SetStr("stop")
		m.PutInt("gen_ai.usage.input_tokens", 500)
		m.PutInt("gen_ai.usage.output_tokens", 480)
		m.PutInt("gen_ai.usage.cache_read.input_tokens", 100)
		m.PutStr("gen_ai.input.messages", input)
		m.PutStr("gen_ai.output.messages", output)
		m.PutStr("gen_ai.conversation.id", "session-42")
		m.PutStr("user.id", "user-17")
		m.PutStr("server.address", "api.openai.com")
		m.PutInt("server.port", 443)
		for i := range 7 {
			m.PutStr(fmt.Sprintf("app.attribute.%d", i), "some value")
		}
	}
	plain := func(m pcommon.Map) {
		m.PutStr("langfuse.observation.type", "generation")
		m.PutStr("langfuse.observation.model.name", "gpt-4o")
		m.PutStr("langfuse.observation.model.parameters", `{"temperature":0.7,"max_tokens":1000}`)
		m.PutStr("langfuse.observation.input", prose(512))
		m.PutStr("langfuse.observation.output", prose(512))
		m.PutStr("langfuse.observation.usage_details", `{"input":117,"output":37}`)
		m.PutStr("user.id", "user-17")
		m.PutStr("session.id", "session-42")
		m.PutStr("langfuse.environment", "production")
		m.PutStr("langfuse.trace.name", "agent")
		m.PutStr("langfuse.observation.metadata.tenant", "tenant-17")
		m.PutStr("langfuse.observation.metadata.region", "eu-central-1")
		m.PutInt("langfuse.observation.metadata.attempt", 2)
		m.PutStr("langfuse.trace.metadata.plan", "enterprise")
	}
	for _, tc := range []struct {
		name, scope string
		attributes  int
		fill        func(pcommon.Map)
	}{
		{"sdk", "langfuse-sdk", 25, sdk},
		{"genai", "opentelemetry.instrumentation.openai_v2", 25, genAI},
		{"plain", "langfuse-sdk", 14, plain},
	} {
		b.Run(tc.name, func(b *testing.B) {
			td := benchSpans(tc.scope, 64, tc.fill)
			require.Equal(b, tc.attributes, td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).Attributes().Len())
			b.ReportAllocs()
			for b.Loop() {
				converter.Traces(td, RequestOrigin{})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/span")
		})
	}
}
