// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// usageText is usage in a form that is easy to write down.
func usageText(usage model.Usage) string {
	var entries []string
	for _, entry := range usage {
		entries = append(entries, fmt.Sprintf("%s=%d", entry.Key, entry.Units))
	}
	return strings.Join(entries, " ")
}

func costText(costs model.Costs) string {
	var entries []string
	for _, entry := range costs {
		entries = append(entries, fmt.Sprintf("%s=%s", entry.Key, entry.Amount))
	}
	return strings.Join(entries, " ")
}

func TestProvidedUsage(t *testing.T) {
	const details = "langfuse.observation.usage_details"
	for _, tc := range []struct {
		name     string
		span     testSpan
		expected string
	}{
		{"none", withAttributes(), ""},

		// As a client of the service reports it.
		{"any keys", withAttributes(details, `{"input": 1, "output": "2 tokens", "x": 3.0, "cached": 1e2}`), "input=1 output=2 x=3 cached=100"},
		{"no counts", withAttributes(details, `{"a": 1.5, "b": -1, "c": null, "d": "x", "e": "-2", "f": [1], "g": true, "h": {"i":1}}`), ""},
		{"exact", withAttributes(details, `{"a": 9007199254740993}`), "a=9007199254740993"},
		{"too large", withAttributes(details, `{"a": 99999999999999999999}`), ""},
		{"repeated key", withAttributes(details, `{"a": 1, "a": 2}`), "a=2"},
		{"a list stops", withAttributes(details, `[1]`, "gen_ai.usage.input_tokens", 5), ""},
		{"a scalar stops", withAttributes(details, `5`, "gen_ai.usage.input_tokens", 5), ""},
		{"another type stops", withAttributes(details, 5, "gen_ai.usage.input_tokens", 5), ""},
		{"no JSON goes on", withAttributes(details, `{x`, "gen_ai.usage.input_tokens", 5), "input=5"},
		{"a map", withAttributes(details, map[string]any{"input": 4}), "input=4"},

		// Shapes of OpenAI.
		{"completions", withAttributes(details, `{"prompt_tokens":10,"completion_tokens":8,"total_tokens":18,"prompt_tokens_details":{"cached_tokens":4,"audio_tokens":null},"completion_tokens_details":{"reasoning_tokens":9}}`), "input=6 output=0 total=18 input_cached_tokens=4 output_reasoning_tokens=9"},
		{"completions without details", withAttributes(details, `{"prompt_tokens":10,"completion_tokens":8,"total_tokens":18,"prompt_tokens_details":null}`), "input=10 output=8 total=18"},
		{"responses", withAttributes(details, `{"input_tokens":10,"output_tokens":8,"total_tokens":18,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":3}}`), "input=6 output=5 total=18 input_cached_tokens=4 output_reasoning_tokens=3"},
		{"one key more", withAttributes(details, `{"prompt_tokens":10,"completion_tokens":8,"total_tokens":18,"x":1}`), "prompt_tokens=10 completion_tokens=8 total_tokens=18 x=1"},
		{"one key less", withAttributes(details, `{"input_tokens":10,"output_tokens":8}`), "input_tokens=10 output_tokens=8"},
		{"a fraction", withAttributes(details, `{"input_tokens":1.5,"output_tokens":8,"total_tokens":1}`), "output_tokens=8 total_tokens=1"},
		{"details of another kind", withAttributes(details, `{"input_tokens":1,"output_tokens":8,"total_tokens":9,"input_tokens_details":{"a":"b"}}`), "input_tokens=1 output_tokens=8 total_tokens=9"},

		// GenAI conventions and OpenInference.
		{"GenAI", withAttributes("gen_ai.usage.input_tokens", 10, "gen_ai.usage.output_tokens", "8", "gen_ai.usage.total_tokens", 18.0, "gen_ai.usage.cost", 7), "input=10 output=8 total=18"},
		{"older GenAI", withAttributes("gen_ai.usage.prompt_tokens", 10, "gen_ai.usage.completion_tokens", 8, "gen_ai.usage.input_tokens", 1), "input=10 output=8"},
		{"OpenInference", withAttributes("llm.token_count.prompt", 10, "llm.token_count.completion", 8, "llm.token_count.total", 18, "llm.token_count.prompt_details.audio", 1), "input=10 output=8 total=18 prompt_details.audio=1"},
		{"details", withAttributes("gen_ai.usage.details.x", 1, "gen_ai.usage.y", 2, "gen_ai.usage.z", "no", "gen_ai.usage.f", 1.5, "gen_ai.usage.n", -1), "x=1 y=2"},
		{"reasoning and audio", withAttributes("llm.token_count.completion", 10, "llm.token_count.completion_details.reasoning", 3, "llm.token_count.completion_details.audio", 2), "output=5 output_reasoning_tokens=3 output_audio_tokens=2"},
		{"reasoning alone", withAttributes("gen_ai.usage.reasoning.output_tokens", 3), "output_reasoning_tokens=3"},
		{"more cached than read", withAttributes("gen_ai.usage.input_tokens", 10, "gen_ai.usage.cache_read.input_tokens", 30), "input=0 input_cached_tokens=30"},
		{"zero shadows", withAttributes("gen_ai.usage.input_tokens", 10, "gen_ai.usage.cache_read_input_tokens", 4, "gen_ai.usage.cache_read.input_tokens", 0), "input=10 input_cached_tokens=0"},

		// Google ADK.
		{"ADK", scoped("gcp.vertex.agent", "gen_ai.usage.input_tokens", 10, "gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":4}}`), "input=6 input_cached_tokens=4"},
		{"ADK tells twice", scoped("gcp.vertex.agent", "gen_ai.usage.input_tokens", 10, "gen_ai.usage.cache_read_tokens", 3, "gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":4}}`), "input=7 input_cached_tokens=3"},
		{"ADK elsewhere", withAttributes("gen_ai.usage.input_tokens", 10, "gcp.vertex.agent.llm_response", `{"usage_metadata":{"cached_content_token_count":4}}`), "input=10"},
		{"pydantic", scoped("pydantic-ai", "gen_ai.usage.input_tokens", 10), "input=10"},

		// Genkit.
		{"genkit", scoped("genkit-tracer", "genkit:output", `{"usage":{"inputTokens":5,"outputTokens":9,"thoughtsTokens":4,"totalTokens":14}}`), "input=5 output=5 total=14 output_reasoning=4"},
		{"genkit thinks more than it says", scoped("genkit-tracer", "genkit:output", `{"usage":{"outputTokens":2,"thoughtsTokens":4}}`), "output=0 output_reasoning=4"},
		{"genkit without", scoped("genkit-tracer", "genkit:output", `{}`, "gen_ai.usage.input_tokens", 5), "input=5"},

		// Vercel AI SDK.
		{"AI without", scoped("ai"), "input=0 output=0"},
		{"AI", scoped("ai", "gen_ai.usage.input_tokens", 10, "gen_ai.usage.output_tokens", 8, "ai.usage.tokens", 18, "ai.usage.cachedInputTokens", 3, "ai.usage.reasoningTokens", "2"), "input=7 output=6 total=18 input_cached_tokens=3 output_reasoning_tokens=2"},
		{"AI, older", scoped("ai", "gen_ai.usage.prompt_tokens", 10, "gen_ai.usage.completion_tokens", 8, "gen_ai.usage.input_tokens", 1), "input=10 output=8"},
		{"AI with OpenAI", scoped("ai", "gen_ai.usage.input_tokens", 10, "gen_ai.usage.output_tokens", 8, "ai.response.providerMetadata", `{"openai":{"cachedPromptTokens":4,"reasoningTokens":3,"acceptedPredictionTokens":1,"rejectedPredictionTokens":2}}`), "input=6 output=5 input_cached_tokens=4 accepted_prediction_tokens=1 rejected_prediction_tokens=2 output_reasoning_tokens=3"},
		{"AI with Anthropic", scoped("ai", "gen_ai.usage.input_tokens", 100, "ai.response.providerMetadata", `{"anthropic":{"usage":{"cache_creation_input_tokens":30,"cache_read_input_tokens":20,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":5}}}}`), "input=50 output=0 input_cache_creation=15 input_cached_tokens=20 input_cache_creation_5m=10 input_cache_creation_1h=5"},
		{"AI with Bedrock", scoped("ai", "gen_ai.usage.input_tokens", 100, "ai.response.providerMetadata", `{"bedrock":{"usage":{"cacheReadInputTokens":30,"cacheWriteInputTokens":7,"cacheCreationInputTokens":20}}}`), "input=50 output=0 input_cache_read=30 input_cache_write=7 input_cache_creation=20"},
		{"AI, broken", scoped("ai", "gen_ai.usage.input_tokens", 5, "ai.response.providerMetadata", "{"), "input=5"},
		{"AI, own details", scoped("ai", details, `{"a":1}`), "a=1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, usageText(tc.span.row(t).ProvidedUsage))
		})
	}
}

