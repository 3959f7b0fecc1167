// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flat is the shortest definition that is sound.
func flat(name, match, price string) Definition {
	return Definition{Name: name, Match: match, Tiers: []TierDefinition{{Prices: map[string]string{"input": price}}}}
}

func TestWith(t *testing.T) {
	table, err := defaultTable(t).With([]Definition{
		flat("gpt-4o", "(?i)^gpt-4o", "0.5"),
		flat("gpt-4o-mini", "", "0.25"),
		flat("my-model", "mine", "0"),
		flat("a.b", "", "1"),
	})
	require.NoError(t, err)
	for name, want := range map[string]struct{ model, input string }{
		"gpt-4o":            {"gpt-4o", "0.5"},
		"gpt-4o-mini":       {"gpt-4o", "0.5"}, // the first one wins
		"GPT-4o-anything":   {"gpt-4o", "0.5"},
		"openai/gpt-4o":     {"gpt-4o", "0.0000025"}, // built in
		"gpt-4":             {"gpt-4", "0.00003"},    // built in
		"is-this-mine-too?": {"my-model", "0"},
		"MINE":              {},
		"A.B":               {"a.b", "1"},
		"axb":               {},
	} {
		m := table.Match(name)
		if want.model == "" {
			assert.Nil(t, m, name)
			continue
		}
		require.NotNil(t, m, name)
		assert.Equal(t, want.model, m.Name(), name)
		price, ok := m.Prices().Get("input")
		assert.True(t, ok)
		assert.Equal(t, want.input, price.String(), name)
	}
	assert.Equal(t, "Standard", table.Match("mine").rest.Name(), "the name of a tier may be left out")
	assert.NotEqual(t, table.Match("gpt-4o").ID(), table.Match("openai/gpt-4o").ID(), "two models of one name are two")
	assert.Equal(t, "0.0000025", pricesOf(defaultTable(t).Match("gpt-4o").Prices())["input"], "the table it came from is as before")
}

func TestWithNothing(t *testing.T) {
	table, err := defaultTable(t).With(nil)
	require.NoError(t, err)
	assert.Equal(t, "gpt-4o", table.Match("gpt-4o").Name())
}

func TestTiersAreAskedByPriority(t *testing.T) {
	price := map[string]string{"input": "1"}
	table, err := defaultTable(t).With([]Definition{{Name: "m", Tiers: []TierDefinition{
		{Name: "third", Priority: 7, Conditions: "metadata.a in x|y|z", Prices: price},
		{Name: "first", Priority: -2, Conditions: "metadata.a in x", Prices: price},
		{Name: "rest", Priority: 7, Prices: price},
		{Name: "second", Priority: 3, Conditions: "metadata.a in x|y", Prices: price},
	}}})
	require.NoError(t, err)
	m := table.Match("m")
	for value, want := range map[string]string{"x": "first", "y": "second", "z": "third", "w": "rest"} {
		assert.Equal(t, want, m.Tier(nil, from(map[string]string{"a": value}), inputUsage(1)).Name(), value)
	}
}

func TestWithReportsAllAtOnce(t *testing.T) {
	price := map[string]string{"input": "1e-6"}
	_, err := defaultTable(t).With([]Definition{
		{Match: "(", Tokenizer: "gpt", Tiers: []TierDefinition{{Prices: price}}},
		flat("fine", "", "1"),
		flat("fine", "", "1"),
		{Name: "no tiers"},
		{Name: "no default", Tiers: []TierDefinition{{Name: "a", Conditions: "metadata.a in b", Prices: price}}},
		{Name: "mine", Tokenizer: "openai", Tiers: []TierDefinition{{Prices: price}}},
		{Name: "many", Tiers: []TierDefinition{
			{Name: "a", Priority: 1, Conditions: "metadata.a in b", Prices: price},
			{Name: "a", Priority: 1, Conditions: "metadata.a in c", Prices: price},
			{Prices: price},
			{Name: "b", Conditions: "default", Prices: price},
			{Conditions: "metadata.a in d", Priority: 2, Prices: price},
			{Name: "c", Conditions: "nonsense", Prices: price},
			{Name: "d", Conditions: "metadata.a in e", Priority: 4},
			{Name: "e", Conditions: "metadata.a in f", Priority: 5, Prices: map[string]string{
				"": "1", "input": "x", "output": "-1", "total": "0.0000000000001", "huge": "10000000",
			}},
		}},
	})
	require.Error(t, err)
	assert.Equal(t, []string{
		"model 1 of the list: `name` is empty",
		"model 1 of the list: `match`: error parsing regexp: missing closing ): `(`",
		"model 1 of the list: `tokenizer` is \"gpt\"; use openai, claude or one of o200k_base, cl100k_base, p50k_base, r50k_base",
		"model \"fine\": `name` is taken by a model before it",
		"model \"no tiers\": `tiers`: one without `conditions` is missing; it is for what no other tier takes",
		"model \"no default\": `tiers`: one without `conditions` is missing; it is for what no other tier takes",
		"model \"mine\": `tokenizer`: which encoding of openai it has cannot be told from its name; use one of o200k_base, cl100k_base, p50k_base, r50k_base",
		"model \"many\": `tiers`: two have the name \"a\"",
		"model \"many\": `tiers`: \"a\" and \"a\" have the same `priority`, 1",
		"model \"many\": `tiers`: \"Standard\" and \"b\" have no `conditions`; only one may",
		"model \"many\": tier 5: `name` is empty",
		"model \"many\": tier \"c\": `conditions`: found \"nonsense\" where model_parameters.<key>, metadata.<key> or sum(usage ~ /<expression>/) is expected",
		"model \"many\": tier \"d\": `prices` is empty; what is free has the price 0",
		"model \"many\": tier \"e\": `prices` has an empty usage key",
		"model \"many\": tier \"e\": `prices.huge`: \"10000000\" is too large an amount",
		"model \"many\": tier \"e\": `prices.input`: \"x\" is no amount",
		"model \"many\": tier \"e\": `prices.output`: \"-1\" is less than nothing",
		"model \"many\": tier \"e\": `prices.total`: \"0.0000000000001\" has more than twelve digits after the point",
	}, strings.Split(err.Error(), "\n"))
}

func TestParsePrice(t *testing.T) {
	for text, want := range map[string]string{
		"2.5e-6": "0.0000025", "0.0000025": "0.0000025", "0": "0", "1e-12": "0.000000000001", "12": "12", "0.100": "0.1", "-0": "0",
	} {
		price, err := parsePrice(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, price.String(), text)
	}
}

func TestModelsThatHaveAnID(t *testing.T) {
	table, err := Default()
	require.NoError(t, err)
	builtIn := len(table.Models())
	tier := []TierDefinition{{Prices: map[string]string{"input": "1"}}}
	own, err := table.With([]Definition{
		{ID: "1", Name: "mine", Match: "^mine", Tokenizer: "openai", Tiers: tier},
		{ID: "2", Name: "mine", Match: "^mine", Tokenizer: "openai", TokenizerModel: "gpt-4o", Tiers: tier},
	})
	require.NoError(t, err)
	models := own.Models()
	require.Len(t, models, builtIn+2)
	assert.Equal(t, "1", models[0].ID())
	assert.Equal(t, "1_tier_default", models[0].Tiers()[0].ID())
	assert.Nil(t, models[0].encoding)
	assert.NotNil(t, models[1].encoding)
	assert.Equal(t, "^mine", models[1].MatchPattern())
	assert.Equal(t, "1", own.Match("mine-1").ID())
}
