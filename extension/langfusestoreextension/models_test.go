// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
)

func decimal(t *testing.T, text string) model.Decimal {
	t.Helper()
	d, err := model.ParseDecimal(text)
	require.NoError(t, err)
	return d
}

func TestModels(t *testing.T) {
	table, err := load(t, "models").prices()
	require.NoError(t, err)

	small := table.Match("House-Model")
	require.NotNil(t, small)
	assert.Equal(t, "house-model", small.Name())
	assert.Equal(t, model.Costs{{Key: "input", Amount: decimal(t, "0.0000025")}, {Key: "output", Amount: decimal(t, "0.00001")}}, small.Prices())

	large := table.Match("house/house-model-large-2026")
	require.NotNil(t, large)
	assert.Equal(t, "o200k_base", large.TokenizerName())
	assert.Equal(t, model.Costs{{Key: "input", Amount: decimal(t, "0.000005")}, {Key: "output"}}, large.Prices())

	usage := func(input int64) model.Usage { return model.Usage{{Key: "input", Units: input}} }
	fast := func(string) (string, bool) { return "fast", true }
	for _, tc := range []struct {
		want      string
		parameter pricing.Lookup
		usage     model.Usage
	}{
		{"Standard", nil, usage(200_000)},
		{"Long prompt", nil, usage(200_001)},
		{"Fast lane", fast, usage(200_001)},
	} {
		assert.Equal(t, tc.want, large.Tier(tc.parameter, nil, tc.usage).Name())
	}

	assert.Equal(t, "gpt-4o", table.Match("gpt-4o").Name(), "those that are built in are still there")
	assert.Nil(t, table.Match("house-model-2"))
}

func TestAModelOfTheConfigurationComesFirst(t *testing.T) {
	table, err := configWith(func(c *Config) {
		c.Models = []ModelConfig{{Name: "gpt-4o", Prices: map[string]any{"input": 7}}}
	}).prices()
	require.NoError(t, err)
	assert.Equal(t, model.Costs{{Key: "input", Amount: decimal(t, "7")}}, table.Match("gpt-4o").Prices())
}

func TestPricesAndATierWithoutConditions(t *testing.T) {
	_, err := configWith(func(c *Config) {
		c.Models = []ModelConfig{{
			Name: "m", Prices: map[string]any{"input": 1},
			Tiers: []TierConfig{{Name: "Other", Prices: map[string]any{"input": 2}}},
		}}
	}).prices()
	assert.EqualError(t, err, "model \"m\": `tiers`: \"Standard\" and \"Other\" have no `conditions`; only one may")
}