// All spellings of a bucket mean the same.
func TestUsageAliases(t *testing.T) {
	for _, alias := range usageAliases {
		for _, name := range alias.names {
			o := withAttributes("gen_ai.usage."+name, 5).row(t)
			assert.Equal(t, alias.key+"=5", usageText(o.ProvidedUsage), name)
		}
	}
}

func TestTotalUsage(t *testing.T) {
	const details = "langfuse.observation.usage_details"
	assert.Equal(t, "input=1 x=2 total=3", usageText(withAttributes(details, `{"input":1,"x":2}`).row(t).Usage))
	assert.Equal(t, "input=1 total=9", usageText(withAttributes(details, `{"input":1,"total":9}`).row(t).Usage))
	assert.Empty(t, usageText(withAttributes(details, `{}`).row(t).Usage))
	o := withAttributes(details, `{"a":9223372036854775807,"b":9223372036854775807}`).row(t)
	assert.Equal(t, "a=9223372036854775807 b=9223372036854775807 total=9223372036854775807", usageText(o.Usage))
	assert.Equal(t, "a=9223372036854775807 b=9223372036854775807", usageText(o.ProvidedUsage))
}

func TestProvidedCost(t *testing.T) {
	const details = "langfuse.observation.cost_details"
	for _, tc := range []struct {
		name           string
		attributes     pairs
		provided, cost string
	}{
		{"none", nil, "", ""},
		{"input and output", pairs{details, `{"input": 0.1, "output": 0.2}`}, "input=0.1 output=0.2", "input=0.1 output=0.2 total=0.3"},
		{"other keys have no sum", pairs{details, `{"input": 0.1, "x": 0.2}`}, "input=0.1 x=0.2", "input=0.1 x=0.2"},
		{"total", pairs{details, `{"input": 0.1, "total": 0.5}`}, "input=0.1 total=0.5", "input=0.1 total=0.5"},
		{"text, null and nonsense", pairs{details, `{"total": " 0.25 ", "a": null, "b": "much", "c": [1], "d": true}`}, "total=0.25", "total=0.25"},
		{"exponent", pairs{details, `{"total": 1.5e-7}`}, "total=0.00000015", "total=0.00000015"},
		{"negative", pairs{details, `{"total": -1}`}, "total=-1", "total=-1"},
		{"absurd", pairs{details, `{"a": 1000000, "b": -1e300}`}, "a=999999.999999 b=-999999.999999", "a=999999.999999 b=-999999.999999"},
		{"repeated key", pairs{details, `{"total": 1, "total": 2}`}, "total=2", "total=2"},
		{"a list stops", pairs{details, `[1]`, "gen_ai.usage.cost", 5}, "", ""},
		{"another type stops", pairs{details, 0.5, "gen_ai.usage.cost", 5}, "", ""},
		{"no JSON goes on", pairs{details, `{`, "gen_ai.usage.cost", 5}, "total=5", "total=5"},
		{"GenAI", pairs{"gen_ai.usage.cost", 0.000151, "llm.cost.total", 7}, "total=0.000151", "total=0.000151"},
		{"GenAI as text", pairs{"gen_ai.usage.cost", "0.5"}, "total=0.5", "total=0.5"},
		{"OpenInference", pairs{"llm.cost.total", 0.25}, "total=0.25", "total=0.25"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := withAttributes(tc.attributes...).row(t)
			assert.Equal(t, tc.provided, costText(o.ProvidedCost))
			assert.Equal(t, tc.cost, costText(o.Cost))
		})
	}
}

