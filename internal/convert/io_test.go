// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestInputAndOutput(t *testing.T) {
	for _, tc := range []struct {
		name          string
		span          testSpan
		input, output string
	}{
		{"nothing", withAttributes(), "", ""},

		// The service's own attributes.
		{"own", withAttributes("langfuse.observation.input", "i", "langfuse.observation.output", `{"a": 1}`), "i", `{"a": 1}`},
		{"own input alone", withAttributes("langfuse.observation.input", "i", "output", "o"), "i", ""},
		{"empty own input blocks", withAttributes("langfuse.observation.input", "", "input", "i", "output", "o"), "", ""},
		{"own values of other types", withAttributes("langfuse.observation.input", 5, "langfuse.observation.output", []any{"a", true, nil}), "5", `["a",true,null]`},
		{"own map", withAttributes("langfuse.observation.input", map[string]any{"a": []byte{1, 2}}), `{"a":"AQI="}`, ""},
		{"not of the trace", withAttributes("langfuse.trace.input", "i", "langfuse.trace.output", "o"), "", ""},

		// Genkit.
		{"genkit", scoped("genkit-tracer", "genkit:input", `{"messages": [{"role":"user"}], "config":{}}`, "genkit:output", `{"message": {"role":"model"}}`), `[{"role":"user"}]`, `{"role":"model"}`},
		{"genkit without messages", scoped("genkit-tracer", "genkit:input", `{"a": 1}`, "genkit:output", `"done"`), `{"a":1}`, "done"},
		{"genkit text", scoped("genkit-tracer", "genkit:input", "plain"), "plain", ""},
		{"genkit stops", scoped("genkit-tracer", "input", "i"), "", ""},
		{"genkit elsewhere", scoped("other", "genkit:input", "plain"), "", ""},

		// Vercel AI SDK.
		{"AI messages", scoped("ai", "ai.prompt.messages", "[1]", "ai.prompt", "p", "ai.response.text", "t"), "[1]", "t"},
		{"AI prompt", scoped("ai", "ai.prompt", "p", "ai.toolCall.args", "a", "ai.result.text", "t"), "p", "t"},
		{"AI tool", scoped("ai", "ai.toolCall.args", "a", "ai.toolCall.result", "r"), "a", "r"},
		{"AI text with calls", scoped("ai", "ai.response.text", "t", "ai.response.toolCalls", `[{"toolName":"x"}]`), "", `{"role":"assistant","content":"t","tool_calls":"[{\"toolName\":\"x\"}]"}`},
		{"AI calls alone", scoped("ai", "ai.response.toolCalls", `[1]`), "", "[1]"},
		{"AI calls of the outer span", scoped("ai", "ai.result.toolCalls", `[2]`), "", "[2]"},
		{"AI object", scoped("ai", "ai.response.text", "", "ai.response.object", `{"a":1}`), "", `{"a":1}`},
		{"AI object of the outer span", scoped("ai", "ai.result.object", `{"b":1}`), "", `{"b":1}`},
		{"AI with GenAI names", scoped("ai", "gen_ai.input.messages", "[]", "gen_ai.output.messages", "[3]"), "[]", "[3]"},
		{"AI mixed", scoped("ai", "ai.prompt", "p", "gen_ai.output.messages", "[3]"), "p", "[3]"},
		{"AI stops", scoped("ai", "input", "i"), "", ""},
		{"AI elsewhere", scoped("other", "ai.prompt", "p"), "", ""},

		// Flue.
		{"flue turn", scoped("@flue/opentelemetry", "flue.turn.input", `{"a": 1}`, "flue.turn.output", `"x"`), `{"a":1}`, "x"},
		{"flue tool", scoped("@flue/opentelemetry", "flue.tool.arguments", "a b", "flue.tool.result", "[ ]"), "a b", "[]"},
		{"flue task", scoped("@flue/opentelemetry", "flue.task.prompt", "p", "flue.task.result", "r"), "p", "r"},
		{"flue workflow", scoped("@flue/opentelemetry", "flue.workflow.payload", "p", "flue.workflow.result", "r"), "p", "r"},
		{"flue operation", scoped("@flue/opentelemetry", "flue.operation.result", "r", "flue.workflow.result", "no"), "", "r"},
		{"flue goes on", scoped("@flue/opentelemetry", "input", "i"), "i", ""},

		// Google ADK.
		{"ADK", withAttributes("gcp.vertex.agent.llm_request", `{"a":1}`, "gcp.vertex.agent.llm_response", `{"b":1}`, "input", "no"), `{"a":1}`, `{"b":1}`},
		{"ADK tool", withAttributes("gcp.vertex.agent.llm_request", "{}", "gcp.vertex.agent.tool_call_args", "a", "gcp.vertex.agent.llm_response", "", "gcp.vertex.agent.tool_response", "r"), "a", "r"},
		{"ADK told nothing", withAttributes("gcp.vertex.agent.llm_request", "{}", "input.value", "i"), "i", ""},

		// Logfire, LiveKit.
		{"logfire", withAttributes("prompt", "p", "all_messages_events", "[1]", "input", "no"), "p", "[1]"},
		{"livekit text", withAttributes("lk.input_text", "a", "lk.user_transcript", "b", "lk.response.text", "c"), "a", "c"},
		{"livekit transcript", withAttributes("lk.user_transcript", "b", "lk.chat_ctx", "c", "lk.function_tool.output", "o", "lk.response.text", "no"), "b", "o"},
		{"livekit context", withAttributes("lk.chat_ctx", "c"), "c", ""},
		{"events", withAttributes("events", `[{"event.name":"gen_ai.user.message","content":"q"},{"event.name":"gen_ai.choice","message":{"a":1}},{"event.name":"gen_ai.choice"}]`), `[{"event.name":"gen_ai.user.message","content":"q"}]`, `{"event.name":"gen_ai.choice","message":{"a":1}}`},
		{"events as a list", withAttributes("events", []any{map[string]any{"event.name": "x"}}), `[{"event.name":"x"}]`, ""},
		{"events that are none", withAttributes("events", "several", "input", "i"), "i", ""},

		// Pairs of attributes, in their order.
		{"mlflow", withAttributes("mlflow.spanInputs", "a", "traceloop.entity.output", "no"), "a", ""},
		{"traceloop", withAttributes("traceloop.entity.input", "a", "traceloop.entity.output", "b", "input.value", "no"), "a", "b"},
		{"openinference", withAttributes("input.value", "a", "output.value", "b", "input", "no"), "a", "b"},
		{"pydantic", withAttributes("input", "a", "output", "b", "tool_arguments", "no"), "a", "b"},
		{"pydantic tool", withAttributes("tool_arguments", "a", "tool_response", "b", "gen_ai.prompt", "no"), "a", "b"},
		{"empty values do not count", withAttributes("mlflow.spanInputs", "", "input", "i"), "i", ""},
		{"pydantic agent", scoped("pydantic-ai", "pydantic_ai.all_messages", `[{"role":"user"}]`, "final_result", "r"), `[{"role":"user"}]`, "r"},
		{"pydantic agent with instructions", scoped("pydantic-ai", "pydantic_ai.all_messages", `[{"role":"user"}]`, "gen_ai.system_instructions", "be kind"), `[{"role":"system","content":"be kind"},{"role":"user"}]`, ""},
		{"pydantic agent elsewhere", withAttributes("pydantic_ai.all_messages", "[]", "final_result", "r"), "", ""},

		// GenAI conventions.
		{"messages", withAttributes("gen_ai.input.messages", "[1]", "gen_ai.output.messages", "[2]", "gen_ai.tool.call.arguments", "no"), "[1]", "[2]"},
		{"no tool beside a message", withAttributes("gen_ai.output.messages", "[2]", "gen_ai.tool.call.arguments", "no"), "", "[2]"},
		{"tool", withAttributes("gen_ai.tool.call.arguments", "a", "gen_ai.tool.call.result", "b"), "a", "b"},
		{"messages as values", withAttributes("gen_ai.input.messages", []any{map[string]any{"role": "user"}}), `[{"role":"user"}]`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := tc.span.row(t)
			assert.Equal(t, tc.input, o.Input, "input")
			assert.Equal(t, tc.output, o.Output, "output")
		})
	}
}

