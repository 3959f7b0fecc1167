// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing/tokens"
)

// Definition describes a model, in a configuration or in prices.tsv.
type Definition struct {
	Name string `mapstructure:"name"`
	// Match is an expression (Go RE2) for the names that spans carry. It is searched for, so it needs ^ and $ of
	// its own. Without one, just the name matches, in upper or lower case.
	Match string `mapstructure:"match"`
	// Tokenizer is openai, claude, the name of an encoding such as o200k_base, or empty.
	Tokenizer string `mapstructure:"tokenizer"`
	// Tiers are the prices. One tier, and only one, has no conditions.
	Tiers []TierDefinition `mapstructure:"tiers"`

	// ID is for models that have one already, and then several may have the same name. Empty, it follows from the name.
	ID string `mapstructure:"-"`
	// TokenizerModel is the name by which the encoding of openai is found, where Name is not.
	TokenizerModel string `mapstructure:"-"`
}

// TierDefinition describes the prices of a model under some conditions.
type TierDefinition struct {
	// Name may be missing for the tier without conditions.
	Name string `mapstructure:"name"`
	// Priority orders the tiers with conditions: the lowest is asked first.
	Priority int `mapstructure:"priority"`
	// Conditions are such as: model_parameters.service_tier in flex and sum(usage ~ /input/) gt 272000
	Conditions string `mapstructure:"conditions"`
	// Prices are decimal numbers by usage key, in US dollars for one unit.
	Prices map[string]string `mapstructure:"prices"`
}

const defaultTierName = "Standard"

const (
	tokenizerOpenAI = "openai"
	tokenizerClaude = "claude"
)

// build makes models of definitions. It reports all that is wrong with them at once.
func build(definitions []Definition, from origin) ([]*Model, error) {
	var (
		models   = make([]*Model, 0, len(definitions))
		names    = make(map[string]bool, len(definitions))
		problems []error
	)
	for i := range definitions {
		d := &definitions[i]
		b := builder{label: fmt.Sprintf("model %q", d.Name)}
		if d.Name == "" {
			b.label = fmt.Sprintf("model %d of the list", i+1)
			b.problem("`name` is empty")
		} else if names[d.Name] && d.ID == "" {
			b.problem("`name` is taken by a model before it")
		}
		names[d.Name] = true
		models = append(models, b.model(d, from))
		problems = append(problems, b.problems...)
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return models, nil
}

// builder makes one model and collects what is wrong with its definition.
type builder struct {
	label    string
	problems []error
}

func (b *builder) problem(format string, args ...any) {
	b.problems = append(b.problems, fmt.Errorf(b.label+": "+format, args...))
}

func (b *builder) model(d *Definition, from origin) *Model {
	m := &Model{id: cmp.Or(d.ID, modelID(from, d.Name)), name: d.Name, tokenizer: d.Tokenizer}
	expression := d.Match
	if expression == "" {
		expression = "(?i)^" + regexp.QuoteMeta(d.Name) + "$"
	}
	var err error
	if m.match, err = regexp.Compile(expression); err != nil {
		b.problem("`match`: %w", err)
	}
	m.encoding = b.encoding(d)
	b.tiers(d, m)
	return m
}

func (b *builder) encoding(d *Definition) *tokens.Encoding {
	switch d.Tokenizer {
	case "":
		return nil
	case tokenizerClaude:
		// Known, but there is nothing to count with: see Model.Count.
		return nil
	case tokenizerOpenAI:
		encoding := tokens.ForModel(cmp.Or(d.TokenizerModel, d.Name))
		if encoding == nil && d.ID == "" {
			b.problem("`tokenizer`: which encoding of openai it has cannot be told from its name; use one of %s", tokens.Names())
		}
		return encoding
	default:
		encoding := tokens.Named(d.Tokenizer)
		if encoding == nil {
			b.problem("`tokenizer` is %q; use %s, %s or one of %s", d.Tokenizer, tokenizerOpenAI, tokenizerClaude, tokens.Names())
		}
		return encoding
	}
}

func (b *builder) tiers(d *Definition, m *Model) {
	names, priorities := make(map[string]bool), make(map[int]string)
	for i := range d.Tiers {
		t := b.tier(&d.Tiers[i], i)
		if t == nil {
			continue
		}
		t.id = tierID(m.id, t)
		if names[t.name] {
			b.problem("`tiers`: two have the name %q", t.name)
		}
		names[t.name] = true
		if len(t.conditions) == 0 {
			if m.rest != nil {
				b.problem("`tiers`: %q and %q have no `conditions`; only one may", m.rest.name, t.name)
			}
			m.rest = t
			continue
		}
		if other, taken := priorities[t.priority]; taken {
			b.problem("`tiers`: %q and %q have the same `priority`, %d", other, t.name, t.priority)
		}
		priorities[t.priority] = t.name
		m.special = append(m.special, t)
	}
	if m.rest == nil && len(b.problems) == 0 {
		b.problem("`tiers`: one without `conditions` is missing; it is for what no other tier takes")
	}
	slices.SortFunc(m.special, func(a, b *Tier) int { return cmp.Compare(a.priority, b.priority) })
}

// tier makes a tier; nil when it cannot be told what it is.
func (b *builder) tier(d *TierDefinition, index int) *Tier {
	label := fmt.Sprintf("tier %q", d.Name)
	if d.Name == "" {
		label = fmt.Sprintf("tier %d", index+1)
	}
	conditions, err := parseConditions(d.Conditions)
	if err != nil {
		b.problem("%s: `conditions`: %w", label, err)
		return nil
	}
	t := &Tier{name: d.Name, priority: d.Priority, conditions: conditions}
	if t.name == "" {
		if len(conditions) > 0 {
			b.problem("%s: `name` is empty", label)
			return nil
		}
		t.name = defaultTierName
	}
	if len(d.Prices) == 0 {
		b.problem("%s: `prices` is empty; what is free has the price 0", label)
	}
	for _, key := range slices.Sorted(maps.Keys(d.Prices)) {
		price, err := parsePrice(d.Prices[key])
		switch {
		case key == "":
			b.problem("%s: `prices` has an empty usage key", label)
		case err != nil:
			b.problem("%s: `prices.%s`: %w", label, key, err)
		}
		t.prices = append(t.prices, model.CostEntry{Key: key, Amount: price})
	}
	return t
}

// parsePrice reads a price that must be exact: one that is rounded would be wrong by much for a million units.
func parsePrice(text string) (model.Decimal, error) {
	price, err := model.ParseDecimal(text)
	if err != nil {
		return 0, err
	}
	exact, _ := new(big.Rat).SetString(text)
	kept, _ := new(big.Rat).SetString(price.String())
	switch {
	case exact.Sign() < 0:
		return 0, fmt.Errorf("%q is less than nothing", text)
	case exact.Cmp(kept) != 0:
		return 0, fmt.Errorf("%q has more than twelve digits after the point", text)
	}
	return price, nil
}
