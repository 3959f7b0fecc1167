// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/model"
)

func TestTypeByValue(t *testing.T) {
	for name, values := range map[string]map[string]model.ObservationType{
		"langfuse.observation.type": {
			"span": "SPAN", "generation": "GENERATION", "event": "EVENT", "embedding": "EMBEDDING", "agent": "AGENT", "tool": "TOOL",
			"chain": "CHAIN", "retriever": "RETRIEVER", "guardrail": "GUARDRAIL", "evaluator": "EVALUATOR",
			"GENERATION": "SPAN", "other": "SPAN",
		},
		"openinference.span.kind": {
			"CHAIN": "CHAIN", "RETRIEVER": "RETRIEVER", "EMBEDDING": "EMBEDDING", "AGENT": "AGENT", "TOOL": "TOOL",
			"GUARDRAIL": "GUARDRAIL", "EVALUATOR": "EVALUATOR", "LLM": "GENERATION", "llm": "SPAN", "RERANKER": "SPAN",
		},
		"gen_ai.operation.name": {
			"chat": "GENERATION", "completion": "GENERATION", "text_completion": "GENERATION", "generate_content": "GENERATION",
			"generate": "GENERATION", "embeddings": "EMBEDDING", "invoke_agent": "AGENT", "create_agent": "AGENT",
			"execute_tool": "TOOL", "Chat": "SPAN",
		},
		"genkit:metadata:subtype": {
			"model": "GENERATION", "background-model": "GENERATION", "embedder": "EMBEDDING", "tool": "TOOL", "tool.v2": "TOOL",
			"retriever": "RETRIEVER", "evaluator": "EVALUATOR", "flow": "SPAN",
		},
		"operation.name":        {"ai.toolCall": "TOOL", "ai.toolCall weather": "TOOL", "ai.generateText.doGenerate": "SPAN", "ai.x": "SPAN"},
		"ai.operationId":        {"ai.toolCall": "TOOL", "ai.toolCall weather": "SPAN", "ai.embed.doEmbed": "SPAN"},
		"gen_ai.tool.name":      {"t": "TOOL", "": "SPAN"},
		"gen_ai.tool.call.id":   {"c": "TOOL", "": "SPAN"},
		"flue.tool.name":        {"t": "TOOL", "": "SPAN"},
		"flue.tool.call_id":     {"c": "TOOL"},
		"flue.task.id":          {"i": "AGENT"},
		"flue.task.agent":       {"a": "AGENT"},
		"gen_ai.request.model":  {"m": "GENERATION", "": "SPAN"},
		"gen_ai.response.model": {"m": "GENERATION"},
		"llm.model_name":        {"m": "GENERATION"},
		"model":                 {"m": "GENERATION", "": "SPAN"},
		"ai.model.id":           {"m": "SPAN"},
		"llm.response.model":    {"m": "SPAN"},

		"langfuse.observation.model.name": {"m": "GENERATION"},
	} {
		for value, expected := range values {
			assert.Equal(t, expected, withAttributes(name, value).row(t).Type, "%s = %q", name, value)
		}
	}
	assert.Equal(t, model.TypeSpan, withAttributes("model", []any{}).row(t).Type)
	assert.Equal(t, model.TypeSpan, withAttributes("gen_ai.tool.name", map[string]any{}).row(t).Type)
}

func TestTypeOfAIOperations(t *testing.T) {
	for operation, expected := range map[string]model.ObservationType{
		"ai.generateText.doGenerate": "GENERATION", "ai.generateObject.doGenerate": "GENERATION",
		"ai.streamText.doStream": "GENERATION", "ai.streamObject.doStream": "GENERATION",
		"ai.embed.doEmbed": "EMBEDDING", "ai.embedMany.doEmbed": "EMBEDDING",
		"ai.generateText": "SPAN", "ai.toolCall": "TOOL",
	} {
		assert.Equal(t, expected, withAttributes("ai.operationId", operation, "ai.model.id", "m").row(t).Type, operation)
		assert.Equal(t, expected, withAttributes("operation.name", operation+" f", "ai.model.id", "m").row(t).Type, operation)
	}
}

// Each rule beats those after it.
func TestTypeOrder(t *testing.T) {
	s := testSpan{scope: "livekit-agents", name: "agent_turn"}
	for _, step := range []struct {
		attributes pairs
		expected   model.ObservationType
	}{
		{pairs{"model", "m"}, "AGENT"},
		{pairs{"flue.tool.name", "t"}, "TOOL"},
		{pairs{"flue.task.id", "i"}, "TOOL"},
		{pairs{"ai.operationId", "ai.embed.doEmbed", "ai.model.id", "m"}, "EMBEDDING"},
		{pairs{"genkit:metadata:subtype", "retriever"}, "RETRIEVER"},
		{pairs{"gen_ai.operation.name", "chat"}, "GENERATION"},
		{pairs{"openinference.span.kind", "GUARDRAIL"}, "GUARDRAIL"},
		{pairs{"langfuse.observation.type", "event"}, "EVENT"},
	} {
		s.attributes = append(s.attributes, step.attributes...)
		assert.Equal(t, step.expected, s.row(t).Type, "%v", step.attributes)
	}
}

func TestTypeOfLiveKit(t *testing.T) {
	for name, expected := range map[string]model.ObservationType{
		"agent_turn": "AGENT", "start_agent_activity": "AGENT", "function_tool": "TOOL", "tts_node": "SPAN",
	} {
		assert.Equal(t, expected, testSpan{scope: "livekit-agents", name: name}.row(t).Type, name)
		assert.Equal(t, model.TypeSpan, testSpan{name: name}.row(t).Type, name)
	}
}

func TestTypeOfOldSDK(t *testing.T) {
	old := testSpan{
		scope: "langfuse-sdk", version: "3.3.4", resource: pairs{"telemetry.sdk.language", "python"},
		attributes: pairs{"langfuse.observation.type", "span"},
	}
	assert.Equal(t, model.TypeSpan, old.row(t).Type)
	for _, name := range []string{
		"model.name", "cost_details", "usage_details", "completion_start_time", "model.parameters", "prompt.name", "prompt.version",
	} {
		s := old
		s.attributes = append(pairs{"langfuse.observation." + name, "x"}, old.attributes...)
		assert.Equal(t, model.TypeGeneration, s.row(t).Type, name)

		for _, version := range []string{"", "abc", "2.60.3", "3.0.0", "3.x"} {
			s.version = version
			assert.Equal(t, model.TypeGeneration, s.row(t).Type, version)
		}
		for _, version := range []string{"3.4.0", "4.0.0", "10.1"} {
			s.version = version
			assert.Equal(t, model.TypeSpan, s.row(t).Type, version)
		}
		s.version = "3.3.4"
		js := s
		js.resource = pairs{"telemetry.sdk.language", "nodejs"}
		assert.Equal(t, model.TypeSpan, js.row(t).Type)
		foreign := s
		foreign.scope = "langfuse-sdk-fork"
		assert.Equal(t, model.TypeSpan, foreign.row(t).Type)
	}
}
