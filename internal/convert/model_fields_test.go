// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestModelName(t *testing.T) {
	names := []string{
		"langfuse.observation.model.name", "gen_ai.response.model", "ai.model.id", "gen_ai.request.model", "llm.response.model",
		"llm.model_name", "model",
	}
	var attributes pairs
	for _, name := range slices.Backward(names) {
		attributes = append(attributes, name, "from "+name)
		assert.Equal(t, "from "+name, withAttributes(attributes...).row(t).Model)
	}
	for _, operation := range []string{"invoke_agent", "agent_step"} {
		o := withAttributes(append(attributes, "gen_ai.operation.name", operation, "gen_ai.usage.input_tokens", 1, "gen_ai.usage.cost", 1)...).row(t)
		assert.Empty(t, o.Model, operation)
		assert.Empty(t, o.Usage, operation)
		assert.Empty(t, o.Cost, operation)
	}
	assert.Equal(t, "googleai/gemini", withAttributes("genkit:name", "googleai/gemini", "genkit:metadata:subtype", "model").row(t).Model)
	assert.Empty(t, withAttributes("genkit:name", "flow", "genkit:metadata:subtype", "flow").row(t).Model)
	assert.Equal(t, "m", withAttributes("langfuse.observation.model.name", "", "model", "m").row(t).Model)
}

func TestModelParameters(t *testing.T) {
	const nulls = `"maxSteps":null,"toolChoice":null,"maxTokens":null,"finishReason":null,"system":null,"maxRetries":null,"mode":null`
	for _, tc := range []struct {
		name     string
		span     testSpan
		expected string
	}{
		{"none", withAttributes(), ""},
		{"own", withAttributes("langfuse.observation.model.parameters", `{"a": 1, "b": "x", "c": true, "d": null, "e": [1, 2], "f": {"g": 1}}`, "gen_ai.request.top_p", 1), `{"a":1,"b":"x","c":"true","d":"null","e":"[1,2]","f":"{\"g\":1}"}`},
		{"own as a map", withAttributes("langfuse.observation.model.parameters", map[string]any{"a": 1}), `{"a":1}`},
		{"own that is no object", withAttributes("langfuse.observation.model.parameters", `[1]`, "gen_ai.request.top_p", 1), `{"top_p":1}`},
		{"own number stays exact", withAttributes("langfuse.observation.model.parameters", `{"seed": 9007199254740993}`), `{"seed":9007199254740993}`},
		{"repeated key", withAttributes("langfuse.observation.model.parameters", `{"a": 1, "a": 2}`), `{"a":2}`},
		{"invocation parameters", withAttributes("llm.invocation_parameters", `{"a":1}`, "model_config", `{"b":1}`, "gen_ai.request.c", 1), `{"a":1}`},
		{"model config", withAttributes("model_config", `{"b":1}`, "gen_ai.request.c", 1), `{"b":1}`},
		{"requests", withAttributes("gen_ai.request.model", "m", "gen_ai.request.temperature", 0.5, "gen_ai.request.seed", "", "gen_ai.request.stop", []any{"x"}, "llm.invocation_parameters.top_k", 4, "gen_ai.request.stream", true), `{"temperature":0.5,"seed":"","stop":"[\"x\"]","top_k":4,"stream":"true"}`},
		{"request and invocation", withAttributes("gen_ai.request.a", 1, "llm.invocation_parameters.a", 2), `{"a":2}`},
		{"genkit input", scoped("genkit-tracer", "genkit:input", `{"config":{"temperature":1}}`), `{"temperature":1}`},
		{"genkit output", scoped("genkit-tracer", "genkit:output", `{"request":{"config":{"topK":3}}}`), `{"topK":3}`},
		{"genkit without", scoped("genkit-tracer", "gen_ai.request.a", 1), ""},
		{"AI without", scoped("ai"), `{` + nulls + `,"temperature":null,"service_tier":null}`},
		{"AI", scoped(
			"ai", "ai.settings.maxSteps", 5, "ai.prompt.toolChoice", `{"type":"auto"}`, "gen_ai.request.max_tokens", 10,
			"gen_ai.response.finish_reasons", []any{"stop"}, "gen_ai.system", "openai", "ai.settings.maxRetries", 2,
			"ai.settings.mode", "m", "gen_ai.request.temperature", 0, "gen_ai.request.service_tier", "flex",
		), `{"maxSteps":"5","toolChoice":"{\"type\":\"auto\"}","maxTokens":"10","finishReason":"[\"stop\"]","system":"openai","maxRetries":"2","mode":"m","temperature":"0","service_tier":"flex"}`},
		{"AI, second sources", scoped(
			"ai", "gen_ai.finishReason", "stop", "ai.model.provider", "p", "ai.response.providerMetadata", `{"openai":{"serviceTier":"priority"}}`,
			"gen_ai.request.service_tier", "no",
		), `{"maxSteps":null,"toolChoice":null,"maxTokens":null,"finishReason":"stop","system":"p","maxRetries":null,"mode":null,"temperature":null,"service_tier":"priority"}`},
		{"AI with own", scoped("ai", "langfuse.observation.model.parameters", `{"temperature":0.5,"x":"y"}`), `{` + nulls + `,"service_tier":null,"temperature":0.5,"x":"y"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, tc.span.row(t).ModelParameters)
		})
	}
}
