// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type modelBody struct {
	ID                string                    `json:"id"`
	ModelName         string                    `json:"modelName"`
	MatchPattern      string                    `json:"matchPattern"`
	StartDate         timestamp                 `json:"startDate"`
	InputPrice        *amount                   `json:"inputPrice"`
	OutputPrice       *amount                   `json:"outputPrice"`
	TotalPrice        *amount                   `json:"totalPrice"`
	Unit              nullText                  `json:"unit"`
	TokenizerID       nullText                  `json:"tokenizerId"`
	TokenizerConfig   json.RawMessage           `json:"tokenizerConfig"`
	IsLangfuseManaged bool                      `json:"isLangfuseManaged"`
	CreatedAt         timestamp                 `json:"createdAt"`
	Prices            map[string]modelPriceBody `json:"prices"`
	PricingTiers      []pricingTierBody         `json:"pricingTiers"`
}

type modelPriceBody struct {
	Price amount `json:"price"`
}

type pricingTierBody struct {
	ID         string                `json:"id"`
	Name       string                `json:"name"`
	IsDefault  bool                  `json:"isDefault"`
	Priority   int                   `json:"priority"`
	Conditions []model.TierCondition `json:"conditions"`
	Prices     costObject            `json:"prices"`
}

func (a *API) listModels(ctx context.Context, r *web.Request) (web.Reply, error) {
	page, err := pageParams(r)
	if err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.Models(ctx, r.Project(), page)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPage(list, page, newModel)), nil
}

func (a *API) getModel(ctx context.Context, r *web.Request) (web.Reply, error) {
	definition, err := a.Catalog.Model(ctx, r.Project(), r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newModel(&definition)), nil
}

func (a *API) createModel(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	create := catalog.ModelCreate{
		ModelName: o.RequiredText("modelName", 1, maxText), MatchPattern: o.RequiredText("matchPattern", 1, maxText),
		StartDate:   o.LenientTime("startDate"),
		Unit:        o.OneOf("unit", "TOKENS", "CHARACTERS", "MILLISECONDS", "SECONDS", "REQUESTS", "IMAGES"),
		TokenizerID: o.OneOf("tokenizerId", "openai", "claude"), TokenizerConfig: o.Raw("tokenizerConfig"),
		InputPrice: price(o, "inputPrice"), OutputPrice: price(o, "outputPrice"), TotalPrice: price(o, "totalPrice"),
		Tiers: readTiers(o),
	}
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	definition, err := a.Catalog.CreateModel(ctx, r.Project(), create)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newModel(&definition)), nil
}

func (a *API) deleteModel(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := a.Catalog.DeleteModel(ctx, r.Project(), r.Segment("id")); err != nil {
		return web.Reply{}, err
	}
	return done("Model successfully deleted"), nil
}

// price is a price as it was written, so that no digit of it is lost; "" when it is absent.
func price(o *validation.Object, name string) json.Number {
	switch number := o.Number(name); {
	case number == nil:
		return ""
	case *number < 0:
		o.Add(validation.TooSmall(validation.OfNumber, 0, o.At(name)...))
	}
	return json.Number(o.Raw(name))
}

func readTiers(o *validation.Object) []catalog.TierCreate {
	objects := o.Objects("pricingTiers")
	tiers := make([]catalog.TierCreate, len(objects))
	for i, tier := range objects {
		tiers[i].Name = tier.RequiredText("name", 1, maxText)
		if tier.Required("isDefault", "boolean") {
			if isDefault := tier.Bool("isDefault"); isDefault != nil {
				tiers[i].IsDefault = *isDefault
			}
		}
		tiers[i].Priority = requiredInt(tier, "priority", 0)
		tier.Required("conditions", "array")
		tiers[i].Conditions = readConditions(tier)
		if !tier.Required("prices", "object") {
			continue
		}
		if prices := tier.Object("prices"); prices != nil {
			tiers[i].Prices = map[string]json.Number{}
			for _, key := range prices.Names() {
				prices.Required(key, "number")
				tiers[i].Prices[key] = price(prices, key)
			}
		}
	}
	return tiers
}

func readConditions(tier *validation.Object) []model.TierCondition {
	objects := tier.Objects("conditions")
	conditions := make([]model.TierCondition, len(objects))
	for i, condition := range objects {
		conditions[i].UsageDetailPattern = condition.RequiredText("usageDetailPattern", 1, maxText)
		conditions[i].Operator = condition.RequiredOneOf("operator", "gt", "gte", "lt", "lte", "eq", "neq")
		conditions[i].Value = int64(requiredInt(condition, "value", -maxSafeInt))
		if caseSensitive := condition.Bool("caseSensitive"); caseSensitive != nil {
			conditions[i].CaseSensitive = *caseSensitive
		}
	}
	return conditions
}

// maxSafeInt is the largest whole number of which clients in JavaScript keep all digits.
const maxSafeInt = 1<<53 - 1

func requiredInt(o *validation.Object, name string, least int) int {
	if !o.Required(name, "number") {
		return 0
	}
	if number := o.Int(name, least, maxSafeInt); number != nil {
		return *number
	}
	return 0
}

func newModel(m *model.PricedModel) modelBody {
	prices := m.Prices()
	body := modelBody{
		ID: m.ID, ModelName: m.ModelName, MatchPattern: m.MatchPattern, StartDate: timestamp(m.StartDate),
		InputPrice: priceOf(prices, "input"), OutputPrice: priceOf(prices, "output"), TotalPrice: priceOf(prices, model.UsageKeyTotal),
		Unit: nullText(m.Unit), TokenizerID: nullText(m.TokenizerID), TokenizerConfig: m.TokenizerConfig, IsLangfuseManaged: m.IsManaged,
		CreatedAt: timestamp(m.CreatedAt), Prices: make(map[string]modelPriceBody, len(prices)), PricingTiers: make([]pricingTierBody, len(m.Tiers)),
	}
	for _, entry := range prices {
		body.Prices[entry.Key] = modelPriceBody{amount(entry.Amount)}
	}
	for i := range m.Tiers {
		tier := &m.Tiers[i]
		body.PricingTiers[i] = pricingTierBody{
			ID: tier.ID, Name: tier.Name, IsDefault: tier.IsDefault, Priority: tier.Priority,
			Conditions: append([]model.TierCondition{}, tier.Conditions...), Prices: costObject(tier.Prices),
		}
	}
	return body
}

// priceOf is what a unit costs; nil where that is not said.
func priceOf(prices model.Costs, key string) *amount {
	if price, ok := prices.Get(key); ok {
		return new(amount(price))
	}
	return nil
}
