// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func amount(t *testing.T, text string) model.Decimal {
	t.Helper()
	d, err := model.ParseDecimal(text)
	require.NoError(t, err)
	return d
}

func createModel(t *testing.T, c *Catalog, create ModelCreate) model.PricedModel {
	t.Helper()
	m, err := c.CreateModel(t.Context(), project, create)
	require.NoError(t, err)
	return m
}

// matched is the id of the model that a name means.
func matched(t *testing.T, c *Catalog, project, name string) string {
	t.Helper()
	table, err := c.Prices(t.Context(), project)
	require.NoError(t, err)
	m := table.Match(name)
	if m == nil {
		return ""
	}
	return m.ID()
}

func TestModels(t *testing.T) {
	c, _ := newCatalog(t)
	builtIn := matched(t, c, project, "gpt-4o")
	require.NotEmpty(t, builtIn)
	flat := createModel(t, c, ModelCreate{
		ModelName: "gpt-4o", MatchPattern: "(?i)^(gpt-4o)$", InputPrice: "0.0000015", OutputPrice: "6e-6",
		TokenizerID: "openai", TokenizerConfig: raw(`{"tokenizerModel":"gpt-4o"}`), StartDate: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
	})
	assert.Equal(t, model.PricedModel{
		ID: flat.ID, ModelName: "gpt-4o", MatchPattern: "(?i)^(gpt-4o)$", Unit: "TOKENS", TokenizerID: "openai",
		TokenizerConfig: raw(`{"tokenizerModel":"gpt-4o"}`), StartDate: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC),
		Tiers: []model.PricingTier{{
			ID: flat.ID + "_tier_default", Name: "Standard", IsDefault: true,
			Prices: model.Costs{{Key: "input", Amount: amount(t, "0.0000015")}, {Key: "output", Amount: amount(t, "0.000006")}},
		}},
		CreatedAt: flat.CreatedAt, UpdatedAt: flat.CreatedAt,
	}, flat)
	assert.Equal(t, flat.Tiers[0].Prices, flat.Prices())
	assert.Equal(t, flat.ID, matched(t, c, project, "gpt-4o"), "own models come before built-in ones")
	assert.Equal(t, builtIn, matched(t, c, other, "gpt-4o"))

	tiered := createModel(t, c, ModelCreate{ModelName: "mine", MatchPattern: "^mine", Unit: "IMAGES", Tiers: []TierCreate{
		{Name: "base", IsDefault: true, Priority: 0, Prices: map[string]json.Number{"input": "1", "x": "2"}},
		{Name: "large", Priority: 1, Prices: map[string]json.Number{"input": "3", "x": "4"}, Conditions: []model.TierCondition{
			{UsageDetailPattern: "^in/a|^input", Operator: "gt", Value: 100},
		}},
	}})
	got, err := c.Model(t.Context(), project, tiered.ID)
	require.NoError(t, err)
	assert.Equal(t, tiered, got)
	require.Len(t, got.Tiers, 2)
	assert.Equal(t, []model.TierCondition{{UsageDetailPattern: "^in/a|^input", Operator: "gt", Value: 100}}, got.Tiers[0].Conditions)
	table, err := c.Prices(t.Context(), project)
	require.NoError(t, err)
	m := table.Match("mine-7")
	assert.Equal(t, "large", m.Tier(nil, nil, model.Usage{{Key: "INPUT", Units: 101}}).Name(), "patterns ignore letter case")
	assert.Equal(t, "base", m.Tier(nil, nil, model.Usage{{Key: "input", Units: 100}}).Name())

	all, err := c.Models(t.Context(), project, Page{1, 1000})
	require.NoError(t, err)
	require.Len(t, all.Rows, all.Total)
	require.Len(t, c.options.Prices.Models(), all.Total-2)
	var named []model.PricedModel
	for _, m := range all.Rows {
		if m.ModelName == "gpt-4o" {
			named = append(named, m)
		}
		assert.NotEmpty(t, m.Tiers, m.ModelName)
	}
	require.Len(t, named, 2)
	assert.Equal(t, []string{flat.ID, builtIn}, []string{named[0].ID, named[1].ID}, "the later start date first")
	assert.Equal(t, []bool{false, true}, []bool{named[0].IsManaged, named[1].IsManaged})
	got, err = c.Model(t.Context(), other, builtIn)
	require.NoError(t, err)
	assert.Equal(t, named[1], got)

	require.NoError(t, c.DeleteModel(t.Context(), project, flat.ID))
	assert.Equal(t, builtIn, matched(t, c, project, "gpt-4o"))
	requireError(t, c.DeleteModel(t.Context(), project, flat.ID), store.ErrNotFound, "Model not found")
	requireError(t, c.DeleteModel(t.Context(), other, tiered.ID), store.ErrNotFound, "Model not found")
	requireError(t, c.DeleteModel(t.Context(), project, builtIn), store.ErrInvalid, "Models that are built in cannot be deleted")
	_, err = c.Model(t.Context(), project, flat.ID)
	requireError(t, err, store.ErrNotFound, "Model not found")
}

