// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

func inputUsage(units int64) model.Usage { return model.Usage{{Key: "input", Units: units}} }

// Every form of conditions in the file, at and beyond its boundary.
func TestTier(t *testing.T) {
	table := defaultTable(t)
	fast, priority, flex := "service_tier=fast", "service_tier=priority", "service_tier=flex"
	none := ""
	for _, tc := range []struct {
		model, parameter string
		usage            model.Usage
		want             string
	}{
		// model_parameters.service_tier in fast|priority
		{"gpt-4o", none, inputUsage(1), "Standard"},
		{"gpt-4o", fast, inputUsage(1), "Fast mode"},
		{"gpt-4o", priority, inputUsage(1), "Fast mode"},
		{"gpt-4o", flex, inputUsage(1), "Standard"},
		{"gpt-4o", "service_tier=default", inputUsage(1), "Standard"},
		{"gpt-4o", "speed=fast", inputUsage(1), "Standard"},
		{"gpt-5", fast, inputUsage(1), "Fast mode"},
		{"gpt-5", flex, inputUsage(1), "Flex"},
		{"gpt-5-nano", flex, inputUsage(1), "Flex"},
		{"gpt-5-nano", fast, inputUsage(1), "Standard"},

		// model_parameters.speed in fast
		{"claude-opus-4-8", "speed=fast", inputUsage(1), "Fast mode"},
		{"claude-opus-4-8", "speed=slow", inputUsage(1), "Standard"},
		{"claude-opus-4-8", fast, inputUsage(1), "Standard"},

		// sum(usage ~ /(input)/) gt 272000, alone and after service_tier in flex
		{"gpt-5.4", none, inputUsage(272_000), "Standard"},
		{"gpt-5.4", none, inputUsage(272_001), "Large Context (>272K)"},
		{"gpt-5.4", none, model.Usage{{Key: "input", Units: 200_000}, {Key: "input_cached_tokens", Units: 72_000}}, "Standard"},
		{"gpt-5.4", none, model.Usage{{Key: "input", Units: 200_000}, {Key: "input_cached_tokens", Units: 72_001}}, "Large Context (>272K)"},
		{"gpt-5.4", none, model.Usage{{Key: "output", Units: 300_000}, {Key: "total", Units: 300_000}}, "Standard"},
		{"gpt-5.4", flex, inputUsage(272_000), "Flex"},
		{"gpt-5.4", flex, inputUsage(272_001), "Flex · Large context (>272K)"},
		{"gpt-5.4", fast, inputUsage(272_001), "Fast mode"},
		{"gpt-5.4-pro", flex, inputUsage(272_000), "Flex"},
		{"gpt-5.4-pro", flex, inputUsage(272_001), "Flex · Large context (>272K)"},
		{"gpt-5.4-pro", none, inputUsage(272_001), "Large Context (>272K)"},
		{"gpt-5.5", none, inputUsage(272_001), "Large Context (>272K)"},

		// sum(usage ~ /(input|cache_write)/) gt 272000, alone and after service_tier
		{"gpt-5.6-sol", none, inputUsage(272_000), "Standard"},
		{"gpt-5.6-sol", none, inputUsage(272_001), "Large Context (>272K)"},
		{"gpt-5.6-sol", none, model.Usage{{Key: "input", Units: 1}, {Key: "cache_write_tokens", Units: 271_999}}, "Standard"},
		{"gpt-5.6-sol", none, model.Usage{{Key: "input", Units: 1}, {Key: "cache_write_tokens", Units: 272_000}}, "Large Context (>272K)"},
		{"gpt-5.6-sol", flex, inputUsage(272_000), "Flex"},
		{"gpt-5.6-sol", flex, inputUsage(272_001), "Flex · Large context (>272K)"},
		{"gpt-5.6-sol", priority, inputUsage(272_000), "Fast mode"},
		{"gpt-5.6-sol", priority, inputUsage(272_001), "Fast mode · Large context (>272K)"},

		// sum(usage ~ /(input|prompt|cached)/) gt 200000
		{"gemini-2.5-pro", none, inputUsage(200_000), "Standard"},
		{"gemini-2.5-pro", none, inputUsage(200_001), "Large Context"},
		{"gemini-2.5-pro", none, model.Usage{{Key: "promptTokenCount", Units: 200_001}}, "Large Context"},
		{"gemini-2.5-pro", none, model.Usage{{Key: "prompt_token_count", Units: 150_000}, {Key: "cached_content_token_count", Units: 50_000}}, "Standard"},
		{"gemini-2.5-pro", none, model.Usage{{Key: "prompt_token_count", Units: 150_000}, {Key: "cached_content_token_count", Units: 50_001}}, "Large Context"},
	} {
		m := table.Match(tc.model)
		require.NotNil(t, m, tc.model)
		key, value, _ := strings.Cut(tc.parameter, "=")
		assert.Equal(t, tc.want, m.Tier(from(map[string]string{key: value}), nil, tc.usage).Name(), "%s with %q and %v", tc.model, tc.parameter, tc.usage)
	}
}

