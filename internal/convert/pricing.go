// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
)

// price finds the model that the span names, and sets usage and cost: as the client reports them, else by counting
// tokens and by the prices of the model.
func (s *span) price(o *model.Observation) {
	// They may share memory; what is provided is clipped, so that appending to it leaves the other alone.
	o.Usage, o.ProvidedUsage = withTotal(o.ProvidedUsage), slices.Clip(o.ProvidedUsage)
	o.Cost, o.ProvidedCost = withTotalCost(o.ProvidedCost), slices.Clip(o.ProvidedCost)
	prices := s.converter.settings.Prices
	if prices == nil || o.Model == "" {
		return
	}
	matched := prices.Match(o.Model)
	if matched == nil {
		return
	}
	o.ModelID = matched.ID()
	if s.converter.settings.Tokenize && len(o.Usage) == 0 && len(o.Cost) == 0 {
		o.Usage = withTotal(countTokens(matched, o))
	}
	tier := matched.Tier(s.parameterLookup, s.metadataLookup, o.Usage)
	if tier == nil {
		return
	}
	o.PricingTierID, o.PricingTierName = tier.ID(), tier.Name()
	if len(o.Cost) == 0 {
		o.Cost = tier.Cost(o.Usage)
	}
}

// parameterText is a parameter of the model.
func (s *span) parameterText(key string) (text string, found bool) {
	value, found := member(s.parameters, key)
	return nodeText(value), found
}

// countTokens counts what is stored of input and output.
func countTokens(matched *pricing.Model, o *model.Observation) model.Usage {
	var c counts
	for _, side := range [...]struct{ key, text string }{{usageInput, o.Input}, {usageOutput, o.Output}} {
		if side.text == "" {
			continue
		}
		if n, ok := matched.Count(side.text); ok {
			c.set(side.key, int64(n))
		}
	}
	return c.usage
}
