// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"context"

	"github.com/weirhq/weir/internal/query"
)

// ScoreLists are reads of many scores.
type ScoreLists interface {
	// ListScores gives a page in the order of timestamp, then id, both descending: a total order, as that of
	// observations is. A score is there once, as it is after all merges.
	ListScores(ctx context.Context, q query.Scores) (ScorePage, error)
}

// ScorePage is a part of the list of scores.
type ScorePage struct {
	Rows []StoredScore
	// Next continues the list; nil at its end.
	Next *query.ScoreKey
	// Total is the number of scores on all pages, if it was asked for.
	Total int64
}