func TestPrices(t *testing.T) {
	o := withAttributes("model", "gpt-4o", "gen_ai.usage.input_tokens", 1000, "gen_ai.usage.output_tokens", 100).row(t)
	assert.NotEmpty(t, o.ModelID)
	assert.NotEmpty(t, o.PricingTierID)
	assert.Equal(t, "Standard", o.PricingTierName)
	total, _ := o.Cost.Get("total")
	assert.Equal(t, "0.0035", total.String())

	o = withAttributes("model", "gpt-4o", "gen_ai.usage.input_tokens", 1000, "gen_ai.request.service_tier", "priority").row(t)
	assert.Equal(t, "Fast mode", o.PricingTierName)
	total, _ = o.Cost.Get("total")
	assert.Equal(t, "0.00425", total.String())

	o = withAttributes("model", "gpt-4o", "gen_ai.usage.input_tokens", 1000, "gen_ai.usage.cost", 5).row(t)
	assert.Equal(t, "Standard", o.PricingTierName, "the tier is known even if the cost was sent")
	assert.Equal(t, o.ProvidedCost, o.Cost)

	o = withAttributes("model", "gpt-4o").row(t)
	assert.NotEmpty(t, o.ModelID)
	assert.Empty(t, o.PricingTierName)
	assert.Empty(t, o.Cost)

	o = withAttributes("model", "no-such-model", "gen_ai.usage.input_tokens", 1000).row(t)
	assert.Empty(t, o.ModelID)
	assert.Empty(t, o.Cost)
}

