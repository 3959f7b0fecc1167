// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// listBody is a page of a list that is continued by a cursor.
type listBody[T any] struct {
	Data []T        `json:"data"`
	Meta cursorMeta `json:"meta"`
}

// cursorMeta has a cursor where the list goes on.
type cursorMeta struct {
	Cursor string `json:"cursor,omitempty"`
}

// observations lists rows, newest first.
func (a *API) observations(ctx context.Context, r *web.Request) (web.Reply, error) {
	asked, err := query.ParseObservations(r.Project(), r.URL.RawQuery)
	if err != nil {
		return web.Reply{}, err
	}
	page, err := a.listObservations(ctx, r, asked.Query)
	if err != nil {
		return web.Reply{}, err
	}
	prices, err := a.Catalog.Prices(ctx, r.Project())
	if err != nil {
		return web.Reply{}, err
	}
	body := listBody[observationBody]{Data: make([]observationBody, len(page.Rows))}
	for i := range page.Rows {
		body.Data[i] = newObservation(r.Project(), &page.Rows[i], &asked, prices)
	}
	if page.Next != nil {
		body.Meta.Cursor = page.Next.Cursor(r.Project())
	}
	return web.JSON(body), nil
}

// listObservations reads a page for an answer, and takes the memory for it.
func (a *API) listObservations(ctx context.Context, r *web.Request, q query.Observations) (store.ObservationPage, error) {
	q.MaxBytes = a.MaxResponse
	page, err := a.Store.ListObservations(ctx, q)
	if err != nil {
		return page, err
	}
	size := int64(0)
	for i := range page.Rows {
		size += page.Rows[i].PayloadSize()
	}
	return page, r.ReserveAnswer(size)
}

// newObservation shows the groups of fields that were asked for.
func newObservation(project string, row *store.StoredObservation, asked *query.ObservationsRequest, prices *pricing.Table) observationBody {
	o := &row.Observation
	body := observationBody{
		ID: o.ID, TraceID: o.TraceID, StartTime: timestamp(o.Start), EndTime: timestamp(o.End),
		ProjectID: project, ParentObservationID: nullText(o.ParentID), Type: o.Type,
		Latency: secondsBetween(o.Start, o.End), TimeToFirstToken: secondsBetween(o.Start, o.CompletionStart),
	}
	groups := asked.Query.Groups
	if groups.Has(query.GroupBasic) {
		body.basicFields = &basicFields{
			Name: o.Name, Level: o.Level, StatusMessage: o.StatusMessage, Version: o.Version, Environment: o.Environment,
			Bookmarked: o.Bookmarked, Public: o.Public, UserID: o.UserID, SessionID: o.SessionID, IsRootObservation: o.IsRoot(),
		}
	}
	if groups.Has(query.GroupTime) {
		body.timeFields = &timeFields{
			CompletionStartTime: timestamp(o.CompletionStart), CreatedAt: timestamp(row.CreatedAt), UpdatedAt: timestamp(row.UpdatedAt),
		}
	}
	if groups.Has(query.GroupIO) {
		body.ioFields = &ioFields{Input: nullText(o.Input), Output: nullText(o.Output)}
	}
	if groups.Has(query.GroupMetadata) {
		body.metadataFields = &metadataFields{Metadata: cutMetadata(o.Metadata, asked.ExpandMetadata)}
	}
	if groups.Has(query.GroupModel) {
		body.modelFields = &modelFields{
			Model: o.Model, ProvidedModelName: o.Model, InternalModelID: o.ModelID, ModelParameters: objectOr(o.ModelParameters),
		}
		addPrices(&body, o, prices)
	}
	if groups.Has(query.GroupUsage) {
		body.usageFields = usageOf(o)
	}
	if groups.Has(query.GroupPrompt) {
		body.promptFields = &promptFields{PromptID: o.PromptID, PromptName: o.PromptName, PromptVersion: o.PromptVersion}
	}
	if groups.Has(query.GroupTraceContext) {
		body.traceFields = &traceFields{Tags: listOf(o.Tags), Release: o.Release, TraceName: nullText(traceName(o))}
	}
	return body
}

// addPrices shows what a unit costs by the default tier of the model that matched.
func addPrices(body *observationBody, o *model.Observation, table *pricing.Table) {
	definition := table.ByID(o.ModelID)
	if definition == nil {
		return
	}
	body.ModelID = nullText(o.ModelID)
	prices := definition.Prices()
	body.InputPrice, body.OutputPrice = priceText(prices, "input"), priceText(prices, "output")
	body.TotalPrice = priceText(prices, model.UsageKeyTotal)
}

func priceText(prices model.Costs, key string) nullText {
	if price, ok := prices.Get(key); ok {
		return nullText(price.String())
	}
	return ""
}

func usageOf(o *model.Observation) *usageFields {
	total, _ := o.Usage.Get(model.UsageKeyTotal)
	totalCost, _ := o.Cost.Get(model.UsageKeyTotal)
	return &usageFields{
		UsageDetails: usageObject(o.Usage), InputUsage: sumOfUsage(o.Usage, "input"), OutputUsage: sumOfUsage(o.Usage, "output"), TotalUsage: total,
		CostDetails: costObject(o.Cost), InputCost: sumOfCosts(o.Cost, "input"), OutputCost: sumOfCosts(o.Cost, "output"), TotalCost: amount(totalCost),
		UsagePricingTierID: nullText(o.PricingTierID), UsagePricingTierName: nullText(o.PricingTierName),
	}
}

// traceName falls back on the name of the root, which is what the trace is called then.
func traceName(o *model.Observation) string {
	if o.TraceName == "" && o.IsRoot() {
		return o.Name
	}
	return o.TraceName
}

// objectOr is JSON text, or an empty object where there is none.
func objectOr(text string) json.RawMessage {
	if text == "" {
		return emptyObject
	}
	return json.RawMessage(text)
}

// listOf is never null.
func listOf(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}
