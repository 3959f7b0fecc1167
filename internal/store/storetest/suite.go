// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
)

// Engine is what is put to the test.
type Engine struct {
	// Open opens the store in a folder, or makes a new one there. Whoever calls it closes what it returns.
	Open func(tb testing.TB, dir string) store.Store
	// Volatile says that a store forgets everything when it is closed, by design.
	Volatile bool
}

// Run holds an engine to every point of the contract.
func Run(t *testing.T, engine Engine) {
	t.Run("one store", func(t *testing.T) {
		s := engine.open(t, t.TempDir())
		t.Run("writes", func(t *testing.T) { writes(t, s) })
		t.Run("order", func(t *testing.T) { order(t, s) })
		t.Run("pages while others write", func(t *testing.T) { pagesWhileOthersWrite(t, s) })
		t.Run("types", func(t *testing.T) { typesSurvive(t, s) })
		t.Run("large", func(t *testing.T) { large(t, s) })
		t.Run("columns", func(t *testing.T) { columns(t, s) })
		t.Run("readings", func(t *testing.T) { readings(t, s) })
		t.Run("groups", func(t *testing.T) { groups(t, s) })
		t.Run("deletes", func(t *testing.T) { deletes(t, s) })
		t.Run("scores", func(t *testing.T) { scores(t, s) })
		t.Run("score merge", func(t *testing.T) { scoreMerge(t, s) })
		t.Run("documents", func(t *testing.T) { documents(t, s) })
		t.Run("document versions", func(t *testing.T) { documentVersions(t, s) })
		t.Run("document projects", func(t *testing.T) { documentProjects(t, s) })
		t.Run("document revisions", func(t *testing.T) { documentRevisions(t, s) })
		t.Run("document concurrency", func(t *testing.T) { documentConcurrency(t, s) })
		t.Run("score lists", func(t *testing.T) { scoreLists(t, s) })
		t.Run("experiments", func(t *testing.T) { experiments(t, s) })
		t.Run("metrics", func(t *testing.T) { metrics(t, s) })
		t.Run("traces", func(t *testing.T) { traces(t, s) })
		t.Run("answers of one moment", func(t *testing.T) { answersOfOneMoment(t, s) })
		t.Run("errors", func(t *testing.T) { failures(t, s) })
		t.Run("cancel", func(t *testing.T) { cancels(t, s) })
		t.Run("concurrency", func(t *testing.T) { concurrency(t, s) })
	})
	t.Run("stats", func(t *testing.T) { stats(t, engine) })
	t.Run("close", func(t *testing.T) { closing(t, engine) })
	t.Run("reopen", func(t *testing.T) { reopening(t, engine) })
}

// open opens a store and closes it at the end of the test, if it still is open then.
func (e Engine) open(tb testing.TB, dir string) store.Store {
	tb.Helper()
	s := e.Open(tb, dir)
	tb.Cleanup(func() {
		// The context of the test is done by now.
		if err := s.Close(context.Background()); err != nil {
			require.ErrorIs(tb, err, store.ErrUnavailable, "the second Close")
		}
	})
	return s
}
