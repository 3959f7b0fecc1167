// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing/tokens"
)

// Model is a model with its prices. It never changes.
type Model struct {
	id, name, tokenizer string
	match               *regexp.Regexp
	// encoding is nil where tokens cannot be counted.
	encoding *tokens.Encoding
	// special are the tiers with conditions by ascending priority; rest is for what none of them takes.
	special []*Tier
	rest    *Tier
}

// ID is the same for the same model in every process and every version, so that rows written long ago keep their
// model. A model of the configuration has another id than one of the same name that is built in: both may be in use.
func (m *Model) ID() string { return m.id }

// Name is how the model is listed.
func (m *Model) Name() string { return m.name }

// MatchPattern is the expression for the names that the model matches.
func (m *Model) MatchPattern() string { return m.match.String() }

// Tiers are those with conditions by ascending priority, and then the default one.
func (m *Model) Tiers() []*Tier { return append(slices.Clone(m.special), m.rest) }

// TokenizerName is the tokenizer of the model, "" where it has none.
func (m *Model) TokenizerName() string { return m.tokenizer }

// Prices are those of the default tier, ordered by usage key.
func (m *Model) Prices() model.Costs { return m.rest.Prices() }

// Tier is the tier by which usage is charged: of those with conditions the first, by ascending priority, whose
// conditions all hold, else the default one. Without any usage there is none.
func (m *Model) Tier(parameter, metadata Lookup, usage model.Usage) *Tier {
	if len(usage) == 0 {
		return nil
	}
	f := facts{parameter: parameter, metadata: metadata, usage: usage}
	for _, t := range m.special {
		if t.applies(f) {
			return t
		}
	}
	return m.rest
}

// Tier is the prices of a model under some conditions. It never changes.
type Tier struct {
	id, name   string
	priority   int
	conditions []condition
	// prices are ordered by usage key. They are few: a walk is faster than a map.
	prices model.Costs
}

// ID is as stable as that of the model.
func (t *Tier) ID() string { return t.id }

// Name is how the tier is listed.
func (t *Tier) Name() string { return t.name }

// IsDefault says that the tier has no conditions.
func (t *Tier) IsDefault() bool { return len(t.conditions) == 0 }

// Priority orders the tiers with conditions.
func (t *Tier) Priority() int { return t.priority }

// UsageConditions are the conditions of the tier, where all of them are about usage; else there are others too.
func (t *Tier) UsageConditions() (conditions []UsageCondition, isAll bool) {
	for _, c := range t.conditions {
		usage, ok := c.(*usageCondition)
		if !ok {
			return nil, false
		}
		conditions = append(conditions, UsageCondition{Pattern: usage.keys.String(), Operator: usage.operator, Value: usage.limit})
	}
	return conditions, true
}

// Prices are in US dollars for one unit, ordered by usage key.
func (t *Tier) Prices() model.Costs { return slices.Clone(t.prices) }

func (t *Tier) applies(f facts) bool {
	for _, c := range t.conditions {
		if !c.holds(f) {
			return false
		}
	}
	return true
}

// Cost is what usage costs: units times price for each usage key that has a price under just that name. Other keys
// cost nothing. The total is that of the usage key "total" where it has a price, else the sum. Where no key has a
// price, nothing is known about the cost, and there is none: not even a total of 0.
func (t *Tier) Cost(usage model.Usage) model.Costs {
	var (
		costs    model.Costs
		sum      model.Decimal
		hasTotal bool
	)
	for _, e := range usage {
		price, ok := t.prices.Get(e.Key)
		if !ok {
			continue
		}
		if costs == nil {
			costs = make(model.Costs, 0, len(usage)+1)
		}
		amount := price.Times(e.Units)
		costs = append(costs, model.CostEntry{Key: e.Key, Amount: amount})
		sum = sum.Plus(amount)
		hasTotal = hasTotal || e.Key == model.UsageKeyTotal
	}
	if len(costs) > 0 && !hasTotal {
		costs = append(costs, model.CostEntry{Key: model.UsageKeyTotal, Amount: sum})
	}
	return costs
}

// origin tells models of the same name apart.
type origin string

const (
	builtIn    origin = "built-in"
	configured origin = "configuration"
)

func modelID(from origin, name string) string { return stableID("model", string(from), name) }

// tierID has the form that the service gives to the id of a default tier; ids of other tiers are opaque there too.
func tierID(model string, tier *Tier) string {
	if len(tier.conditions) == 0 {
		return model + "_tier_default"
	}
	return stableID("tier", model, tier.name)
}

// stableID makes a UUID (version 8, ours to define) of some text.
func stableID(parts ...string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	u := sum[:16]
	u[6] = u[6]&0x0f | 0x80
	u[8] = u[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}
