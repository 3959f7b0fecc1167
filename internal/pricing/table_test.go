// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

func TestMatch(t *testing.T) {
	table := defaultTable(t)
	for name, want := range map[string]string{
		"gpt-4o": "gpt-4o", "GPT-4o": "gpt-4o", "openai/gpt-4o": "gpt-4o", "gpt-35-turbo": "gpt-3.5-turbo",
		"gpt-4-1106-vision-preview": "gpt-4-turbo-vision", "openai/gpt-5-mini": "gpt-5-mini",
		"anthropic.claude-3-5-sonnet-20241022-v2:0": "claude-3.5-sonnet-20241022",
		"ft:gpt-3.5-turbo-0613:acme::8abc":          "ft:gpt-3.5-turbo-0613",
		"gpt-4o x":                                  "",
		"xgpt-4o":                                   "",
		"claude-3-opus":                             "",
		"gemini-embedding-001":                      "",
		"":                                          "",
		"gpt-4o\n":                                  "",
		strings.Repeat("x", 1<<20):                  "",
		"ft:gpt-3.5-turbo-0613:" + strings.Repeat("a", 1000) + "::b": "ft:gpt-3.5-turbo-0613",
	} {
		for range 2 { // found, then remembered
			m := table.Match(name)
			if want == "" {
				assert.Nil(t, m, "%.40q", name)
				continue
			}
			require.NotNil(t, m, "%.40q", name)
			assert.Equal(t, want, m.Name(), "%.40q", name)
		}
	}
}

// No two expressions claim the name of a model, so the order of the file does not decide between them.
func TestEveryModelMatchesItself(t *testing.T) {
	table := defaultTable(t)
	for _, m := range table.models {
		for _, other := range table.models {
			if other != m {
				assert.False(t, other.match.MatchString(m.Name()), "%s matches %s", other.Name(), m.Name())
			}
		}
	}
}

func TestCacheIsBounded(t *testing.T) {
	table := defaultTable(t)
	cache := &table.cache
	for i := range 3 * maxCachedNames {
		cache.put(fmt.Sprint("unknown-", i), nil)
		require.LessOrEqual(t, len(cache.models), maxCachedNames)
	}
	assert.Len(t, cache.models, maxCachedNames)
	assert.Equal(t, "gpt-4o", table.Match("gpt-4o").Name())
	m, there := cache.get("gpt-4o")
	assert.True(t, there, "a full cache takes new names")
	assert.Equal(t, "gpt-4o", m.Name())
	cache.put("gpt-4o", m)
	assert.Len(t, cache.models, maxCachedNames)

	long := strings.Repeat("x", maxCachedLength)
	assert.Nil(t, table.Match(long))
	assert.Nil(t, table.Match(long+"x"))
	m, there = cache.get(long)
	assert.True(t, there, "that there is no model is remembered too")
	assert.Nil(t, m)
	_, there = cache.get(long + "x")
	assert.False(t, there, "long names are not kept")
}

func TestMatchByManyAtOnce(t *testing.T) {
	table := defaultTable(t)
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := range 200 {
				m := table.models[(i*7+worker)%len(table.models)]
				// Names of fine-tuned models are only the beginning of what their expressions match.
				if found := table.Match(m.Name()); found != nil {
					assert.Same(t, m, found)
				}
				assert.Nil(t, table.Match(fmt.Sprint("unknown-", worker, "-", i)))
			}
		})
	}
	wait.Wait()
	assert.LessOrEqual(t, len(table.cache.models), maxCachedNames)
}

func BenchmarkMatch(b *testing.B) {
	table := defaultTable(b)
	b.Run("hit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table.Match("claude-opus-4-6")
		}
	})
	b.Run("hit-parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				table.Match("claude-opus-4-6")
			}
		})
	})
	b.Run("miss-known", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table.find("claude-opus-4-6")
		}
	})
	b.Run("miss-unknown", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			table.find("an-unknown-model-7b")
		}
	})
}

func BenchmarkTierAndCost(b *testing.B) {
	m := defaultTable(b).Match("gpt-5.4")
	usage := model.Usage{
		{Key: "input", Units: 1618}, {Key: "output", Units: 17}, {Key: "input_cached_tokens", Units: 320}, {Key: "total", Units: 1955},
	}
	none := from(nil)
	b.ReportAllocs()
	for b.Loop() {
		m.Tier(none, nil, usage).Cost(usage)
	}
}

func BenchmarkDefault(b *testing.B) {
	for b.Loop() {
		definitions, _ := parseFile(pricesFile)
		_, _ = build(definitions, builtIn)
	}
}
