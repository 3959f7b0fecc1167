// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import "github.com/weirhq/weir/internal/model"

// rowWeight is what a row takes besides the texts that may be large.
const rowWeight = 1024

// weigh is about how many bytes an observation takes in memory while it waits: every text that a client can make as large
// as it likes, and a flat rate for all others.
func weigh(o *model.Observation) int64 { return rowWeight + o.PayloadSize() }

func weighScores(scores []model.Score) int64 {
	n := 0
	for i := range scores {
		n += rowWeight + len(scores[i].Text) + len(scores[i].Comment) + len(scores[i].Metadata)
	}
	return int64(n)
}
