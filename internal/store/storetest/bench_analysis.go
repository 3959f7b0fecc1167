// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// scoresByRows is how many rows there are for one score.
const scoresByRows = 5

// benchAnalysis measures reads that look at many rows: over the whole time and over a day of it.
func benchAnalysis(b *testing.B, s store.Store, l *load, rows int) {
	r := NewRows(1)
	for batch := range slices.Chunk(make([]int, rows/scoresByRows), benchBatch) {
		scores := make([]model.Score, len(batch))
		for i := range scores {
			row := l.row(r.IntN(rows))
			scores[i] = model.Score{
				ID: r.SpanID(), Name: pick(r, []string{"quality", "toxicity"}), DataType: model.ScoreNumeric, Number: r.Float64(), Source: model.ScoreFromEval,
				TraceID: row.TraceID, ObservationID: r.maybe([]string{row.ID}), Environment: "default", Timestamp: row.Start.Add(time.Second),
			}
		}
		require.NoError(b, s.WriteScores(b.Context(), benchProject, scores))
	}
	first, last, middle := l.row(0).Start, l.row(rows-1).Start, l.row(rows/2)
	day := middle.Start.Truncate(24 * time.Hour)
	metric := func(measure string, aggregation query.Aggregation) query.Metric {
		return query.Metric{Measure: measure, Aggregation: aggregation}
	}
	metrics := func(view query.View, granularity query.Granularity, dimensions []string, metrics ...query.Metric) func(context.Context) (int, error) {
		return func(ctx context.Context) (int, error) {
			found, err := s.QueryMetrics(ctx, query.Metrics{
				Project: benchProject, View: view, From: first, To: last, Granularity: granularity, Dimensions: dimensions, Metrics: metrics, IsLegacy: true,
			})
			return len(found), err
		}
	}
	traces := func(q query.Traces) func(context.Context) (int, error) {
		q.Project, q.Limit, q.Parts, q.WithTotal = benchProject, 50, query.TraceAll, true
		return func(ctx context.Context) (int, error) {
			page, err := s.ListTraces(ctx, q)
			return len(page.Rows), err
		}
	}
	scores := func(q query.Scores) func(context.Context) (int, error) {
		q.Project, q.Limit = benchProject, 50
		return func(ctx context.Context) (int, error) {
			page, err := s.ListScores(ctx, q)
			return len(page.Rows), err
		}
	}
	for _, read := range []struct {
		name string
		do   func(context.Context) (int, error)
	}{
		{"newest scores", scores(query.Scores{})},
		{"scores of a user", scores(query.Scores{UserIDs: []string{middle.UserID}})},
		{"cost by model and day", metrics(query.ViewObservations, query.GranularityDay, []string{"providedModelName"}, metric("totalCost", query.AggregationSum), metric("latency", query.AggregationP95))},
		{"cost by type", metrics(query.ViewObservations, "", nil, metric("costByType", query.AggregationSum))},
		{"histogram", metrics(query.ViewObservations, "", nil, metric("latency", query.AggregationHistogram))},
		{"scores by trace name", metrics(query.ViewScoresNumeric, "", []string{"traceName", "name"}, metric("value", query.AggregationAvg))},
		{"traces by name", metrics(query.ViewTraces, "", []string{"name"}, metric("latency", query.AggregationP95))},
		{"traces of all time", traces(query.Traces{})},
		{"traces of a day", traces(query.Traces{From: day, To: day.Add(24 * time.Hour)})},
		{"traces of a user", traces(query.Traces{UserIDs: []string{middle.UserID}})},
		{"experiments", func(ctx context.Context) (int, error) {
			page, err := s.ListExperiments(ctx, query.Experiments{Project: benchProject, From: first, WithMetadata: true, ScoreLimit: 50, Limit: 50})
			return len(page.Rows), err
		}},
		{"items", func(ctx context.Context) (int, error) {
			page, err := s.ListExperimentItems(ctx, query.ExperimentItems{Project: benchProject, From: first, ScoreLimit: 50, Limit: 50})
			return len(page.Rows), err
		}},
		{"sessions", func(ctx context.Context) (int, error) {
			page, err := s.ListSessions(ctx, query.Sessions{Project: benchProject, Limit: 50, WithTotal: true})
			return len(page.Rows), err
		}},
		{"days", func(ctx context.Context) (int, error) {
			page, err := s.ListDays(ctx, query.Daily{Project: benchProject, Limit: 50, WithTotal: true})
			return len(page.Rows), err
		}},
	} {
		b.Run(read.name, func(b *testing.B) { benchAnswer(b, read.do) })
	}
}

// benchAnswer reads again and again, and reports the median.
func benchAnswer(b *testing.B, read func(context.Context) (int, error)) {
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		found, err := read(b.Context())
		took = append(took, time.Since(began))
		if err != nil || found == 0 {
			b.Fatalf("found %d rows: %v", found, err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}
