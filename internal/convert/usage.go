// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"math"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// Usage keys of the service. Cached and reasoning tokens are buckets of their own: input and output are without them.
const (
	usageInput           = "input"
	usageOutput          = "output"
	usageCached          = "input_cached_tokens"
	usageCacheCreation   = "input_cache_creation"
	usageCacheCreation5m = "input_cache_creation_5m"
	usageCacheCreation1h = "input_cache_creation_1h"
	usageCacheRead       = "input_cache_read"
	usageCacheWrite      = "input_cache_write"
	usageReasoning       = "output_reasoning_tokens"
	usageAudio           = "output_audio_tokens"
)

// providedUsage is the usage that the client or the library reports.
func (s *span) providedUsage() model.Usage {
	if s.notNull(keyUsageDetails) {
		if details, ok := s.detailsObject(keyUsageDetails); ok {
			return usageOf(details)
		}
	}
	switch s.scope.name {
	case scopeGenkit:
		if usage, ok := s.genkitUsage(); ok {
			return usage
		}
	case scopeAI:
		if usage, ok := s.aiUsage(); ok {
			return usage
		}
	}
	return s.genAIUsage()
}

// detailsObject reads the usage or the cost that a client of the service reports. What is JSON but no object says
// that there is nothing; what is no JSON says nothing.
func (s *span) detailsObject(k key) (details wire.Node, ok bool) {
	switch v := s.get(k); v.Type() {
	case pcommon.ValueTypeStr:
		details, ok = s.decoder.value(v.Str())
	default:
		details, ok = nodeOf(v), true
	}
	if details.Kind != wire.Object {
		return objectNode(), ok
	}
	return details, ok
}

// usualUsageKeys is how many keys most usages have room in.
const usualUsageKeys = 6

// counts are numbers under names, in their order; no name twice.
type counts struct {
	usage model.Usage
}

func (c *counts) get(key string) (n int64, ok bool) { return c.usage.Get(key) }

// set replaces the number under a key, at its place.
func (c *counts) set(key string, n int64) {
	for i := range c.usage {
		if c.usage[i].Key == key {
			c.usage[i].Units = n
			return
		}
	}
	if c.usage == nil {
		c.usage = make(model.Usage, 0, usualUsageKeys)
	}
	c.usage = append(c.usage, model.UsageEntry{Key: key, Units: n})
}

// subtract takes the numbers under other keys off the one under a key, if there is one, down to zero.
func (c *counts) subtract(key string, others ...string) {
	n, ok := c.get(key)
	if !ok {
		return
	}
	for _, other := range others {
		if m, ok := c.get(other); ok {
			n -= min(n, m)
		}
	}
	c.set(key, n)
}

// take removes the first of the keys that is there and gives its number; the others are removed too.
func (c *counts) take(keys ...string) (n int64, ok bool) {
	for _, key := range keys {
		for i := range c.usage {
			if c.usage[i].Key != key {
				continue
			}
			if !ok {
				n, ok = c.usage[i].Units, true
			}
			c.usage = append(c.usage[:i], c.usage[i+1:]...)
			break
		}
	}
	return n, ok
}

// maxUsageKeys is how many keys a usage may have: a span has a handful, an attack any number.
const maxUsageKeys = 1000

// genAIUsage is that of the attributes of the GenAI conventions and of OpenInference, whose names have changed often.
func (s *span) genAIUsage() model.Usage {
	c := &s.reported
	c.usage = c.usage[:0]
	if s.families[familyUsage] || s.families[familyTokenCount] {
		for i := range s.all {
			at := &s.all[i]
			isUsage := at.family == familyUsage && at.rest != "cost"
			if (isUsage || at.family == familyTokenCount) && len(c.usage) < maxUsageKeys {
				c.setAttribute(at.value, at.rest)
			}
		}
	}
	if s.scope.name == scopeVertex {
		s.addVertexCache(c)
	}
	return c.normalize()
}

var cacheReadNames = []string{
	"cache_read.input_tokens", "cache_read_input_tokens", "cache_read_tokens", "details.cache_read_tokens",
	"details.cache_read_input_tokens", "prompt_details.cache_read", usageCached,
}

// usageAliases are the names of a bucket, the first that is there counts.
var usageAliases = [...]struct {
	key   string
	names []string
}{
	{usageInput, []string{"prompt_tokens", "input_tokens", "prompt"}},
	{usageOutput, []string{"completion_tokens", "output_tokens", "completion"}},
	{model.UsageKeyTotal, []string{"total_tokens", "total"}},
	{usageCached, cacheReadNames},
	{usageCacheCreation, []string{
		"cache_creation.input_tokens", "cache_creation_input_tokens", "cache_write_tokens", "details.cache_write_tokens",
		"details.cache_creation_input_tokens", "prompt_details.cache_write", usageCacheCreation,
	}},
	{usageReasoning, []string{"reasoning.output_tokens", "completion_details.reasoning"}},
	{usageAudio, []string{"completion_details.audio"}},
}

// normalize gives the buckets the names of the service, and takes the parts of input and output off their wholes.
func (c *counts) normalize() model.Usage {
	if len(c.usage) == 0 {
		return nil
	}
	var found counts
	for _, alias := range usageAliases {
		if n, ok := c.take(alias.names...); ok {
			found.set(alias.key, n)
		}
	}
	found.subtract(usageInput, usageCached, usageCacheCreation)
	found.subtract(usageOutput, usageReasoning, usageAudio)
	for _, other := range c.usage {
		key := strings.TrimPrefix(other.Key, "details.")
		if _, ok := found.get(key); !ok {
			found.set(key, other.Units)
		}
	}
	return found.usage
}

// addVertexCache adds the cached tokens that Google's ADK tells only within the answer.
func (s *span) addVertexCache(c *counts) {
	for _, name := range cacheReadNames {
		if _, ok := c.get(name); ok {
			return
		}
	}
	if !strings.Contains(s.str(keyVertexResponse), "cached_content_token_count") {
		return
	}
	response, _ := decodeObject(s.str(keyVertexResponse))
	usage, _ := member(response, "usage_metadata")
	cached, _ := member(usage, "cached_content_token_count")
	if n, ok := countOf(cached); ok {
		c.set(usageCached, n)
	}
}

// countOf reads a number of units from JSON: a whole number, or text that begins with one.
func countOf(node wire.Node) (n int64, ok bool) {
	switch node.Kind {
	case wire.Number:
		n, ok = parseWhole(node.Text)
	case wire.String:
		text := strings.TrimSpace(node.Text)
		end := 0
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		n, ok = parseWhole(text[:end])
	}
	return n, ok && n >= 0
}

// withTotal adds the sum of all buckets, unless there is one. The result may share the memory of usage.
func withTotal(usage model.Usage) model.Usage {
	if _, ok := usage.Get(model.UsageKeyTotal); ok || len(usage) == 0 {
		return usage
	}
	var total int64
	for _, entry := range usage {
		total += min(entry.Units, math.MaxInt64-total)
	}
	return append(usage, model.UsageEntry{Key: model.UsageKeyTotal, Units: total})
}
