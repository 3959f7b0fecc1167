// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
)

const (
	maxPattern    = 2000
	maxTiers      = 50
	maxPrices     = 200
	maxUsageKey   = 200
	maxConditions = 20
)

// ModelCreate makes a model. It has either flat prices or tiers.
type ModelCreate struct {
	ModelName    string
	MatchPattern string
	StartDate    time.Time
	// Unit is TOKENS when it is empty.
	Unit            string
	TokenizerID     string
	TokenizerConfig json.RawMessage
	// Prices are in US dollars for one unit; empty ones are not given.
	InputPrice  json.Number
	OutputPrice json.Number
	TotalPrice  json.Number
	Tiers       []TierCreate
}

// TierCreate is one tier of a new model.
type TierCreate struct {
	Name       string
	IsDefault  bool
	Priority   int
	Conditions []model.TierCondition
	Prices     map[string]json.Number
}

// definition checks everything that has a name in the request.
func (m *ModelCreate) definition(id string) (model.PricedModel, error) {
	if err := m.check(); err != nil {
		return model.PricedModel{}, err
	}
	definition := model.PricedModel{
		ID: id, ModelName: m.ModelName, MatchPattern: m.MatchPattern, StartDate: m.StartDate.UTC(), Unit: m.Unit,
		TokenizerID: m.TokenizerID, TokenizerConfig: firstOf(m.TokenizerConfig),
	}
	if m.StartDate.IsZero() {
		definition.StartDate = time.Time{}
	}
	if definition.Unit == "" {
		definition.Unit = unitTokens
	}
	tiers, err := m.tiers()
	if err != nil {
		return model.PricedModel{}, err
	}
	for i := range tiers {
		prices, err := pricesOf(tiers[i].Prices)
		if err != nil {
			return model.PricedModel{}, err
		}
		definition.Tiers = append(definition.Tiers, model.PricingTier{
			Name: tiers[i].Name, IsDefault: tiers[i].IsDefault, Priority: tiers[i].Priority, Conditions: tiers[i].Conditions, Prices: prices,
		})
	}
	return definition, nil
}

func (m *ModelCreate) check() error {
	if err := checkText("modelName", m.ModelName, 1, maxName); err != nil {
		return err
	}
	if err := checkText("matchPattern", m.MatchPattern, 1, maxPattern); err != nil {
		return err
	}
	if _, err := regexp.Compile(m.MatchPattern); err != nil {
		return invalid("matchPattern", "matchPattern is not a valid regular expression: %v", err)
	}
	if m.Unit != "" {
		if err := oneOf("unit", m.Unit, unitTokens, "CHARACTERS", "MILLISECONDS", "SECONDS", "REQUESTS", "IMAGES"); err != nil {
			return err
		}
	}
	if m.TokenizerID != "" {
		if err := oneOf("tokenizerId", m.TokenizerID, "openai", "claude"); err != nil {
			return err
		}
	}
	return checkJSON("tokenizerConfig", m.TokenizerConfig)
}

// tiers are those that are given, or one of the flat prices.
func (m *ModelCreate) tiers() ([]TierCreate, error) {
	flat := map[string]json.Number{}
	for key, price := range map[string]json.Number{"input": m.InputPrice, "output": m.OutputPrice, model.UsageKeyTotal: m.TotalPrice} {
		if price != "" {
			flat[key] = price
		}
	}
	switch {
	case len(flat) > 0 && len(m.Tiers) > 0:
		return nil, invalid("pricingTiers", "Provide either flat prices (inputPrice, outputPrice, totalPrice) or pricingTiers, not both")
	case len(flat) == 0 && len(m.Tiers) == 0:
		return nil, invalid("pricingTiers", "Provide flat prices (inputPrice, outputPrice, totalPrice) or pricingTiers")
	case len(flat) > 1 && m.TotalPrice != "":
		return nil, invalid("totalPrice", "If input and/or output price is set, total price must be null")
	case len(flat) > 0:
		return []TierCreate{{Name: "Standard", IsDefault: true, Prices: flat}}, nil
	}
	return m.Tiers, checkTiers(m.Tiers)
}

