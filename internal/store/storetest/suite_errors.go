// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// failures holds the store to the errors of the contract.
func failures(t *testing.T, s store.Store) {
	const project = "project"
	for name, q := range map[string]query.Observations{
		"no project":               {Limit: 1},
		"negative limit":           {Project: project, Limit: -1},
		"limit too large":          {Project: project, Limit: query.MaxLimit + 1},
		"no such column":           {Project: project, Where: []query.Condition{{Column: "nope", Operator: query.OpEqual}}},
		"injected column":          {Project: project, Where: []query.Condition{{Column: "1=1 OR name", Operator: query.OpEqual}}},
		"no such operator":         {Project: project, Where: []query.Condition{{Column: query.ColumnName, Operator: "LIKE"}}},
		"operator of another kind": {Project: project, Where: []query.Condition{{Column: query.ColumnName, Operator: query.OpLess}}},
		"metadata without a key":   {Project: project, Where: []query.Condition{{Column: query.ColumnMetadata, Operator: query.OpEqual}}},
		"text that is not UTF-8":   {Project: project, Where: []query.Condition{{Column: query.ColumnName, Operator: query.OpEqual, Text: "\xff"}}},
		"list that is not UTF-8":   {Project: project, Where: []query.Condition{{Column: query.ColumnName, Operator: query.OpAnyOf, Texts: []string{"a", "\xff"}}}},
		"position not in UTF-8":    {Project: project, Limit: 1, After: &query.ObservationKey{ID: "\xff"}},
		"search without a word":    {Project: project, Where: []query.Condition{{Column: query.ColumnInput, Operator: query.OpMatches, Text: "%"}}},
	} {
		t.Run(name, func(t *testing.T) {
			page, err := s.ListObservations(t.Context(), q)
			require.ErrorIs(t, err, store.ErrInvalid)
			require.Empty(t, page.Rows)
			require.Nil(t, page.Next)
		})
	}
	t.Run("unknown project", func(t *testing.T) {
		page, err := s.ListObservations(t.Context(), query.Observations{Project: "no such project", Limit: 10})
		require.NoError(t, err)
		require.Empty(t, page.Rows)
		require.NoError(t, s.DeleteTraces(t.Context(), "no such project", []string{"t"}))
	})
}

// call is a call of one method.
type call struct {
	name string
	do   func(ctx context.Context, s store.Store, project string) error
}

// calls are all methods but Close.
func calls() []call {
	return []call{
		{"WriteObservations", func(ctx context.Context, s store.Store, project string) error {
			return s.WriteObservations(ctx, project, NewRows(1).Observations(3))
		}},
		{"ListObservations", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListObservations(ctx, query.Observations{Project: project, Limit: 10, Groups: query.GroupAll})
			return err
		}},
		{"DeleteTraces", func(ctx context.Context, s store.Store, project string) error {
			return s.DeleteTraces(ctx, project, []string{"trace"})
		}},
		{"WriteScores", func(ctx context.Context, s store.Store, project string) error {
			return s.WriteScores(ctx, project, []model.Score{NewRows(1).Score("s")})
		}},
		{"ScoresByID", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ScoresByID(ctx, project, []string{"s"})
			return err
		}},
		{"ListScores", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListScores(ctx, query.Scores{Project: project, Limit: 10, WithTotal: true})
			return err
		}},
		{"ListExperiments", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListExperiments(ctx, query.Experiments{Project: project, Limit: 10})
			return err
		}},
		{"ListExperimentItems", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListExperimentItems(ctx, query.ExperimentItems{Project: project, Limit: 10})
			return err
		}},
		{"QueryMetrics", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.QueryMetrics(ctx, query.Metrics{Project: project, View: query.ViewObservations, From: time.Unix(0, 0), To: time.Unix(1, 0)})
			return err
		}},
		{"ListTraces", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListTraces(ctx, query.Traces{Project: project, Limit: 10, Parts: query.TraceAll, WithTotal: true})
			return err
		}},
		{"ListSessions", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListSessions(ctx, query.Sessions{Project: project, Limit: 10})
			return err
		}},
		{"ListDays", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListDays(ctx, query.Daily{Project: project, Limit: 10})
			return err
		}},
		{"DeleteScores", func(ctx context.Context, s store.Store, project string) error {
			return s.DeleteScores(ctx, project, []string{"s"})
		}},
		{"ListDocuments", func(ctx context.Context, s store.Store, project string) error {
			_, err := s.ListDocuments(ctx, query.Documents{Project: project, Kind: "k", Limit: 10})
			return err
		}},
		{"WriteDocuments", func(ctx context.Context, s store.Store, project string) error {
			return s.WriteDocuments(ctx, project, []store.DocumentChange{put(store.Document{Kind: "k", ID: "d"})})
		}},
		{"Stats", func(ctx context.Context, s store.Store, _ string) error {
			_, err := s.Stats(ctx)
			return err
		}},
	}
}

// patience is how long anything may take that must not hang.
const patience = 20 * time.Second

// inTime is what do returns, or an error when it hangs.
func inTime(do func() error) error {
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return errors.New("it hangs")
	}
}

// cancels holds the store to stopping when nobody waits any more.
func cancels(t *testing.T, s store.Store) {
	for _, call := range calls() {
		t.Run(call.name+" after its time", func(t *testing.T) {
			f := newFixture(t, s)
			cancelled, cancel := context.WithCancel(t.Context())
			cancel()
			expired, cancel := context.WithTimeout(t.Context(), -time.Second)
			defer cancel()
			for _, ctx := range []context.Context{cancelled, expired} {
				err := inTime(func() error { return call.do(ctx, s, f.project) })
				assert.True(t, errors.Is(err, ctx.Err()) || errors.Is(err, store.ErrUnavailable), "found %v", err)
			}
			require.Empty(t, f.all(query.Observations{}))
			require.NoError(t, call.do(t.Context(), s, f.project), "the next call is not harmed")
		})
	}
	t.Run("in the middle of writing", func(t *testing.T) {
		f := newFixture(t, s)
		for i := range 30 {
			trace := f.rows.Trace(50)
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*100*time.Microsecond)
			err := inTime(func() error { return s.WriteObservations(ctx, f.project, trace) })
			cancel()
			stored := f.all(where(ofTrace(trace[0].TraceID)))
			if err == nil {
				require.Len(t, stored, len(trace), "acknowledged")
			} else if len(stored) > 0 {
				require.Len(t, stored, len(trace), "given up, but partly stored: %v", err)
			}
		}
	})
	t.Run("in the middle of reading", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(f.rows.Observations(200)...)
		for i := range 8 {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Microsecond<<i)
			var page store.ObservationPage
			err := inTime(func() (err error) {
				page, err = s.ListObservations(ctx, f.complete(query.Observations{}))
				return err
			})
			cancel()
			if err == nil {
				require.Len(t, page.Rows, 200, "a page without an error is whole")
			} else {
				require.True(t, errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrUnavailable), "found %v", err)
			}
		}
		f.same(query.Observations{})
	})
}
