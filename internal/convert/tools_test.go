// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/model"
)

// Definitions of tools go from where libraries write them into the input.
func TestMovedTools(t *testing.T) {
	const tool = `{"name":"t","parameters":{}}`
	const tools = `[` + tool + `]`
	for _, tc := range []struct {
		name            string
		span            testSpan
		input, metadata string
	}{
		{"GenAI, no input", withAttributes("gen_ai.tool.definitions", tools), `{"tools":` + tools + `}`, ""},
		{"AI SDK", withAttributes("ai.prompt.tools", tools, "input", `[{"role": "user"}]`), `{"messages":[{"role":"user"}],"tools":` + tools + `}`, ""},
		{"AI SDK, texts in a list", withAttributes("ai.prompt.tools", []any{tool}), `{"tools":` + tools + `}`, ""},
		{"AI SDK, types without names", withAttributes("ai.prompt.tools", `[{"type":"x"}]`), `{"tools":[{"type":"x"}]}`, ""},
		{"metadata", withAttributes("langfuse.observation.metadata.tools", tools, "input", "hi"), `{"prompt":"hi","tools":` + tools + `}`, ""},
		{"metadata of the client", sdk("langfuse.observation.metadata.tools", tools), `{"tools":` + tools + `}`, `{"scope.name":"langfuse-sdk"}`},
		{"metadata without names", sdk("langfuse.observation.metadata.tools", `[{"name":"a"},{"x":1}]`), "", `{"scope.name":"langfuse-sdk","tools":[{"name":"a"},{"x":1}]}`},
		{"metadata that is no list", sdk("langfuse.observation.metadata.tools", "hammer"), "", `{"scope.name":"langfuse-sdk","tools":"hammer"}`},
		{"pydantic", withAttributes("model_request_parameters", `{"function_tools":`+tools+`,"mode":"text"}`), `{"tools":` + tools + `}`, `{"attributes.model_request_parameters":"{\"mode\":\"text\"}"}`},
		{"pydantic, nothing else", withAttributes("model_request_parameters", `{"function_tools":`+tools+`}`), `{"tools":` + tools + `}`, ""},
		{"OpenInference", withAttributes("llm.tools.10.tool.json_schema", `{"name":"b"}`, "llm.tools.2.tool.json_schema", `{"name":"a"}`, "llm.tools.2.other", 1), `{"tools":[{"name":"a"},{"name":"b"}]}`, `{"attributes.llm.tools.2.other":1}`},
		{"several sources", withAttributes("gen_ai.tool.definitions", `[{"name":"t","x":1},{"name":"u"}]`, "ai.prompt.tools", tools), `{"tools":[` + tool + `,{"name":"u"}]}`, ""},
		{"object", withAttributes("gen_ai.tool.definitions", tools, "input", `{"a":1}`), `{"a":1,"tools":` + tools + `}`, ""},
		{"object with tools", withAttributes("gen_ai.tool.definitions", tools, "input", `{"tools":[{"name":"u"},{"name":"t"}],"a":1}`), `{"tools":[{"name":"u"},{"name":"t"}],"a":1}`, ""},
		{"JSON null", withAttributes("gen_ai.tool.definitions", tools, "input", "null"), `{"tools":` + tools + `}`, ""},
		{"JSON string", withAttributes("gen_ai.tool.definitions", tools, "input", `"hi"`), `{"prompt":"hi","tools":` + tools + `}`, ""},
		{"no place", withAttributes("gen_ai.tool.definitions", "[]", "input", "5"), "5", `{"attributes.gen_ai.tool.definitions":"[]"}`},
		{"no place for some", withAttributes("gen_ai.tool.definitions", tools, "input", "true"), "true", `{"attributes.gen_ai.tool.definitions":"[{\"name\":\"t\",\"parameters\":{}}]"}`},
		{"not of the client's attributes", sdk("gen_ai.tool.definitions", tools), "", `{"scope.name":"langfuse-sdk"}`},
		{"broken", withAttributes("gen_ai.tool.definitions", "[{", "model_request_parameters", "x"), "", `{"attributes.gen_ai.tool.definitions":"[{","attributes.model_request_parameters":"x"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := tc.span.row(t)
			assert.Equal(t, tc.input, o.Input)
			assert.Equal(t, tc.metadata, o.Metadata)
		})
	}
}

func TestToolDefinitions(t *testing.T) {
	definition := func(name, description, parameters string) model.NamedText {
		return model.NamedText{Name: name, Text: `{"description":` + description + `,"parameters":` + parameters + `}`}
	}
	for _, tc := range []struct {
		name, input string
		expected    []model.NamedText
	}{
		{"text", "use the tools", nil},
		{"OpenAI", `{"messages":[],"tools":[{"type":"function","function":{"name":"a","description":"d","parameters":{"type":"object"}}}]}`, []model.NamedText{definition("a", `"d"`, `"{\"type\":\"object\"}"`)}},
		{"flat", `{"tools":[{"name":"a","input_schema":{}},{"name":"b","inputSchema":"text"},{"name":"a"}]}`, []model.NamedText{definition("a", `""`, `"{}"`), definition("b", `""`, `"text"`)}},
		{"Bedrock", `{"tools":[{"toolSpec":{"name":"a","description":"d"}}]}`, []model.NamedText{definition("a", `"d"`, `""`)}},
		{"of messages", `[{"role":"user","tools":[{"name":"a"}]},{"role":"user"}]`, []model.NamedText{definition("a", `""`, `""`)}},
		{"LangGraph", `[{"role":"tool","content":{"type":"function","function":{"name":"a"}}},{"role":"tool","content":"result"}]`, []model.NamedText{definition("a", `""`, `""`)}},
		{"LangGraph, in an object", `{"messages":[{"role":"tool","content":{"type":"function","function":{"name":"a"}}}]}`, []model.NamedText{definition("a", `""`, `""`)}},
		{"without names", `{"tools":[{"x":1},5,null]}`, nil},
		{"no list", `{"tools":{"name":"a"}}`, nil},
		{"broken", `{"tools":[`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, sdk("langfuse.observation.input", tc.input).row(t).ToolDefinitions)
		})
	}
}

func TestToolCalls(t *testing.T) {
	for _, tc := range []struct {
		name, output string
		calls, names []string
	}{
		{"text", "I call a tool", nil, nil},
		{"OpenAI", `{"choices":[{"message":{"tool_calls":[{"id":"1","type":"function","function":{"name":"a","arguments":"{\"x\": 1}"}}]}}]}`, []string{`{"id":"1","arguments":"{\"x\": 1}","type":"function","index":0}`}, []string{"a"}},
		{"message", `{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a"}},{"id":"2","function":{"name":"b"}}]}`, []string{`{"id":"1","arguments":"","type":"","index":0}`, `{"id":"2","arguments":"","type":"","index":1}`}, []string{"a", "b"}},
		{"own index", `{"tool_calls":[{"index":7,"name":"a"}]}`, []string{`{"id":"","arguments":"","type":"","index":7}`}, []string{"a"}},
		{"messages", `[{"role":"user"},{"toolCalls":[{"toolCallId":"1","toolName":"a","args":{"x":1}}]}]`, []string{`{"id":"1","arguments":"{\"x\":1}","type":"","index":0}`}, []string{"a"}},
		{"calls as text", `{"tool_calls":"[{\"id\":\"1\",\"name\":\"a\",\"args\":{}}]"}`, []string{`{"id":"1","arguments":"{}","type":"","index":0}`}, []string{"a"}},
		{"LangChain, told twice", `{"tool_calls":[{"id":"1","name":"a","args":{},"type":"tool_call"}],"additional_kwargs":{"tool_calls":[{"id":"1","function":{"name":"a"}},{"id":"2","function":{"name":"b"}}]}}`, []string{`{"id":"1","arguments":"{}","type":"tool_call","index":0}`, `{"id":"2","arguments":"","type":"","index":1}`}, []string{"a", "b"}},
		{"Anthropic", `{"content":[{"type":"text","text":"x"},{"type":"tool_use","id":"1","name":"a","input":{"x":1}}]}`, []string{`{"id":"1","arguments":"{\"x\":1}","type":"tool_use","index":0}`}, []string{"a"}},
		{"AI SDK", `[{"type":"tool-call","toolCallId":"1","toolName":"a","input":{}}]`, []string{`{"id":"1","arguments":"{}","type":"tool-call","index":0}`}, []string{"a"}},
		{"AI SDK content", `{"content":[{"type":"tool-call","toolCallId":"1","toolName":"a"}]}`, []string{`{"id":"1","arguments":"","type":"tool-call","index":0}`}, []string{"a"}},
		{"GenAI parts", `[{"role":"assistant","parts":[{"type":"tool_call","id":"1","name":"a","arguments":{"x":1}}]}]`, []string{`{"id":"1","arguments":"{\"x\":1}","type":"tool_call","index":0}`}, []string{"a"}},
		{"responses", `[{"type":"function_call","call_id":"1","id":"fc","name":"a","arguments":"{}"}]`, []string{`{"id":"1","arguments":"{}","type":"function_call","index":0}`}, []string{"a"}},
		{"alone", `{"id":"1","name":"a","arguments":{}}`, []string{`{"id":"1","arguments":"{}","type":"","index":0}`}, []string{"a"}},
		{"OpenInference", `[{"message":{"tool_calls":[{"tool_call":{"id":"1","function":{"name":"a","arguments":"{}"}}}]}}]`, []string{`{"id":"1","arguments":"{}","type":"","index":0}`}, []string{"a"}},
		{"message as text", `{"finish_reason":"tool_calls","message":"{\"tool_calls\":[{\"name\":\"a\"}]}"}`, []string{`{"id":"","arguments":"","type":"","index":0}`}, []string{"a"}},
		{"data that is no call", `[{"id":"1","name":"a","input":"x"},{"name":"a","arguments":1},{"type":"function","name":"a"}]`, nil, nil},
		{"without a name", `{"tool_calls":[{"id":"1","function":{"arguments":"name"}},5]}`, nil, nil},
		{"broken", `{"tool_calls":[{"name":"a"}`, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := sdk("langfuse.observation.output", tc.output).row(t)
			assert.Equal(t, tc.calls, o.ToolCalls)
			assert.Equal(t, tc.names, o.ToolCallNames)
		})
	}
}

// The looks that spare most texts the parsing must not spare one that has tools.
func TestCheapLooks(t *testing.T) {
	plain := chat("assistant", 2000)
	assert.False(t, mayCallTools(plain))
	assert.False(t, mayDefineTools(plain))
	assert.False(t, mayCallTools(`no JSON "name" "tool"`))
	assert.True(t, mayCallTools(` {"name":"a","args":1}`))
	assert.True(t, mayDefineTools("\n"+`[{"tools":[]}]`))
}
