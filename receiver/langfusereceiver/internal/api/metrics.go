// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type metricsBody struct {
	Data []store.MetricRow `json:"data"`
}

// metrics computes aggregates.
func (a *API) metrics(ctx context.Context, r *web.Request) (web.Reply, error) {
	rows, err := a.metricRows(ctx, r, false)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(metricsBody{rows}), nil
}

// metricRows is never nil.
func (a *API) metricRows(ctx context.Context, r *web.Request, isLegacy bool) ([]store.MetricRow, error) {
	q, err := query.ParseMetrics(r.Project(), r.URL.RawQuery, isLegacy)
	if err != nil {
		return nil, err
	}
	rows, err := a.Store.QueryMetrics(ctx, q)
	if rows == nil {
		rows = []store.MetricRow{}
	}
	return rows, err
}
