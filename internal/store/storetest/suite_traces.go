// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

func requireSameTraces(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Traces) []store.Trace {
	tb.Helper()
	want, err := naive.ListTraces(ctx, q)
	require.NoError(tb, err)
	got, err := s.ListTraces(ctx, q)
	require.NoError(tb, err, "%+v", q)
	require.Equal(tb, want.Total, got.Total, "number of traces of %+v", q)
	require.Len(tb, got.Rows, len(want.Rows), "%+v", q)
	for i := range want.Rows {
		// The times at which rows were stored differ between any two stores.
		want.Rows[i].CreatedAt, want.Rows[i].UpdatedAt = got.Rows[i].CreatedAt, got.Rows[i].UpdatedAt
		require.False(tb, got.Rows[i].UpdatedAt.Before(got.Rows[i].CreatedAt))
		require.Empty(tb, differences(want.Rows[i], got.Rows[i]), "trace %d of %+v", i, q)
	}
	return got.Rows
}

func requireSameSessions(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Sessions) {
	tb.Helper()
	want, err := naive.ListSessions(ctx, q)
	require.NoError(tb, err)
	got, err := s.ListSessions(ctx, q)
	require.NoError(tb, err, "%+v", q)
	require.Equal(tb, want.Total, got.Total, "number of sessions of %+v", q)
	require.Len(tb, got.Rows, len(want.Rows), "%+v", q)
	for i := range want.Rows {
		require.Empty(tb, differences(want.Rows[i], got.Rows[i]), "session %d of %+v", i, q)
	}
}

func requireSameDays(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Daily) {
	tb.Helper()
	want, err := naive.ListDays(ctx, q)
	require.NoError(tb, err)
	got, err := s.ListDays(ctx, q)
	require.NoError(tb, err, "%+v", q)
	require.Equal(tb, want.Total, got.Total, "number of days of %+v", q)
	require.Len(tb, got.Rows, len(want.Rows), "%+v", q)
	for i := range want.Rows {
		require.Empty(tb, differences(want.Rows[i], got.Rows[i]), "day %d of %+v", i, q)
	}
}

// traces holds the store to what it puts together by trace, session and day.
func traces(t *testing.T, s store.Store) {
	t.Run("known", func(t *testing.T) { knownTrace(t, s) })
	f := newFixture(t, s)
	rows, scores := experimentRows(f.rows)
	f.write(rows...)
	for range 8 {
		trace := f.rows.Trace(6)
		f.write(trace...)
		rows = append(rows, trace...)
	}
	f.writeScores(scores...)
	row := func() *model.Observation { return &rows[f.rows.IntN(len(rows))] }
	t.Run("by trace", func(t *testing.T) {
		all := requireSameTraces(t.Context(), t, s, f.naive, query.Traces{Project: f.project, Limit: 100, Parts: query.TraceAll, WithTotal: true})
		require.Greater(t, len(all), 20)
		for _, column := range query.TraceColumns {
			q := query.Traces{Project: f.project, Limit: 100, OrderBy: []query.TraceOrder{{Column: column}}}
			if q.Validate() == nil {
				requireSameTraces(t.Context(), t, s, f.naive, q)
			}
		}
		for range 120 {
			requireSameTraces(t.Context(), t, s, f.naive, f.rows.tracesQuery(f.project, row()))
		}
	})
	t.Run("by session", func(t *testing.T) {
		requireSameSessions(t.Context(), t, s, f.naive, query.Sessions{Project: f.project, Limit: 100, WithTotal: true})
		for range 30 {
			requireSameSessions(t.Context(), t, s, f.naive, f.rows.sessionsQuery(f.project, row()))
		}
	})
	t.Run("by day", func(t *testing.T) {
		requireSameDays(t.Context(), t, s, f.naive, query.Daily{Project: f.project, Limit: 100, WithTotal: true})
		for range 30 {
			requireSameDays(t.Context(), t, s, f.naive, f.rows.daysQuery(f.project, row()))
		}
	})
	t.Run("errors", func(t *testing.T) {
		for _, q := range []query.Traces{
			{},
			{Project: "p", Limit: -1},
			{Project: "p", Tags: []string{"\xff"}},
			{Project: "p", OrderBy: []query.TraceOrder{{Column: query.ColumnTags}}},
			{Project: "p", OrderBy: []query.TraceOrder{{Column: "1; --"}}},
			{Project: "p", Where: []query.Condition{{Column: query.ColumnInput, Operator: query.OpEqual}}},
		} {
			_, err := s.ListTraces(t.Context(), q)
			require.ErrorIs(t, err, store.ErrInvalid)
		}
		_, err := s.ListSessions(t.Context(), query.Sessions{})
		require.ErrorIs(t, err, store.ErrInvalid)
		_, err = s.ListDays(t.Context(), query.Daily{})
		require.ErrorIs(t, err, store.ErrInvalid)
	})
}

// knownTrace is put together by hand.
func knownTrace(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	at := func(ms int) time.Time { return f.rows.Base.Add(time.Duration(ms) * time.Millisecond) }
	cost := model.Costs{{Key: "total", Amount: 1}}
	f.write(
		model.Observation{TraceID: "t", ID: "child", ParentID: "root", Start: at(5), End: at(900), Name: "child", Tags: []string{"b"}, UserID: "u", Cost: cost, Input: "no"},
		model.Observation{TraceID: "t", ID: "root", Start: at(10), End: at(20), Name: "root", Tags: []string{"a", "b"}, Environment: "prod", Cost: cost, Input: "in", Output: "out", Public: true},
		model.Observation{TraceID: "lone", ID: "o", ParentID: "elsewhere", Start: at(0), Name: "o", Output: "not of a root"},
		model.Observation{TraceID: "named", ID: "o", ParentID: "invented", IsAppRoot: true, Start: at(1), Name: "o", TraceName: "trace", Output: "of a root"},
	)
	score := f.rows.Score("score")
	score.TraceID, score.ObservationID, score.SessionID, score.ExperimentID, score.DataType, score.Text = "t", "child", "", "", model.ScoreText, "x"
	f.writeScores(score)
	found := requireSameTraces(t.Context(), t, s, f.naive, query.Traces{
		Project: f.project, Limit: 10, Parts: query.TraceAll, OrderBy: []query.TraceOrder{{Column: query.ColumnID}},
	})
	for i := range found {
		found[i].CreatedAt, found[i].UpdatedAt = time.Time{}, time.Time{}
	}
	for i, want := range []store.Trace{
		{ID: "lone", Timestamp: at(0), ObservationIDs: []string{"o"}},
		{ID: "named", Name: "trace", Timestamp: at(1), Output: "of a root", ObservationIDs: []string{"o"}},
		{
			ID: "t", Name: "root", Timestamp: at(5), UserID: "u", Environment: "prod", Tags: []string{"a", "b"}, Public: true, Input: "in", Output: "out",
			Latency: 895 * time.Millisecond, TotalCost: 2, ObservationIDs: []string{"child", "root"}, ScoreIDs: []string{"score"},
		},
	} {
		want.CreatedAt, want.UpdatedAt = found[i].CreatedAt, found[i].UpdatedAt
		assert.Empty(t, differences(want, found[i]), want.ID)
	}
}
