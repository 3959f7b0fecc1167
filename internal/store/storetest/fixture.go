// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// fixture is a project of its own in a store, and beside it another one with the same ids in it, of which nothing may
// ever show up. All that is written through the fixture is known to a naive store too.
type fixture struct {
	*testing.T
	store   store.Store
	naive   *Naive
	project string
	other   string
	rows    *Rows
	// scoreIDs are those of all scores that were written.
	scoreIDs []string
	// kinds are those of all documents that were written.
	kinds map[string]bool
}

// newFixture makes a new project in the store. What is in the other one is checked when the test is over.
func newFixture(t *testing.T, s store.Store) *fixture {
	t.Helper()
	id := rand.Uint64()
	f := &fixture{
		T: t, store: s, naive: NewNaive(), rows: NewRows(1), kinds: map[string]bool{},
		project: fmt.Sprintf("project-%016x", id), other: fmt.Sprintf("project-%016x-other", id),
	}
	t.Cleanup(func() {
		// A test that opens its store again looks by itself, as this comes too late for it.
		if !t.Failed() && f.store == s {
			f.checkOther()
		}
	})
	return f
}

func (f *fixture) checkOther() {
	f.Helper()
	ctx := context.Background() // that of the test is done by now
	q := query.Observations{Project: f.other, Limit: query.MaxLimit, Groups: query.GroupAll}
	want, err := f.naive.ListObservations(ctx, q)
	require.NoError(f, err)
	got, err := f.store.ListObservations(ctx, q)
	require.NoError(f, err)
	requireRows(f, want.Rows, got.Rows, "the other project must stay as it was")
	if len(f.scoreIDs) > 0 {
		requireSameScores(ctx, f, f.store, f.naive, f.other, f.scoreIDs)
	}
	f.checkOtherDocuments(ctx)
}

// write stores rows in the project, and rows with the same ids in the other one.
func (f *fixture) write(rows ...model.Observation) {
	f.Helper()
	others := make([]model.Observation, len(rows))
	for i := range rows {
		others[i] = clone(rows[i])
		others[i].Name += " of the other project"
		others[i].Metadata = `{"other":"project"}`
	}
	for _, s := range []store.Store{f.store, f.naive} {
		require.NoError(f, s.WriteObservations(f.Context(), f.other, others))
		require.NoError(f, s.WriteObservations(f.Context(), f.project, rows))
	}
}

func (f *fixture) deleteTraces(ids ...string) {
	f.Helper()
	for _, s := range []store.Store{f.store, f.naive} {
		require.NoError(f, s.DeleteTraces(f.Context(), f.project, ids))
	}
}

// writeScores stores scores in the project, and scores with the same ids in the other one.
func (f *fixture) writeScores(scores ...model.Score) {
	f.Helper()
	others := make([]model.Score, len(scores))
	for i, score := range scores {
		f.scoreIDs = append(f.scoreIDs, score.ID)
		others[i] = model.Score{
			ID: score.ID, Name: "of the other project", DataType: model.ScoreText, Text: "other", Source: model.ScoreFromAPI,
			TraceID: "trace of the other project", Environment: "other", Timestamp: f.rows.Base,
		}
	}
	for _, s := range []store.Store{f.store, f.naive} {
		require.NoError(f, s.WriteScores(f.Context(), f.other, others))
		require.NoError(f, s.WriteScores(f.Context(), f.project, scores))
	}
}

// score is the score with an id, which must be there.
func (f *fixture) score(id string) store.StoredScore {
	f.Helper()
	found, err := f.store.ScoresByID(f.Context(), f.project, []string{id})
	require.NoError(f, err)
	require.Len(f, found, 1, "scores with the id %q", id)
	return found[0]
}

// sameScores compares all scores of the project with those of the naive store.
func (f *fixture) sameScores() {
	f.Helper()
	requireSameScores(f.Context(), f, f.store, f.naive, f.project, f.scoreIDs)
}

// list reads a page of the project: with all fields and as long as may be, if the query does not say otherwise.
func (f *fixture) list(q query.Observations) store.ObservationPage {
	f.Helper()
	page, err := f.store.ListObservations(f.Context(), f.complete(q))
	require.NoError(f, err)
	return page
}

func (f *fixture) complete(q query.Observations) query.Observations {
	q.Project = f.project
	if q.Limit == 0 {
		q.Limit = query.MaxLimit
	}
	if q.Groups == 0 {
		q.Groups = query.GroupAll
	}
	return q
}

// all is everything that the query asks for, page by page.
func (f *fixture) all(q query.Observations) []store.StoredObservation {
	f.Helper()
	rows, err := walk(f.Context(), f.store, f.complete(q))
	require.NoError(f, err)
	return rows
}

// same compares what the store has with what the naive one has, and gives it.
func (f *fixture) same(q query.Observations) []store.StoredObservation {
	f.Helper()
	want, err := walk(f.Context(), f.naive, f.complete(q))
	require.NoError(f, err)
	got := f.all(q)
	requireRows(f, want, got, "%s", describe(q))
	return got
}

// walk follows a list from page to page to its end.
func walk(ctx context.Context, s store.Store, q query.Observations) ([]store.StoredObservation, error) {
	var rows []store.StoredObservation
	for {
		page, err := s.ListObservations(ctx, q)
		if err != nil {
			return nil, err
		}
		if len(page.Rows) > q.Limit {
			return nil, fmt.Errorf("a page of %d rows where the limit is %d", len(page.Rows), q.Limit)
		}
		rows = append(rows, page.Rows...)
		if page.Next == nil {
			return rows, nil
		}
		if len(page.Rows) == 0 {
			return nil, fmt.Errorf("an empty page that has a next one, after %d rows", len(rows))
		}
		if q.After != nil && compareKeys(*page.Next, *q.After) >= 0 {
			return nil, fmt.Errorf("a page leads back: after %v comes %v", *q.After, *page.Next)
		}
		q.After = page.Next
	}
}

// where is a query with one condition.
func where(conditions ...query.Condition) query.Observations {
	return query.Observations{Where: conditions}
}

func ofTrace(id string) query.Condition {
	return query.Condition{Column: query.ColumnTraceID, Operator: query.OpEqual, Text: id}
}