func TestNoTierWithoutUsage(t *testing.T) {
	m := defaultTable(t).Match("gpt-4o")
	assert.Nil(t, m.Tier(from(map[string]string{"service_tier": "fast"}), nil, nil))
	assert.Nil(t, m.Tier(nil, nil, model.Usage{}))
	assert.Equal(t, "Standard", m.Tier(nil, nil, model.Usage{{Key: "input", Units: 0}}).Name(), "0 is a usage")
}

func TestCost(t *testing.T) {
	table := defaultTable(t)
	type costs = map[string]string
	for _, tc := range []struct {
		name, model, tier string
		usage             model.Usage
		want              costs
	}{
		{
			"sum", "gpt-3.5-turbo-0125", "",
			model.Usage{{Key: "input", Units: 14}, {Key: "output", Units: 173}, {Key: "total", Units: 187}},
			costs{"input": "0.000007", "output": "0.0002595", "total": "0.0002665"},
		},
		{
			"cached and reasoning", "gpt-5", "",
			model.Usage{
				{Key: "input", Units: 1001}, {Key: "input_cached_tokens", Units: 333}, {Key: "output", Units: 7}, {Key: "output_reasoning_tokens", Units: 11},
			},
			costs{
				"input": "0.00125125", "input_cached_tokens": "0.000041625", "output": "0.00007", "output_reasoning_tokens": "0.00011",
				"total": "0.001472875",
			},
		},
		{
			"another tier", "gpt-5", "flex",
			model.Usage{{Key: "input", Units: 3}, {Key: "cache_read_input_tokens", Units: 1}},
			costs{"input": "0.000001875", "cache_read_input_tokens": "0.0000000625", "total": "0.0000019375"},
		},
		{
			"reads and writes of a cache", "claude-opus-4-6", "",
			model.Usage{
				{Key: "input", Units: 1}, {Key: "input_cache_creation_5m", Units: 1}, {Key: "input_cache_creation_1h", Units: 1}, {Key: "input_cache_read", Units: 1},
			},
			costs{
				"input": "0.000005", "input_cache_creation_5m": "0.00000625", "input_cache_creation_1h": "0.00001", "input_cache_read": "0.0000005",
				"total": "0.00002175",
			},
		},
		{
			"only the total has a price", "text-embedding-ada-002", "",
			model.Usage{{Key: "input", Units: 50}, {Key: "total", Units: 50}},
			costs{"total": "0.000005"},
		},
		{
			"a given total has none", "gpt-4o", "",
			model.Usage{{Key: "total", Units: 999_999}, {Key: "output", Units: 1}},
			costs{"output": "0.00001", "total": "0.00001"},
		},
		{
			"keys without a price", "gpt-4o", "",
			model.Usage{{Key: "input", Units: 2}, {Key: "Input", Units: 5}, {Key: "input_", Units: 5}, {Key: "inpu", Units: 5}, {Key: "", Units: 5}},
			costs{"input": "0.000005", "total": "0.000005"},
		},
		{"nothing with a price", "gpt-4o", "", model.Usage{{Key: "prompt_tokens", Units: 5}, {Key: "total", Units: 5}}, costs{}},
		{"no usage", "gpt-4o", "", nil, costs{}},
		{"nothing used", "gpt-4o", "", model.Usage{{Key: "input"}, {Key: "output"}, {Key: "total"}}, costs{"input": "0", "output": "0", "total": "0"}},
		{
			"large numbers", "gpt-4o", "",
			model.Usage{{Key: "input", Units: 123_456_789_012}, {Key: "output", Units: 1}},
			costs{"input": "308641.97253", "output": "0.00001", "total": "308641.97254"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := table.Match(tc.model)
			require.NotNil(t, m)
			tier := m.rest
			if tc.tier != "" {
				tier = m.Tier(from(map[string]string{"service_tier": tc.tier}), nil, tc.usage)
			}
			assert.Equal(t, tc.want, pricesOf(tier.Cost(tc.usage)))
		})
	}
}