func checkTiers(tiers []TierCreate) error {
	if len(tiers) > maxTiers {
		return invalid("pricingTiers", "A model has at most %d pricingTiers", maxTiers)
	}
	var base *TierCreate
	names, priorities := map[string]bool{}, map[int]bool{}
	for i := range tiers {
		t := &tiers[i]
		if err := checkText("pricingTiers", t.Name, 1, maxName); err != nil {
			return err
		}
		if names[t.Name] || priorities[t.Priority] {
			return invalid("pricingTiers", "Names and priorities of pricingTiers must be unique, found %q with priority %d again", t.Name, t.Priority)
		}
		names[t.Name], priorities[t.Priority] = true, true
		if t.IsDefault {
			if base != nil {
				return errOneDefault()
			}
			base = t
		}
		if t.IsDefault != (len(t.Conditions) == 0) {
			return invalid("pricingTiers", "The default tier has no conditions, and every other has some: %q", t.Name)
		}
		if err := checkConditions(t.Conditions); err != nil {
			return err
		}
	}
	if base == nil {
		return errOneDefault()
	}
	// What a tier has no price for would cost nothing.
	want := slices.Sorted(maps.Keys(base.Prices))
	for i := range tiers {
		if !slices.Equal(want, slices.Sorted(maps.Keys(tiers[i].Prices))) {
			return invalid("pricingTiers", "All pricingTiers must have prices for the same usage types as the default tier: %q has not", tiers[i].Name)
		}
	}
	return nil
}

func errOneDefault() error {
	return invalid("pricingTiers", "Exactly one of the pricingTiers must be the default")
}

func checkConditions(conditions []model.TierCondition) error {
	if len(conditions) > maxConditions {
		return invalid("pricingTiers", "A tier has at most %d conditions", maxConditions)
	}
	for _, condition := range conditions {
		if err := checkText("pricingTiers", condition.UsageDetailPattern, 1, maxPattern); err != nil {
			return err
		}
		if _, err := regexp.Compile(condition.UsageDetailPattern); err != nil {
			return invalid("pricingTiers", "usageDetailPattern is not a valid regular expression: %v", err)
		}
		if err := oneOf("pricingTiers", condition.Operator, "gt", "gte", "lt", "lte", "eq", "neq"); err != nil {
			return err
		}
	}
	return nil
}

// pricesOf reads the prices of a tier. They are rounded: clients compute them with floats.
func pricesOf(prices map[string]json.Number) (model.Costs, error) {
	if len(prices) == 0 || len(prices) > maxPrices {
		return nil, invalid("pricingTiers", "A tier has 1 to %d prices", maxPrices)
	}
	var costs model.Costs
	for _, key := range slices.Sorted(maps.Keys(prices)) {
		if err := checkText("pricingTiers", key, 1, maxUsageKey); err != nil {
			return nil, err
		}
		price, err := model.ParseDecimal(string(prices[key]))
		if err != nil || price < 0 {
			return nil, invalid("pricingTiers", "The price of %s must be a number of US dollars, not %s", key, prices[key])
		}
		costs = append(costs, model.CostEntry{Key: key, Amount: price})
	}
	return costs, nil
}

// priceDefinition is a model of a project as the price table takes it.
func priceDefinition(m *model.PricedModel) pricing.Definition {
	var tokenizer struct{ TokenizerModel string }
	_ = json.Unmarshal(m.TokenizerConfig, &tokenizer) // any other config is none of ours
	definition := pricing.Definition{
		ID: m.ID, Name: m.ModelName, Match: m.MatchPattern, Tokenizer: m.TokenizerID, TokenizerModel: tokenizer.TokenizerModel,
	}
	for i := range m.Tiers {
		t := &m.Tiers[i]
		conditions := make([]string, len(t.Conditions))
		for j, condition := range t.Conditions {
			pattern := condition.UsageDetailPattern
			if !condition.CaseSensitive {
				pattern = ignoreCase + pattern
			}
			conditions[j] = pricing.UsageCondition{Pattern: pattern, Operator: condition.Operator, Value: condition.Value}.String()
		}
		prices := make(map[string]string, len(t.Prices))
		for _, price := range t.Prices {
			prices[price.Key] = price.Amount.String()
		}
		definition.Tiers = append(definition.Tiers, pricing.TierDefinition{
			Name: t.Name, Priority: t.Priority, Conditions: strings.Join(conditions, " and "), Prices: prices,
		})
	}
	return definition
}
