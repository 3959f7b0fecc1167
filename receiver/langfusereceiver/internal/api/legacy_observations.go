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

// legacyObservationBody is an observation of the v1 API, with everything that it has.
type legacyObservationBody struct {
	ID                   string                `json:"id"`
	ProjectID            string                `json:"projectId"`
	TraceID              nullText              `json:"traceId"`
	ParentObservationID  nullText              `json:"parentObservationId"`
	Type                 model.ObservationType `json:"type"`
	Name                 nullText              `json:"name"`
	Environment          string                `json:"environment"`
	StartTime            timestamp             `json:"startTime"`
	EndTime              timestamp             `json:"endTime"`
	CompletionStartTime  timestamp             `json:"completionStartTime"`
	CreatedAt            timestamp             `json:"createdAt"`
	UpdatedAt            timestamp             `json:"updatedAt"`
	Version              nullText              `json:"version"`
	Level                model.Level           `json:"level"`
	StatusMessage        nullText              `json:"statusMessage"`
	Input                json.RawMessage       `json:"input"`
	Output               json.RawMessage       `json:"output"`
	Metadata             json.RawMessage       `json:"metadata"`
	Model                nullText              `json:"model"`
	ModelParameters      json.RawMessage       `json:"modelParameters"`
	ModelID              nullText              `json:"modelId"`
	PromptID             nullText              `json:"promptId"`
	PromptName           nullText              `json:"promptName"`
	PromptVersion        *int                  `json:"promptVersion"`
	UsageDetails         usageObject           `json:"usageDetails"`
	CostDetails          costObject            `json:"costDetails"`
	Usage                legacyUsage           `json:"usage"`
	Unit                 string                `json:"unit"`
	PromptTokens         int64                 `json:"promptTokens"`
	CompletionTokens     int64                 `json:"completionTokens"`
	TotalTokens          int64                 `json:"totalTokens"`
	UsagePricingTierID   nullText              `json:"usagePricingTierId"`
	UsagePricingTierName nullText              `json:"usagePricingTierName"`
	// Prices are numbers here.
	InputPrice           *amount  `json:"inputPrice"`
	OutputPrice          *amount  `json:"outputPrice"`
	TotalPrice           *amount  `json:"totalPrice"`
	CalculatedInputCost  *amount  `json:"calculatedInputCost"`
	CalculatedOutputCost *amount  `json:"calculatedOutputCost"`
	CalculatedTotalCost  *amount  `json:"calculatedTotalCost"`
	Latency              *float64 `json:"latency"`
	TimeToFirstToken     *float64 `json:"timeToFirstToken"`
	noticed
}

// legacyUsage is usage in tokens, whatever was counted.
type legacyUsage struct {
	Unit   string `json:"unit"`
	Input  int64  `json:"input"`
	Output int64  `json:"output"`
	Total  int64  `json:"total"`
}

const unitTokens = "TOKENS"

func (a *API) legacyObservations(ctx context.Context, r *web.Request) (legacyBody, error) {
	q, page, err := query.ParseLegacyObservations(r.Project(), r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	found, err := a.listObservations(ctx, r, q)
	if err != nil {
		return nil, err
	}
	prices, err := a.Catalog.Prices(ctx, q.Project)
	if err != nil {
		return nil, err
	}
	return paged(found.Rows, page, found.Total, func(row *store.StoredObservation) *legacyObservationBody {
		return newLegacyObservation(q.Project, row, prices)
	}), nil
}

// legacyObservation is one observation. An id is good within its trace only; of several the newest is meant.
func (a *API) legacyObservation(ctx context.Context, r *web.Request) (legacyBody, error) {
	found, err := a.Store.ListObservations(ctx, query.Observations{
		Project: r.Project(), Groups: query.GroupAll, Limit: 1,
		Where: []query.Condition{{Column: query.ColumnID, Operator: query.OpEqual, Text: r.Segment("observationId")}},
	})
	if err != nil {
		return nil, err
	}
	if len(found.Rows) == 0 {
		return nil, web.NotFound("Observation not found within authorized project")
	}
	prices, err := a.Catalog.Prices(ctx, r.Project())
	if err != nil {
		return nil, err
	}
	return newLegacyObservation(r.Project(), &found.Rows[0], prices), nil
}

func newLegacyObservation(project string, row *store.StoredObservation, table *pricing.Table) *legacyObservationBody {
	o := &row.Observation
	usage := usageOf(o)
	body := &legacyObservationBody{
		ID: o.ID, ProjectID: project, TraceID: nullText(o.TraceID), ParentObservationID: nullText(o.ParentID), Type: o.Type, Name: nullText(o.Name),
		Environment: environmentOr(o.Environment), StartTime: timestamp(o.Start), EndTime: timestamp(o.End), CompletionStartTime: timestamp(o.CompletionStart),
		CreatedAt: timestamp(row.CreatedAt), UpdatedAt: timestamp(row.UpdatedAt), Version: nullText(o.Version), Level: o.Level,
		StatusMessage: nullText(o.StatusMessage), Input: parsedJSON(o.Input), Output: parsedJSON(o.Output), Metadata: nestMetadata(o.Metadata),
		Model: nullText(o.Model), ModelParameters: objectOr(o.ModelParameters), ModelID: nullText(o.ModelID),
		PromptID: nullText(o.PromptID), PromptName: nullText(o.PromptName), PromptVersion: o.PromptVersion,
		UsageDetails: usage.UsageDetails, CostDetails: usage.CostDetails,
		Usage: legacyUsage{Unit: unitTokens, Input: usage.InputUsage, Output: usage.OutputUsage, Total: usage.TotalUsage}, Unit: unitTokens,
		PromptTokens: usage.InputUsage, CompletionTokens: usage.OutputUsage, TotalTokens: usage.TotalUsage,
		UsagePricingTierID: usage.UsagePricingTierID, UsagePricingTierName: usage.UsagePricingTierName,
		CalculatedInputCost: usage.InputCost, CalculatedOutputCost: usage.OutputCost, CalculatedTotalCost: amountOf(o.Cost, model.UsageKeyTotal),
		Latency: secondsBetween(o.Start, o.End), TimeToFirstToken: secondsBetween(o.Start, o.CompletionStart),
	}
	if definition := table.ByID(o.ModelID); definition != nil {
		prices := definition.Prices()
		body.InputPrice, body.OutputPrice, body.TotalPrice = amountOf(prices, "input"), amountOf(prices, "output"), amountOf(prices, model.UsageKeyTotal)
	}
	return body
}

// amountOf is nil where there is none.
func amountOf(costs model.Costs, key string) *amount {
	found, ok := costs.Get(key)
	if !ok {
		return nil
	}
	return new(amount(found))
}