func TestCostKeepsTheOrder(t *testing.T) {
	costs := defaultTable(t).Match("gpt-4o").rest.Cost(model.Usage{{Key: "output", Units: 1}, {Key: "x", Units: 1}, {Key: "input", Units: 1}})
	assert.Equal(t, []string{"output", "input", "total"}, keys(costs))
	costs = defaultTable(t).Match("text-ada-001").rest.Cost(model.Usage{{Key: "total", Units: 1}, {Key: "input", Units: 1}})
	assert.Equal(t, []string{"total"}, keys(costs))
}

func TestCostHasABound(t *testing.T) {
	costs := defaultTable(t).Match("gpt-4o").rest.Cost(model.Usage{{Key: "input", Units: math.MaxInt64}, {Key: "output", Units: math.MaxInt64}})
	total, ok := costs.Get("total")
	require.True(t, ok)
	assert.Equal(t, model.Decimal(math.MaxInt64), total)
}

func keys(costs model.Costs) []string {
	var all []string
	for _, c := range costs {
		all = append(all, c.Key)
	}
	return all
}

func TestPrices(t *testing.T) {
	m := defaultTable(t).Match("gpt-4o")
	want := map[string]string{
		"cache_read_input_tokens": "0.00000125", "input": "0.0000025", "input_cache_read": "0.00000125", "input_cached_tokens": "0.00000125", "output": "0.00001",
	}
	prices := m.Prices()
	assert.Equal(t, want, pricesOf(prices))
	assert.IsIncreasing(t, keys(prices))
	prices[0].Amount = 0
	assert.Equal(t, want, pricesOf(m.Prices()), "a caller cannot change them")
}

// Rows hold these ids. A change here is a change of what is stored.
func TestIDsStayTheSame(t *testing.T) {
	m := defaultTable(t).Match("gpt-4o")
	assert.Equal(t, "df386e68-8b0f-8078-9e2d-d316cf8567a8", m.ID())
	assert.Equal(t, m.ID()+"_tier_default", m.Tier(nil, nil, inputUsage(1)).ID())
	assert.Equal(t, "b7e7e13b-e0ee-8bbb-9fa9-4caa84b736be", m.Tier(from(map[string]string{"service_tier": "fast"}), nil, inputUsage(1)).ID())

	for _, match := range []string{"^x$", "^y"} {
		table, err := defaultTable(t).With([]Definition{flat("xy", match, "1")})
		require.NoError(t, err)
		assert.Equal(t, "95cfe576-fbc8-8fb8-b7b6-97d85280231b", table.models[0].ID(), "of the name alone")
	}
}
