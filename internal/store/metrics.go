// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"context"

	"github.com/weirhq/weir/internal/query"
)

// Metrics are aggregates.
type Metrics interface {
	// QueryMetrics gives aggregates as query.Metrics describes them.
	//
	// A score that is grouped or filtered by something of its trace takes it from the first observation of the trace
	// that has no parent, and by something of its observation from that; without such a one it does not count. A
	// measure of the scores of observations counts only observations that have some.
	QueryMetrics(ctx context.Context, q query.Metrics) ([]MetricRow, error)
}

// MetricRow is a row of aggregates by the names of its columns, ready for JSON. Dimensions are string, float64, bool or
// []string; the time dimension is a string. Counts are int64; sums, minima and maxima of integers and of money are
// json.Number and exact; other numbers are float64. A histogram is a list of [lower, upper, height]. What is absent is nil.
type MetricRow map[string]any