func TestInstructions(t *testing.T) {
	const user = `[{"role":"user"}]`
	for _, tc := range []struct {
		name            string
		instructions    any
		input, expected any
	}{
		{"text", "be kind", user, `[{"role":"system","content":"be kind"},{"role":"user"}]`},
		{"list", `[{"type":"text","content":"a"},"b",{"c":1}]`, user, `[{"role":"system","content":"a\nb\n{\"c\":1}"},{"role":"user"}]`},
		{"list of values", []any{map[string]any{"content": "a"}}, user, `[{"role":"system","content":"a"},{"role":"user"}]`},
		{"already there", "no", `[{"role":"user"}, {"role":"system"}]`, `[{"role":"user"}, {"role":"system"}]`},
		{"no list", "no", `{"role": "user"}`, `{"role": "user"}`},
		{"no JSON", "no", "hello", "hello"},
		{"empty", "", `[ ]`, `[ ]`},
		{"empty list", "[]", `[ ]`, `[ ]`},
		{"no input", "no", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := withAttributes("gen_ai.system_instructions", tc.instructions, "gen_ai.input.messages", tc.input).row(t)
			assert.Equal(t, tc.expected, o.Input)
		})
	}
}

func TestInputAndOutputOfEvents(t *testing.T) {
	for _, tc := range []struct {
		name          string
		events        []testEvent
		input, output string
	}{
		{"details", []testEvent{{"gen_ai.client.inference.operation.details", pairs{
			"gen_ai.input.messages", `[{"role":"user"}]`, "gen_ai.output.messages", "[2]", "gen_ai.system_instructions", "s",
		}}}, `[{"role":"system","content":"s"},{"role":"user"}]`, "[2]"},
		{"details of a tool", []testEvent{{"gen_ai.client.inference.operation.details", pairs{"gen_ai.tool.call.result", "r"}}}, "", "r"},
		{"empty details", []testEvent{{"gen_ai.client.inference.operation.details", nil}, {"gen_ai.choice", pairs{"a", 1}}}, "", `{"a":1}`},
		{"messages", []testEvent{
			{"gen_ai.system.message", pairs{"content", "s"}},
			{"gen_ai.user.message", pairs{"content", "u"}},
			{"other", pairs{"content", "no"}},
			{"gen_ai.assistant.message", pairs{"tool_calls", "[]"}},
			{"gen_ai.tool.message", pairs{"id", "c", "role", "custom"}},
		}, `[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","tool_calls":"[]"},{"id":"c","role":"custom"}]`, ""},
		{"several choices", []testEvent{{"gen_ai.choice", pairs{"index", 0}}, {"gen_ai.choice", pairs{"index", 1}}}, "", `[{"index":0},{"index":1}]`},
		{"messages before contents", []testEvent{{"gen_ai.content.prompt", pairs{"gen_ai.prompt", "no"}}, {"gen_ai.choice", pairs{"index", 0}}}, "", `{"index":0}`},
		{"contents", []testEvent{
			{"gen_ai.content.prompt", pairs{"gen_ai.prompt", "p"}},
			{"gen_ai.content.prompt", pairs{"gen_ai.prompt", "second"}},
			{"gen_ai.content.completion", pairs{"gen_ai.completion", "c"}},
		}, "p", "c"},
		{"only a prompt", []testEvent{{"gen_ai.content.prompt", pairs{"gen_ai.prompt", "p"}}}, "p", "{}"},
		{"only a completion", []testEvent{{"gen_ai.content.completion", pairs{"gen_ai.completion.0.role", "a"}}}, "{}", `[{"role":"a"}]`},
		{"unknown attributes", []testEvent{{"gen_ai.content.prompt", pairs{"x", "y"}}}, `{"x":"y"}`, "{}"},
		{"attributes of another library", []testEvent{{"gen_ai.content.completion", pairs{"output.value", "o"}}}, "{}", "o"},
		{"other events", []testEvent{{"exception", pairs{"exception.type", "x"}}}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := testSpan{events: tc.events}.row(t)
			assert.Equal(t, tc.input, o.Input, "input")
			assert.Equal(t, tc.output, o.Output, "output")
		})
	}
	s := testSpan{events: []testEvent{{"gen_ai.choice", pairs{"index", 0}}}, attributes: pairs{"langfuse.observation.input", "i"}}
	assert.Empty(t, s.row(t).Output, "the service's own attributes come first")
	s.attributes = pairs{"input", "i"}
	assert.Equal(t, `{"index":0}`, s.row(t).Output, "events come before attributes of libraries")
}

