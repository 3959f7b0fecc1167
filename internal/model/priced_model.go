// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import (
	"encoding/json"
	"time"
)

// PricedModel says what a model costs, and by which names it goes.
type PricedModel struct {
	ID           string `json:"-"`
	ModelName    string `json:"modelName"`
	MatchPattern string `json:"matchPattern"`
	// StartDate is from when on it counts; zero for always.
	StartDate time.Time `json:"startDate,omitzero"`
	Unit      string    `json:"unit,omitempty"`
	// TokenizerID is openai, claude or empty.
	TokenizerID     string          `json:"tokenizerId,omitempty"`
	TokenizerConfig json.RawMessage `json:"tokenizerConfig,omitempty"`
	// IsManaged says that it is built in, and not the project's own.
	IsManaged bool `json:"-"`
	// Tiers are those with conditions by ascending priority, and then the default one.
	Tiers []PricingTier `json:"tiers"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// Prices are those of the default tier.
func (d *PricedModel) Prices() Costs {
	for i := range d.Tiers {
		if d.Tiers[i].IsDefault {
			return d.Tiers[i].Prices
		}
	}
	return nil
}

// PricingTier is the prices of a model under some conditions.
type PricingTier struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	IsDefault  bool            `json:"isDefault,omitempty"`
	Priority   int             `json:"priority"`
	Conditions []TierCondition `json:"conditions,omitempty"`
	// Prices are in US dollars for one unit, by usage key.
	Prices Costs `json:"prices"`
}

// TierCondition compares the sum of the usage keys that match a pattern with a number.
type TierCondition struct {
	UsageDetailPattern string `json:"usageDetailPattern"`
	// Operator is gt, gte, lt, lte, eq or neq.
	Operator      string `json:"operator"`
	Value         int64  `json:"value"`
	CaseSensitive bool   `json:"caseSensitive"`
}