func TestPricesOfAProject(t *testing.T) {
	c, clock := newCatalog(t)
	without, err := c.Prices(t.Context(), project)
	require.NoError(t, err)
	assert.Same(t, c.options.Prices, without, "a project without models of its own needs no table of its own")

	early := createModel(t, c, ModelCreate{ModelName: "m", MatchPattern: "^m$", InputPrice: "1", StartDate: clock.now.Add(-time.Hour)})
	late := createModel(t, c, ModelCreate{ModelName: "m", MatchPattern: "^m$", InputPrice: "2", StartDate: clock.now.Add(time.Hour)})
	createModel(t, c, ModelCreate{ModelName: "m", MatchPattern: "^m$", InputPrice: "3"})
	assert.Equal(t, early.ID, matched(t, c, project, "m"))
	table, err := c.Prices(t.Context(), project)
	require.NoError(t, err)
	clock.advance(time.Minute)
	again, err := c.Prices(t.Context(), project)
	require.NoError(t, err)
	assert.Same(t, table, again, "nothing changed")
	clock.advance(time.Hour)
	assert.Equal(t, late.ID, matched(t, c, project, "m"), "its time has come")

	another := New(c.documents, c.options)
	require.NoError(t, another.DeleteModel(t.Context(), project, late.ID))
	assert.Equal(t, late.ID, matched(t, c, project, "m"), "remembered")
	clock.advance(defaultRefresh)
	assert.Equal(t, early.ID, matched(t, c, project, "m"), "what another process did shows after a while")
}

func TestModelChecks(t *testing.T) {
	c, _ := newCatalog(t)
	prices := map[string]json.Number{"input": "1"}
	condition := []model.TierCondition{{UsageDetailPattern: "in", Operator: "gt"}}
	base := TierCreate{Name: "base", IsDefault: true, Prices: prices}
	for _, tc := range []struct {
		change  func(*ModelCreate)
		message string
	}{
		{func(m *ModelCreate) { m.ModelName = "" }, "Too small: expected string to have >=1 characters"},
		{func(m *ModelCreate) { m.MatchPattern = "(" }, "matchPattern is not a valid regular expression: error parsing regexp: missing closing ): `(`"},
		{func(m *ModelCreate) { m.Unit = "X" }, `Invalid option: expected one of "TOKENS"|"CHARACTERS"|"MILLISECONDS"|"SECONDS"|"REQUESTS"|"IMAGES"`},
		{func(m *ModelCreate) { m.TokenizerID = "x" }, `Invalid option: expected one of "openai"|"claude"`},
		{func(m *ModelCreate) { m.InputPrice = "" }, "Provide flat prices (inputPrice, outputPrice, totalPrice) or pricingTiers"},
		{func(m *ModelCreate) { m.TotalPrice = "1" }, "If input and/or output price is set, total price must be null"},
		{func(m *ModelCreate) { m.InputPrice = "-1" }, "The price of input must be a number of US dollars, not -1"},
		{func(m *ModelCreate) { m.InputPrice = "x" }, "The price of input must be a number of US dollars, not x"},
		{func(m *ModelCreate) { m.Tiers = []TierCreate{base} }, "Provide either flat prices (inputPrice, outputPrice, totalPrice) or pricingTiers, not both"},
		{func(m *ModelCreate) {
			m.InputPrice, m.Tiers = "", []TierCreate{{Name: "a", Prices: prices, Conditions: condition}}
		}, "Exactly one of the pricingTiers must be the default"},
		{func(m *ModelCreate) {
			m.InputPrice, m.Tiers = "", []TierCreate{base, {Name: "a", Prices: prices, Conditions: condition}}
		}, `Names and priorities of pricingTiers must be unique, found "a" with priority 0 again`},
		{func(m *ModelCreate) {
			m.InputPrice, m.Tiers = "", []TierCreate{base, {Name: "a", Priority: 1, Prices: prices}}
		}, `The default tier has no conditions, and every other has some: "a"`},
		{func(m *ModelCreate) {
			m.InputPrice, m.Tiers = "", []TierCreate{base, {Name: "a", Priority: 1, Prices: map[string]json.Number{"output": "1"}, Conditions: condition}}
		}, `All pricingTiers must have prices for the same usage types as the default tier: "a" has not`},
		{func(m *ModelCreate) {
			m.InputPrice, m.Tiers = "", []TierCreate{base, {Name: "a", IsDefault: true, Priority: 1, Prices: prices}}
		}, "Exactly one of the pricingTiers must be the default"},
		{func(m *ModelCreate) {
			m.InputPrice, m.Tiers = "", []TierCreate{{Name: "base", IsDefault: true}}
		}, "A tier has 1 to 200 prices"},
		{func(m *ModelCreate) {
			m.InputPrice = ""
			m.Tiers = []TierCreate{base, {Name: "a", Priority: 1, Prices: prices, Conditions: []model.TierCondition{{UsageDetailPattern: "a", Operator: "~"}}}}
		}, `Invalid option: expected one of "gt"|"gte"|"lt"|"lte"|"eq"|"neq"`},
	} {
		create := ModelCreate{ModelName: "m", MatchPattern: "m", InputPrice: "1"}
		tc.change(&create)
		_, err := c.CreateModel(t.Context(), project, create)
		requireError(t, err, store.ErrInvalid, tc.message)
	}
}