func TestRebuiltMessages(t *testing.T) {
	for _, tc := range []struct {
		name          string
		attributes    pairs
		input, output string
	}{
		{"list", pairs{"gen_ai.prompt.0.role", "user", "gen_ai.prompt.0.content", "q", "gen_ai.prompt.1.role", "tool", "gen_ai.completion.0.content", "a"}, `[{"role":"user","content":"q"},{"role":"tool"}]`, `[{"content":"a"}]`},
		{"object", pairs{"gen_ai.prompt.role", "user", "gen_ai.prompt.parts.0.text", "q"}, `{"role":"user","parts":[{"text":"q"}]}`, "{}"},
		{"whole text", pairs{"gen_ai.prompt", "p", "gen_ai.prompt.0.role", "no"}, "p", "{}"},
		{"empty whole text", pairs{"gen_ai.prompt", "", "gen_ai.prompt.0.role", "r"}, `[{"role":"r"}]`, "{}"},
		{"OpenInference", pairs{"llm.input_messages.0.message.role", "user", "llm.output_messages.0.message.tool_calls.1.tool_call.id", "c"}, `[{"message":{"role":"user"}}]`, `[{"message":{"tool_calls":[null,{"tool_call":{"id":"c"}}]}}]`},
		{"prompts first", pairs{"llm.input_messages.0.a", "no", "gen_ai.completion.0.b", 1}, "{}", `[{"b":1}]`},
		{"holes", pairs{"gen_ai.prompt.2.a", true}, `[null,null,{"a":true}]`, "{}"},
		{"values", pairs{"gen_ai.prompt.a", 1.5, "gen_ai.prompt.b", []any{"x"}, "gen_ai.prompt.c", map[string]any{"d": "e"}}, `{"a":1.5,"b":["x"],"c":{"d":"e"}}`, "{}"},
		{"last value wins", pairs{"gen_ai.prompt.a.b", 1, "gen_ai.prompt.a", 2}, `{"a":2}`, "{}"},
		{"no way through a value", pairs{"gen_ai.prompt.a", 2, "gen_ai.prompt.a.b", 1}, `{"a":2}`, "{}"},
		{"no name in a list", pairs{"gen_ai.prompt.0.a", 1, "gen_ai.prompt.b", 2}, `[{"a":1}]`, "{}"},
		{"number in an object", pairs{"gen_ai.prompt.a.b", 1, "gen_ai.prompt.a.0", 2}, `{"a":{"b":1,"0":2}}`, "{}"},
		{"bare number", pairs{"gen_ai.prompt.0", "x"}, `{"0":"x"}`, "{}"},
		{"unsafe names", pairs{"gen_ai.prompt.__proto__.a", 1, "gen_ai.prompt.a.constructor", 1, "gen_ai.prompt.prototype", 1, "gen_ai.prompt.b", 2}, `{"b":2}`, "{}"},
		{"index out of range", pairs{"gen_ai.prompt.10001.a", 1, "gen_ai.prompt.0.a", 2, "gen_ai.prompt.99999999999999999999.a", 3}, `[{"a":2}]`, "{}"},
		{"nothing left", pairs{"gen_ai.prompt.10001.a", 1}, "{}", "{}"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := withAttributes(tc.attributes...).row(t)
			assert.Equal(t, tc.input, o.Input, "input")
			assert.Equal(t, tc.output, o.Output, "output")
		})
	}
}

// The elements that all paths create together are bounded, and a path over the bound leaves nothing behind.
func TestRebuiltMessagesAreBounded(t *testing.T) {
	tree := pathTree{slots: maxSlots, root: branch{isList: true}}
	value := textNode("x")
	assert.True(t, tree.set("0.a", value))
	assert.True(t, tree.set("0.b.9999", value))
	assert.Zero(t, tree.slots)
	assert.False(t, tree.set("1.a", value))
	assert.False(t, tree.set("0.c.d.0", value))
	assert.True(t, tree.set("0.c", value), "a path without new elements is free")
	assert.True(t, tree.set("0.b.7.z", value))
	node := tree.root.node()
	assert.Len(t, node.Items, 1)
	assert.Equal(t, []string{"a", "b", "c"}, node.Items[0].Keys)
	assert.Len(t, node.Items[0].Items[1].Items, 10_000)
}
