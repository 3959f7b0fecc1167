// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// experimentRows are rows of a few experiments, with items that share a trace, and scores of all of them.
func experimentRows(r *Rows) (rows []model.Observation, scores []model.Score) {
	for i := range 150 {
		row := r.Observation()
		row.TraceID, row.ID = r.numbered("trace-", 20), fmt.Sprintf("o-%d", i)
		row.Start = r.Base.Add(time.Duration(r.IntN(400)) * time.Hour / 8)
		if !r.chance(4) {
			row.Experiment.ID = r.numbered("experiment-", 12)
			row.Experiment.Name = r.maybe([]string{"run 1", "run 2", "Run 1", "it's"})
		}
		if r.chance(2) {
			row.Experiment.ItemRootID = row.ID
		}
		rows = append(rows, row)
	}
	for i := range 200 {
		score := r.Score(fmt.Sprintf("score %d", i))
		if score.ExperimentID != "" {
			score.ExperimentID = r.numbered("experiment-", 12)
		}
		if score.TraceID != "" {
			row := pick(r, rows)
			score.TraceID, score.ObservationID = row.TraceID, r.maybe([]string{row.ID})
		}
		score.Timestamp = r.Base.Add(time.Duration(r.IntN(800)-200) * time.Hour / 4)
		scores = append(scores, score)
	}
	return rows, scores
}

// walkExperiments follows a list of experiments to its end.
func walkExperiments(ctx context.Context, s store.Store, q query.Experiments) (rows []store.Experiment, err error) {
	for {
		page, err := s.ListExperiments(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(page.Rows) > q.Limit {
			return nil, fmt.Errorf("a page of %d experiments where the limit is %d", len(page.Rows), q.Limit)
		}
		rows = append(rows, page.Rows...)
		if page.Next == nil {
			return rows, nil
		}
		if q.After != nil && compareExperimentKeys(*page.Next, *q.After) >= 0 {
			return nil, fmt.Errorf("a page leads back: after %v comes %v", *q.After, *page.Next)
		}
		q.After = page.Next
	}
}

func requireSameExperiments(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Experiments) []store.Experiment {
	tb.Helper()
	want, err := walkExperiments(ctx, naive, q)
	require.NoError(tb, err)
	got, err := walkExperiments(ctx, s, q)
	require.NoError(tb, err, "%+v", q)
	require.Len(tb, got, len(want), "%+v", q)
	for i := range want {
		require.Empty(tb, compareScoreLists(want[i].Scores, got[i].Scores), "scores of experiment %d of %+v", i, q)
		w, g := want[i], got[i]
		w.Scores, g.Scores = nil, nil
		require.Empty(tb, differences(w, g), "experiment %d of %+v", i, q)
	}
	return got
}

func requireSameItems(ctx context.Context, tb testing.TB, s, naive store.Store, q query.ExperimentItems) int {
	tb.Helper()
	for forEngine, found := q, 0; ; {
		want, err := naive.ListExperimentItems(ctx, q)
		require.NoError(tb, err)
		got, err := s.ListExperimentItems(ctx, forEngine)
		require.NoError(tb, err, "%+v", q)
		require.Len(tb, got.Rows, len(want.Rows), "%+v", q)
		for i := range want.Rows {
			require.Empty(tb, differences(want.Rows[i].Observation, got.Rows[i].Observation), "item %d of %+v", i, q)
			require.Empty(tb, compareScoreLists(want.Rows[i].Scores, got.Rows[i].Scores), "scores of item %d of %+v", i, q)
		}
		require.Equal(tb, want.Next != nil, got.Next != nil, "whether there is a page after %+v", q)
		found += len(want.Rows)
		if want.Next == nil {
			return found
		}
		q.After, forEngine.After = want.Next, got.Next
	}
}

// experimentColumns are those on which the conditions of a list can stand.
var experimentColumns = []query.Column{query.ColumnExperimentID, query.ColumnExperimentName, query.ColumnExperimentDatasetID}

// experimentQuery is any question for experiments, and itemQuery for items, that have to do with a row.
func (r *Rows) experimentQuery(project string, o *model.Observation) query.Experiments {
	q := query.Experiments{
		Project: project, Limit: pick(r, []int{1, 3, 50}), WithMetadata: r.chance(2), ScoreLimit: pick(r, []int{0, 1, 3, 50}),
	}
	for range r.IntN(3) {
		q.Where = append(q.Where, r.valueCondition(pick(r, experimentColumns), query.KindText, textOf(pick(r, experimentColumns), o)))
	}
	if r.chance(3) {
		q.From = r.near(o.Start)
	}
	if r.chance(3) {
		q.To = r.near(o.Start)
	}
	return q
}

func (r *Rows) itemQuery(project string, o *model.Observation) query.ExperimentItems {
	e := r.experimentQuery(project, o)
	q := query.ExperimentItems{
		Project: project, From: e.From, To: e.To, Where: e.Where, ScoreLimit: e.ScoreLimit, Limit: e.Limit,
		Groups: query.Groups(r.IntN(int(query.GroupAll) + 1)),
	}
	if r.chance(4) {
		q.Where = append(q.Where, r.valueCondition(query.ColumnExperimentItemID, query.KindText, o.Experiment.ItemID))
	}
	return q
}

// experiments holds the store to what experiments and items are made of.
func experiments(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	rows, scores := experimentRows(f.rows)
	f.write(rows...)
	f.writeScores(scores...)
	t.Run("runs", func(t *testing.T) {
		all := requireSameExperiments(t.Context(), t, s, f.naive, query.Experiments{Project: f.project, Limit: 100, WithMetadata: true, ScoreLimit: 50})
		require.Greater(t, len(all), 12)
		for _, limit := range []int{1, 5, len(all), 100} {
			requireSameExperiments(t.Context(), t, s, f.naive, query.Experiments{Project: f.project, Limit: limit})
		}
		for range 60 {
			requireSameExperiments(t.Context(), t, s, f.naive, f.rows.experimentQuery(f.project, &rows[f.rows.IntN(len(rows))]))
		}
	})
	t.Run("items", func(t *testing.T) {
		q := query.ExperimentItems{Project: f.project, Limit: 100, Groups: query.GroupAll, ScoreLimit: 50}
		require.Greater(t, requireSameItems(t.Context(), t, s, f.naive, q), 20)
		for range 60 {
			requireSameItems(t.Context(), t, s, f.naive, f.rows.itemQuery(f.project, &rows[f.rows.IntN(len(rows))]))
		}
	})
	t.Run("errors", func(t *testing.T) {
		_, err := s.ListExperiments(t.Context(), query.Experiments{Project: "p", Where: []query.Condition{{Column: query.ColumnName, Operator: query.OpEqual}}})
		require.ErrorIs(t, err, store.ErrInvalid)
		_, err = s.ListExperiments(t.Context(), query.Experiments{Limit: 1})
		require.ErrorIs(t, err, store.ErrInvalid)
		_, err = s.ListExperimentItems(t.Context(), query.ExperimentItems{Project: "p", ScoreLimit: 51})
		require.ErrorIs(t, err, store.ErrInvalid)
		_, err = s.ListExperimentItems(t.Context(), query.ExperimentItems{Limit: 1})
		require.ErrorIs(t, err, store.ErrInvalid)
	})
}
