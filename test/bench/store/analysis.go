// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// traceID is that of the n-th span.
func traceID(n int) string { return fmt.Sprintf("62656e63686d726b%016x", n/spansPerTrace+1) }

const scoresPerWrite = 1000

// writeScores gives three of ten spans a score, those that have one already the same again.
func writeScores(ctx context.Context, s store.Store, begin time.Time, spans int) error {
	batch := make([]model.Score, 0, scoresPerWrite)
	for n := 0; n < spans; n += 10 {
		for i := range 3 {
			score := model.Score{
				ID: fmt.Sprintf("score-%d-%d", n, i), Name: []string{"quality", "tone", "right"}[i], DataType: model.ScoreNumeric, Number: float64(n%100) / 100,
				TraceID: traceID(n), Source: model.ScoreFromEval, Environment: "production", Timestamp: begin.Add(time.Duration(n) * 86 * time.Millisecond),
			}
			if i == 0 {
				score.ObservationID = fmt.Sprintf("%016x", n)
			}
			batch = append(batch, score)
		}
		if len(batch)+3 > cap(batch) || n+10 >= spans {
			if err := s.WriteScores(ctx, project, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return nil
}

// analyse measures the reads that look at many rows.
func analyse(ctx context.Context, s store.Store, begin time.Time, rows int) error {
	end := begin.Add(time.Duration(rows) * 86 * time.Millisecond)
	count := query.Metric{Measure: "count", Aggregation: query.AggregationCount}
	cost := query.Metric{Measure: "totalCost", Aggregation: query.AggregationSum}
	p95 := query.Metric{Measure: "latency", Aggregation: query.AggregationP95}
	metrics := func(q query.Metrics) func() (int, error) {
		q.Project, q.View, q.From, q.To = project, query.ViewObservations, begin, end
		return func() (int, error) {
			found, err := s.QueryMetrics(ctx, q)
			return len(found), err
		}
	}
	scores := func(q query.Scores) func() (int, error) {
		q.Project = project
		return func() (int, error) {
			page, err := s.ListScores(ctx, q)
			return len(page.Rows), err
		}
	}
	for _, read := range []struct {
		name string
		read func() (int, error)
	}{
		{"newest page of 50 scores", scores(query.Scores{Limit: 50})},
		{"scores of one trace", scores(query.Scores{Limit: 50, TraceIDs: []string{traceID(rows / 2)}})},
		{"experiments, with scores", func() (int, error) {
			page, err := s.ListExperiments(ctx, query.Experiments{Project: project, From: begin, Limit: 50, ScoreLimit: 50})
			return len(page.Rows), err
		}},
		{"experiment items, with scores", func() (int, error) {
			page, err := s.ListExperimentItems(ctx, query.ExperimentItems{Project: project, From: begin, Limit: 50, ScoreLimit: 50, Groups: query.GroupIO})
			return len(page.Rows), err
		}},
		{"cost by model and day, with p95 of latency", metrics(query.Metrics{Metrics: []query.Metric{cost, p95}, Dimensions: []string{"providedModelName"}, Granularity: query.GranularityDay})},
		{"p95 of latency by name", metrics(query.Metrics{Metrics: []query.Metric{p95}, Dimensions: []string{"name"}})},
		{"ten users with the highest cost", metrics(query.Metrics{
			Metrics: []query.Metric{cost, count}, Dimensions: []string{"userId"}, RowLimit: 10, OrderBy: []query.MetricOrder{{Field: cost.Column(), Descending: true}},
		})},
	} {
		if err := repeat(read.name, read.read); err != nil {
			return err
		}
	}
	return nil
}
