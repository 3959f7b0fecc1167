// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// builtInSince is when all built-in models were made, as far as anybody is told.
var builtInSince = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

const unitTokens = "TOKENS"

func errNoModel() error { return notFound("Model not found") }

// Models lists the models of the project and the built-in ones, by name, unit and then the latest start date first.
func (c *Catalog) Models(ctx context.Context, project string, page Page) (List[model.PricedModel], error) {
	all, err := c.ownModels(ctx, project)
	if err != nil {
		return List[model.PricedModel]{}, err
	}
	for _, m := range c.options.Prices.Models() {
		all = append(all, builtInModel(m))
	}
	slices.SortStableFunc(all, func(a, b model.PricedModel) int {
		return cmp.Or(
			cmp.Compare(a.ModelName, b.ModelName), cmp.Compare(a.Unit, b.Unit), b.StartDate.Compare(a.StartDate), cmp.Compare(a.ID, b.ID),
		)
	})
	return cut(all, page)
}

// Model is the model with an id, the project's own or a built-in one.
func (c *Catalog) Model(ctx context.Context, project, id string) (model.PricedModel, error) {
	if m := c.builtIn(id); m != nil {
		return builtInModel(m), nil
	}
	d, err := c.find(ctx, project, kindModel, id)
	if err != nil {
		return model.PricedModel{}, err
	}
	if d.Revision == store.NoRevision {
		return model.PricedModel{}, errNoModel()
	}
	return readModel(d)
}

// CreateModel makes a model of the project. It comes before all built-in ones.
func (c *Catalog) CreateModel(ctx context.Context, project string, create ModelCreate) (model.PricedModel, error) {
	id := newID()
	definition, err := create.definition(id)
	if err != nil {
		return model.PricedModel{}, err
	}
	// What the price table does not take must not be stored: it would keep all others from being used.
	table, err := (&pricing.Table{}).With([]pricing.Definition{priceDefinition(&definition)})
	if err != nil {
		return model.PricedModel{}, invalid("", "%v", err)
	}
	// The table knows the ids and the order of the tiers, the request how their conditions were written.
	conditions := map[string][]model.TierCondition{}
	for _, tier := range definition.Tiers {
		conditions[tier.Name] = tier.Conditions
	}
	definition.Tiers = tiersOf(table.Models()[0])
	for i := range definition.Tiers {
		definition.Tiers[i].Conditions = conditions[definition.Tiers[i].Name]
	}
	body, err := encode(definition)
	if err != nil {
		return model.PricedModel{}, err
	}
	changes := []store.DocumentChange{{Document: store.Document{Kind: kindModel, ID: id, Name: definition.ModelName, Body: body}}}
	if err := c.documents.WriteDocuments(ctx, project, changes); err != nil {
		return model.PricedModel{}, err
	}
	c.forgetPrices(project)
	return readModel(changes[0].Document)
}

// DeleteModel deletes a model of the project.
func (c *Catalog) DeleteModel(ctx context.Context, project, id string) error {
	if c.builtIn(id) != nil {
		return invalid("", "Models that are built in cannot be deleted")
	}
	defer c.forgetPrices(project)
	return c.delete(ctx, project, kindModel, id, errNoModel())
}

func (c *Catalog) builtIn(id string) *pricing.Model {
	for _, m := range c.options.Prices.Models() {
		if m.ID() == id {
			return m
		}
	}
	return nil
}

// ownModels are the models of the project, the newest first.
func (c *Catalog) ownModels(ctx context.Context, project string) ([]model.PricedModel, error) {
	documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindModel})
	if err != nil {
		return nil, err
	}
	return readAll(documents, readModel)
}

func readModel(d store.Document) (model.PricedModel, error) {
	var m model.PricedModel
	err := decode(d, &m)
	m.ID, m.CreatedAt, m.UpdatedAt = d.ID, d.CreatedAt, d.UpdatedAt
	return m, err
}

func builtInModel(m *pricing.Model) model.PricedModel {
	return model.PricedModel{
		ID: m.ID(), ModelName: m.Name(), MatchPattern: m.MatchPattern(), Unit: unitTokens, TokenizerID: m.TokenizerName(), IsManaged: true,
		Tiers: tiersOf(m), CreatedAt: builtInSince, UpdatedAt: builtInSince,
	}
}

// ignoreCase is how an expression says that it does not look at letter case.
const ignoreCase = "(?i)"

// tiersOf are the tiers of a model. Those with conditions that clients do not know are left out: they could not read them.
func tiersOf(m *pricing.Model) []model.PricingTier {
	var tiers []model.PricingTier
	for _, t := range m.Tiers() {
		conditions, isAll := t.UsageConditions()
		if !isAll {
			continue
		}
		tier := model.PricingTier{ID: t.ID(), Name: t.Name(), IsDefault: t.IsDefault(), Priority: t.Priority(), Prices: t.Prices()}
		for _, condition := range conditions {
			pattern, isAnyCase := strings.CutPrefix(condition.Pattern, ignoreCase)
			tier.Conditions = append(tier.Conditions, model.TierCondition{
				UsageDetailPattern: pattern, Operator: condition.Operator, Value: condition.Value, CaseSensitive: !isAnyCase,
			})
		}
		tiers = append(tiers, tier)
	}
	return tiers
}

// projectPrices is the price table of a project.
type projectPrices struct {
	table *pricing.Table
	// stamp tells which models are in it.
	stamp string
}

// Prices are the models by which the project pays: its own come before the built-in ones, those that begin later before
// those that begin earlier.
func (c *Catalog) Prices(ctx context.Context, project string) (*pricing.Table, error) {
	prices, err := c.prices.get(project, func() (*projectPrices, error) {
		own, err := c.ownModels(ctx, project)
		if err != nil {
			return nil, err
		}
		now := c.options.Now()
		own = slices.DeleteFunc(own, func(m model.PricedModel) bool { return m.StartDate.After(now) })
		slices.SortStableFunc(own, func(a, b model.PricedModel) int { return b.StartDate.Compare(a.StartDate) })
		var stamp strings.Builder
		definitions := make([]pricing.Definition, len(own))
		for i := range own {
			stamp.WriteString(own[i].ID + " ")
			definitions[i] = priceDefinition(&own[i])
		}
		// A table that is the same knows which names it was asked for.
		if old, ok := c.prices.peek(project); ok && old.stamp == stamp.String() {
			return old, nil
		}
		if len(own) == 0 {
			return &projectPrices{table: c.options.Prices}, nil
		}
		table, err := c.options.Prices.With(definitions)
		return &projectPrices{table: table, stamp: stamp.String()}, err
	})
	if err != nil {
		return nil, err
	}
	return prices.table, nil
}

func (c *Catalog) forgetPrices(project string) {
	c.prices.forget(func(key string) bool { return key == project })
}
