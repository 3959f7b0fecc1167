// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type legacyMetricsBody struct {
	metricsBody
	noticed
}

// legacyMetrics computes aggregates, of traces too.
func (a *API) legacyMetrics(ctx context.Context, r *web.Request) (legacyBody, error) {
	rows, err := a.metricRows(ctx, r, true)
	return &legacyMetricsBody{metricsBody: metricsBody{rows}}, err
}

type (
	dayBody struct {
		Date              string           `json:"date"`
		CountTraces       int64            `json:"countTraces"`
		CountObservations int64            `json:"countObservations"`
		TotalCost         json.Number      `json:"totalCost"`
		Usage             []modelUsageBody `json:"usage"`
	}
	modelUsageBody struct {
		Model             nullText    `json:"model"`
		InputUsage        json.Number `json:"inputUsage"`
		OutputUsage       json.Number `json:"outputUsage"`
		TotalUsage        json.Number `json:"totalUsage"`
		CountTraces       int64       `json:"countTraces"`
		CountObservations int64       `json:"countObservations"`
		TotalCost         json.Number `json:"totalCost"`
	}
)

// legacyDaily is what happened on each day, the latest first.
func (a *API) legacyDaily(ctx context.Context, r *web.Request) (legacyBody, error) {
	q, page, err := query.ParseDaily(r.Project(), r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	found, err := a.Store.ListDays(ctx, q)
	if err != nil {
		return nil, err
	}
	return paged(found.Rows, page, found.Total, newDay), nil
}

func newDay(row *store.Day) dayBody {
	body := dayBody{
		Date: row.Date, CountTraces: row.Traces, CountObservations: row.Observations, TotalCost: row.TotalCost, Usage: make([]modelUsageBody, len(row.Models)),
	}
	for i := range row.Models {
		m := &row.Models[i]
		body.Usage[i] = modelUsageBody{
			Model: nullText(m.Model), InputUsage: m.InputUsage, OutputUsage: m.OutputUsage, TotalUsage: m.TotalUsage,
			CountTraces: m.Traces, CountObservations: m.Observations, TotalCost: m.TotalCost,
		}
	}
	return body
}