func TestTokenize(t *testing.T) {
	s := withAttributes("model", "gpt-4o", "input", "Hello world", "output", "Hello")
	assert.Empty(t, s.row(t).Usage, "off by default")

	settings := testConverter(t).settings
	settings.Tokenize = true
	converter := New(settings)
	o := converter.Traces(s.traces(t), RequestOrigin{})[0]
	assert.Equal(t, "input=2 output=1 total=3", usageText(o.Usage))
	assert.Empty(t, o.ProvidedUsage)
	assert.NotEmpty(t, o.Cost)

	s.attributes = append(s.attributes, "gen_ai.usage.output_tokens", 7)
	o = converter.Traces(s.traces(t), RequestOrigin{})[0]
	assert.Equal(t, "output=7 total=7", usageText(o.Usage), "what was sent counts")
	o = converter.Traces(withAttributes("model", "gpt-4o", "input", "Hello", "llm.cost.total", 1).traces(t), RequestOrigin{})[0]
	assert.Empty(t, o.Usage, "a cost that was sent needs no tokens")
}

func TestCountOf(t *testing.T) {
	for text, expected := range map[string]int64{`5`: 5, `5.0`: 5, `"5"`: 5, `" 12ab"`: 12, `0`: 0, `1E2`: 100} {
		node, err := wire.Decode(text, wire.DefaultLimits)
		assert.NoError(t, err)
		n, ok := countOf(node)
		assert.True(t, ok, text)
		assert.Equal(t, expected, n, text)
	}
	for _, text := range []string{`-5`, `5.5`, `"x"`, `""`, `"-1"`, `true`, `null`, `[5]`, `1e300`, `"99999999999999999999999"`} {
		node, err := wire.Decode(text, wire.DefaultLimits)
		assert.NoError(t, err)
		_, ok := countOf(node)
		assert.False(t, ok, text)
	}
}
