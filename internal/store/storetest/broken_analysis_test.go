// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// analysis is the part of a broken store that looks at many rows: each question may be changed before it is answered, and
// each answer after that.
type analysis struct {
	askScores    func(*query.Scores)
	answerScores func(*store.ScorePage)
}

// changed asks for what a question is changed to, and changes the answer.
func changed[Q, A any](q Q, question func(*Q), ask func(Q) (A, error), answer func(*A)) (A, error) {
	if question != nil {
		question(&q)
	}
	a, err := ask(q)
	if err == nil && answer != nil {
		answer(&a)
	}
	return a, err
}

func (b *broken) ListScores(ctx context.Context, q query.Scores) (store.ScorePage, error) {
	return changed(q, b.askScores, func(q query.Scores) (store.ScorePage, error) { return b.Naive.ListScores(ctx, q) }, b.answerScores)
}

// analysisFaults are faults in reads that look at many rows.
var analysisFaults = []fault{
	{"forgets a bound of scores", broken{analysis: analysis{askScores: func(q *query.Scores) { q.Max = nil }}}, "one store/score lists/max", false},
	{"takes one tag for all", broken{analysis: analysis{askScores: func(q *query.Scores) {
		q.TraceTags = q.TraceTags[:min(1, len(q.TraceTags))]
	}}}, "one store/score lists/tags", false},
	{"counts the scores of a page", broken{analysis: analysis{answerScores: func(page *store.ScorePage) {
		page.Total = min(page.Total, int64(len(page.Rows)))
	}}}, "one store/score lists/from", true},
	{"repeats a score at a page boundary", broken{analysis: analysis{answerScores: func(page *store.ScorePage) {
		if page.Next != nil {
			page.Next.ID += "~"
		}
	}}}, "one store/score lists/in pages", true},
}
