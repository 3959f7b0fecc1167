// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// genkitUsage stands within the output of Genkit.
func (s *span) genkitUsage() (_ model.Usage, ok bool) {
	output, _ := s.objectOf(s.get(keyGenkitOutput))
	usage, ok := member(output, "usage")
	if !ok || usage.Kind != wire.Object {
		return nil, false
	}
	var c counts
	for _, field := range [...][2]string{
		{"inputTokens", usageInput},
		{"outputTokens", usageOutput},
		{"totalTokens", model.UsageKeyTotal},
		{"thoughtsTokens", "output_reasoning"},
	} {
		c.setMember(usage, field[0], field[1])
	}
	c.subtract(usageOutput, "output_reasoning")
	return c.usage, len(c.usage) > 0
}

// setMember sets a key to the number under a name of an object, if there is one.
func (c *counts) setMember(object wire.Node, name, key string) {
	value, _ := member(object, name)
	if n, ok := countOf(value); ok {
		c.set(key, n)
	}
}

// setAttribute sets a key to the number of an attribute, if it is one.
func (c *counts) setAttribute(v pcommon.Value, key string) {
	if n, ok := intOf(v); ok && n >= 0 {
		c.set(key, n)
	}
}

// aiUsage is that of the Vercel AI SDK: its own attributes, and what the provider told beyond them. A span of the SDK
// that reports nothing used nothing. It is false if what the provider told cannot be read.
func (s *span) aiUsage() (_ model.Usage, ok bool) {
	var c counts
	c.set(usageInput, 0)
	c.set(usageOutput, 0)
	c.setAttribute(s.firstNotNull(keyGenAIUsagePromptTokens, keyGenAIUsageInputTokens), usageInput)
	c.setAttribute(s.firstNotNull(keyGenAIUsageCompletionTokens, keyGenAIUsageOutputTokens), usageOutput)
	c.setAttribute(s.get(keyAIUsageTokens), model.UsageKeyTotal)
	c.setAttribute(s.get(keyAIUsageCachedInput), usageCached)
	c.setAttribute(s.get(keyAIUsageReasoning), usageReasoning)
	if s.truthy(keyAIResponseProviderMetadata) {
		provider, ok := s.objectOf(s.get(keyAIResponseProviderMetadata))
		if !ok {
			return nil, false
		}
		c.addOpenAI(provider)
		c.addAnthropic(provider)
		c.addBedrock(provider)
	}
	c.subtract(usageInput, usageCached, usageCacheCreation, usageCacheCreation5m, usageCacheCreation1h, usageCacheRead)
	c.subtract(usageOutput, usageReasoning)
	return c.usage, true
}

func (c *counts) addOpenAI(provider wire.Node) {
	openAI, _ := member(provider, "openai")
	c.setMember(openAI, "cachedPromptTokens", usageCached)
	c.setMember(openAI, "acceptedPredictionTokens", "accepted_prediction_tokens")
	c.setMember(openAI, "rejectedPredictionTokens", "rejected_prediction_tokens")
	c.setMember(openAI, "reasoningTokens", usageReasoning)
}

// addAnthropic counts what went into caches by how long it is kept, as far as that is told.
func (c *counts) addAnthropic(provider wire.Node) {
	anthropic, _ := member(provider, "anthropic")
	usage, _ := member(anthropic, "usage")
	c.setMember(usage, "cache_creation_input_tokens", usageCacheCreation)
	c.setMember(usage, "cache_read_input_tokens", usageCached)
	split, _ := member(usage, "cache_creation")
	c.setMember(split, "ephemeral_5m_input_tokens", usageCacheCreation5m)
	c.setMember(split, "ephemeral_1h_input_tokens", usageCacheCreation1h)
	c.subtract(usageCacheCreation, usageCacheCreation5m, usageCacheCreation1h)
}

func (c *counts) addBedrock(provider wire.Node) {
	bedrock, _ := member(provider, "bedrock")
	usage, _ := member(bedrock, "usage")
	c.setMember(usage, "cacheReadInputTokens", usageCacheRead)
	c.setMember(usage, "cacheWriteInputTokens", usageCacheWrite)
	c.setMember(usage, "cacheCreationInputTokens", usageCacheCreation)
}
