// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// stats holds the store to counting right. Rows of all projects count, so it needs a store of its own.
func stats(t *testing.T, engine Engine) {
	s := engine.open(t, t.TempDir())
	f := newFixture(t, s)
	check := func(what string) {
		t.Helper()
		want, err := f.naive.Stats(t.Context())
		require.NoError(t, err)
		got, err := s.Stats(t.Context())
		require.NoError(t, err)
		require.GreaterOrEqual(t, got.Bytes, int64(0))
		got.Bytes = 0
		require.Equal(t, want, got, "%s", what)
	}
	check("empty")
	trace := f.rows.Trace(12)
	f.write(trace...)
	f.write(f.rows.Observations(30)...)
	check("written")
	f.write(trace[2:9]...)
	check("replaced")
	for i := range 10 {
		score := f.rows.Score(fmt.Sprintf("score %d", i))
		f.writeScores(score)
		f.writeScores(score)
	}
	check("with scores")
	f.deleteTraces(trace[0].TraceID, "trace-1")
	check("traces deleted")
	for _, each := range []store.Store{s, f.naive} {
		require.NoError(t, each.DeleteScores(t.Context(), f.project, []string{"score 0", "score 1"}))
	}
	check("scores deleted")
}

// closing holds the store to what Close promises.
func closing(t *testing.T, engine Engine) {
	t.Run("ends everything", func(t *testing.T) {
		s := engine.open(t, t.TempDir())
		require.NoError(t, s.WriteObservations(t.Context(), "project", NewRows(1).Observations(10)))
		require.NoError(t, inTime(func() error { return s.Close(t.Context()) }))
		for _, call := range calls() {
			require.ErrorIs(t, inTime(func() error { return call.do(t.Context(), s, "project") }), store.ErrUnavailable, call.name)
		}
		err := inTime(func() error { return s.Close(t.Context()) })
		require.True(t, err == nil || errors.Is(err, store.ErrUnavailable), "the second Close: %v", err)
	})
	t.Run("does not wait for long reads, and frees what they hold", func(t *testing.T) { closingWhileReading(t, engine) })
	t.Run("waits for what is under way", func(t *testing.T) {
		dir := t.TempDir()
		s := engine.open(t, dir)
		var acknowledged sync.Map
		var writers sync.WaitGroup
		started := make(chan struct{}, 4)
		for w := range 4 {
			writers.Go(func() {
				r := NewRows(uint64(w))
				for {
					trace := r.Trace(20)
					err := s.WriteObservations(t.Context(), "project", trace)
					select {
					case started <- struct{}{}:
					default:
					}
					if err != nil {
						assert.ErrorIs(t, err, store.ErrUnavailable)
						return
					}
					acknowledged.Store(trace[0].TraceID, true)
				}
			})
		}
		for range cap(started) {
			<-started
		}
		require.NoError(t, inTime(func() error { return s.Close(t.Context()) }))
		require.NoError(t, inTime(func() error { writers.Wait(); return nil }))
		if engine.Volatile {
			return
		}
		s = engine.open(t, dir)
		rows, err := walk(t.Context(), s, query.Observations{Project: "project", Limit: query.MaxLimit})
		require.NoError(t, err)
		found := map[string]int{}
		for _, row := range rows {
			found[row.TraceID]++
		}
		for id, n := range found {
			require.Equal(t, 20, n, "rows of %s", id)
		}
		acknowledged.Range(func(id, _ any) bool {
			require.Contains(t, found, id)
			return true
		})
	})
}

// reopening holds the store to keeping everything.
func reopening(t *testing.T, engine Engine) {
	if engine.Volatile {
		t.Skip("forgets everything by design")
	}
	dir := t.TempDir()
	s := engine.open(t, dir)
	f := newFixture(t, s)
	var first time.Time // at which the first document was written
	reopen := func() {
		t.Helper()
		created := map[rowID]store.StoredObservation{}
		stored, atFirst := f.documents(query.Documents{Kind: "k"}), f.documents(query.Documents{Kind: "k", AsOf: first})
		for _, row := range f.all(query.Observations{}) {
			created[rowID{row.TraceID, row.ID}] = row
		}
		require.NoError(t, f.store.Close(t.Context()))
		f.store = engine.open(t, dir)
		for _, row := range f.same(query.Observations{}) {
			was := created[rowID{row.TraceID, row.ID}]
			require.True(t, was.CreatedAt.Equal(row.CreatedAt), "created at %v, then at %v", was.CreatedAt, row.CreatedAt)
			require.True(t, was.UpdatedAt.Equal(row.UpdatedAt), "updated at %v, then at %v", was.UpdatedAt, row.UpdatedAt)
		}
		f.sameScores()
		require.Equal(t, stored, f.documents(query.Documents{Kind: "k"}))
		require.Equal(t, atFirst, f.documents(query.Documents{Kind: "k", AsOf: first}))
		f.checkOther()
	}

	reopen()
	f.change(putKept(store.Document{Kind: "k", ID: "a", Body: "1"}))
	first = f.document("k", "a").UpdatedAt
	reopen()
	f.change(putKept(store.Document{Kind: "k", ID: "a", Body: "2"}), put(store.Document{Kind: "k", ID: "b"}))
	require.Equal(t, "1", f.documents(query.Documents{Kind: "k", AsOf: first}).Rows[0].Body)
	reopen()
	rows := f.rows.Observations(100)
	f.write(rows...)
	f.writeScores(f.rows.Score("a"), f.rows.Score("b"), f.rows.Score("c"), f.rows.Score("d"))
	reopen()
	for i := range rows[:40] {
		rows[i].Name = "replaced after opening again"
		rows[i].Start = f.rows.Base
	}
	f.write(rows[:40]...)
	f.writeScores(f.rows.Score("b"), f.rows.Score("c"))
	require.Len(t, f.same(query.Observations{}), 100, "what was written before is replaced, not repeated")
	reopen()
	f.deleteTraces(rows[0].TraceID, rows[60].TraceID)
	require.Len(t, f.same(query.Observations{}), 98)
	reopen()
	reopen()
}

// closingWhileReading opens the store again right after Close: nothing of a read may be left by then.
func closingWhileReading(t *testing.T, engine Engine) {
	dir := t.TempDir()
	for range 5 {
		s := engine.open(t, dir)
		require.NoError(t, s.WriteObservations(t.Context(), "project", NewRows(1).Observations(300)))
		var readers sync.WaitGroup
		started := make(chan struct{}, 3)
		for range cap(started) {
			readers.Go(func() {
				started <- struct{}{}
				for {
					for _, call := range calls() {
						if !strings.HasPrefix(call.name, "List") && call.name != "QueryMetrics" {
							continue
						}
						if err := call.do(t.Context(), s, "project"); err != nil {
							assert.ErrorIs(t, err, store.ErrUnavailable)
							return
						}
					}
				}
			})
		}
		for range cap(started) {
			<-started
		}
		require.NoError(t, inTime(func() error { return s.Close(t.Context()) }))
		require.NoError(t, inTime(func() error { readers.Wait(); return nil }))
	}
}
