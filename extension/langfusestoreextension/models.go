// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"fmt"
	"strconv"

	"github.com/weirhq/weir/internal/pricing"
)

// ModelConfig is a model with its prices, either plain or by tiers.
type ModelConfig struct {
	Name string `mapstructure:"name"`
	// Match is an expression (Go RE2) for the names that spans carry; without one just the name, in any letter case.
	Match string `mapstructure:"match"`
	// Tokenizer is openai, claude or the name of an encoding such as o200k_base.
	Tokenizer string `mapstructure:"tokenizer"`
	// Prices are numbers, or the texts of numbers, by usage key, in US dollars for one unit.
	Prices map[string]any `mapstructure:"prices"`
	// Tiers are prices under conditions; the one without conditions is for everything else.
	Tiers []TierConfig `mapstructure:"tiers"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// TierConfig is the prices of a model under some conditions.
type TierConfig struct {
	Name string `mapstructure:"name"`
	// Priority orders the tiers with conditions: the lowest is asked first.
	Priority   int            `mapstructure:"priority"`
	Conditions string         `mapstructure:"conditions"`
	Prices     map[string]any `mapstructure:"prices"`

	// prevent unkeyed literal initialization
	_ struct{}
}

// prices are the models of the configuration, then those that are built in.
func (c *Config) prices() (*pricing.Table, error) {
	table, err := pricing.Default()
	if err != nil || len(c.Models) == 0 {
		return table, err
	}
	definitions := make([]pricing.Definition, len(c.Models))
	for i := range c.Models {
		definitions[i] = c.Models[i].definition()
	}
	return table.With(definitions)
}

// definition turns plain prices into a tier without conditions. Beside tiers they are one as well: the default one.
func (m *ModelConfig) definition() pricing.Definition {
	definition := pricing.Definition{Name: m.Name, Match: m.Match, Tokenizer: m.Tokenizer}
	if len(m.Prices) > 0 {
		definition.Tiers = append(definition.Tiers, pricing.TierDefinition{Prices: priceTexts(m.Prices)})
	}
	for _, tier := range m.Tiers {
		definition.Tiers = append(definition.Tiers, pricing.TierDefinition{
			Name: tier.Name, Priority: tier.Priority, Conditions: tier.Conditions, Prices: priceTexts(tier.Prices),
		})
	}
	return definition
}

// priceTexts gives each price as it was written. YAML makes floats of most of them; the shortest text of a float is the
// one from which it was read.
func priceTexts(prices map[string]any) map[string]string {
	texts := make(map[string]string, len(prices))
	for key, price := range prices {
		switch price := price.(type) {
		case float64:
			texts[key] = strconv.FormatFloat(price, 'g', -1, 64)
		default:
			texts[key] = fmt.Sprint(price)
		}
	}
	return texts
}
