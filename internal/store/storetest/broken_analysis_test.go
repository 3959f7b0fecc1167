// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// analysis is the part of a broken store that looks at many rows: each question may be changed before it is answered, and
// each answer after that.
type analysis struct {
	askScores    func(*query.Scores)
	answerScores func(*store.ScorePage)

	answerExperiments func(*store.ExperimentPage)
	askItems          func(*query.ExperimentItems)
	answerItems       func(*store.ExperimentItemPage)
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

func (b *broken) ListExperiments(ctx context.Context, q query.Experiments) (store.ExperimentPage, error) {
	return changed(q, nil, func(q query.Experiments) (store.ExperimentPage, error) { return b.Naive.ListExperiments(ctx, q) }, b.answerExperiments)
}

func (b *broken) ListExperimentItems(ctx context.Context, q query.ExperimentItems) (store.ExperimentItemPage, error) {
	return changed(q, b.askItems, func(q query.ExperimentItems) (store.ExperimentItemPage, error) {
		return b.Naive.ListExperimentItems(ctx, q)
	}, b.answerItems)
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
	{"ends an experiment with its last start", broken{analysis: analysis{answerExperiments: func(page *store.ExperimentPage) {
		for i := range page.Rows {
			page.Rows[i].End = page.Rows[i].LastStart
		}
	}}}, "one store/experiments/runs", true},
	{"skips an experiment at a page boundary", broken{analysis: analysis{answerExperiments: func(page *store.ExperimentPage) {
		if page.Next != nil {
			page.Next.LastStart = page.Next.LastStart.Add(-24 * time.Hour)
		}
	}}}, "one store/experiments/runs", false},
	{"forgets the conditions on items", broken{analysis: analysis{askItems: func(q *query.ExperimentItems) {
		q.Where = nil
	}}}, "one store/experiments/items", false},
	{"shares scores between items", broken{analysis: analysis{answerItems: func(page *store.ExperimentItemPage) {
		for i := range page.Rows {
			page.Rows[i].Scores = page.Rows[0].Scores
		}
	}}}, "one store/experiments/items", false},
}
