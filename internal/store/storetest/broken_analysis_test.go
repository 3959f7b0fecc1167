// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
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

	askMetrics    func(*query.Metrics)
	answerMetrics func(*[]store.MetricRow)

	askTraces      func(*query.Traces)
	answerTraces   func(*store.TracePage)
	answerSessions func(*store.SessionPage)
	answerDays     func(*store.DayPage)
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

func (b *broken) QueryMetrics(ctx context.Context, q query.Metrics) ([]store.MetricRow, error) {
	return changed(q, b.askMetrics, func(q query.Metrics) ([]store.MetricRow, error) { return b.Naive.QueryMetrics(ctx, q) }, b.answerMetrics)
}

func (b *broken) ListTraces(ctx context.Context, q query.Traces) (store.TracePage, error) {
	return changed(q, b.askTraces, func(q query.Traces) (store.TracePage, error) { return b.Naive.ListTraces(ctx, q) }, b.answerTraces)
}

func (b *broken) ListSessions(ctx context.Context, q query.Sessions) (store.SessionPage, error) {
	return changed(q, nil, func(q query.Sessions) (store.SessionPage, error) { return b.Naive.ListSessions(ctx, q) }, b.answerSessions)
}

func (b *broken) ListDays(ctx context.Context, q query.Daily) (store.DayPage, error) {
	return changed(q, nil, func(q query.Daily) (store.DayPage, error) { return b.Naive.ListDays(ctx, q) }, b.answerDays)
}

// changedCells changes every value of every row of metrics.
func changedCells(change func(any) any) broken {
	return broken{analysis: analysis{answerMetrics: func(rows *[]store.MetricRow) {
		for _, row := range *rows {
			for column, value := range row {
				row[column] = change(value)
			}
		}
	}}}
}

// analysisFaults are faults in reads that look at many rows.
var analysisFaults = []fault{
	{"forgets a bound of scores", broken{analysis: analysis{askScores: func(q *query.Scores) { q.Max = nil }}}, "one store/score lists/max", false},
	{"takes one tag for all", broken{analysis: analysis{askScores: func(q *query.Scores) {
		q.TraceTags = q.TraceTags[:min(1, len(q.TraceTags))]
	}}}, "one store/score lists/tags", false},
	{"counts the scores of a page", broken{analysis: analysis{answerScores: func(page *store.ScorePage) {
		page.Total = min(page.Total, int64(len(page.Rows)))
	}}}, "one store/score lists/from", false},
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
	{"sums as floats do", changedCells(func(value any) any {
		if number, ok := value.(json.Number); ok {
			f, _ := number.Float64()
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
		return value
	}), "one store/metrics/exact", false},
	{"shows empty texts for null", changedCells(func(value any) any {
		if value == nil {
			return ""
		}
		return value
	}), "one store/metrics/known", true},
	{"takes a percentile for the nearest value", changedCells(func(value any) any {
		if f, ok := value.(float64); ok {
			return math.Floor(f)
		}
		return value
	}), "one store/metrics/observations", false},
	{"leaves out the end of the range", broken{analysis: analysis{askMetrics: func(q *query.Metrics) {
		q.To = q.To.Add(-time.Millisecond)
	}}}, "one store/metrics/exact", false},
	{"fills no buckets", broken{analysis: analysis{answerMetrics: func(rows *[]store.MetricRow) {
		*rows = slices.DeleteFunc(*rows, func(row store.MetricRow) bool { return row["count_count"] == int64(0) })
	}}}, "one store/metrics/known", false},
	{"loses a row of metrics", broken{analysis: analysis{answerMetrics: func(rows *[]store.MetricRow) {
		*rows = (*rows)[:max(1, len(*rows))-1]
	}}}, "one store/metrics/scores-categorical", true},
	{"counts at another moment", broken{analysis: analysis{answerTraces: func(page *store.TracePage) {
		if page.Total > 1 {
			page.Total++
		}
	}}}, "one store/answers of one moment", false},
	{"takes the name of a root before that of the trace", broken{analysis: analysis{answerTraces: func(page *store.TracePage) {
		for i := range page.Rows {
			if page.Rows[i].Name == "trace" {
				page.Rows[i].Name = "o"
			}
		}
	}}}, "one store/traces/known", false},
	{"forgets an order of traces", broken{analysis: analysis{askTraces: func(q *query.Traces) { q.OrderBy = nil }}}, "one store/traces/by trace", false},
	{"sorts no tags", broken{analysis: analysis{answerTraces: func(page *store.TracePage) {
		for i := range page.Rows {
			slices.Reverse(page.Rows[i].Tags)
		}
	}}}, "one store/traces/by trace", false},
	{"counts the sessions of a page", broken{analysis: analysis{answerSessions: func(page *store.SessionPage) {
		page.Total = min(page.Total, int64(len(page.Rows)))
	}}}, "one store/traces/by session", true},
	{"counts a trace for each observation", broken{analysis: analysis{answerDays: func(page *store.DayPage) {
		for i := range page.Rows {
			page.Rows[i].Traces = page.Rows[i].Observations
		}
	}}}, "one store/traces/by day", true},
	{"loses what has no model", broken{analysis: analysis{answerDays: func(page *store.DayPage) {
		for i := range page.Rows {
			page.Rows[i].Models = slices.DeleteFunc(page.Rows[i].Models, func(m store.ModelUsage) bool { return m.Model == "" })
		}
	}}}, "one store/traces/by day", true},
}
