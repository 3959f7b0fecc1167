// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// A clock that is set back must not give a version a time before that of the one it replaces, not even after a restart.
func TestDocumentTimesNeverGoBack(t *testing.T) {
	now := time.Date(2026, 5, 6, 7, 8, 9, 123456789, time.UTC)
	settings := Settings{Dir: t.TempDir(), Now: func() time.Time { return now }}
	open := func() store.Store {
		s, err := Open(t.Context(), settings)
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close(t.Context()) })
		return s
	}
	put := func(s store.Store, body string) store.Document {
		change := store.DocumentChange{Document: store.Document{Kind: "k", ID: "a", Body: body}, Expect: store.AnyRevision, KeepOld: true}
		require.NoError(t, s.WriteDocuments(t.Context(), "p", []store.DocumentChange{change}))
		page, err := s.ListDocuments(t.Context(), query.Documents{Project: "p", Kind: "k", Limit: 1})
		require.NoError(t, err)
		return page.Rows[0]
	}
	s := open()
	first := put(s, "1")
	assert.Equal(t, now.Truncate(time.Microsecond), first.UpdatedAt)
	second := put(s, "2")
	assert.Equal(t, first.UpdatedAt.Add(time.Microsecond), second.UpdatedAt, "the clock stands still")
	require.NoError(t, s.Close(t.Context()))

	now = now.Add(-time.Hour)
	s = open()
	third := put(s, "3")
	assert.Equal(t, second.UpdatedAt.Add(time.Microsecond), third.UpdatedAt)
	assert.Equal(t, first.CreatedAt, third.CreatedAt)
	assert.Greater(t, third.Revision, second.Revision)
	page, err := s.ListDocuments(t.Context(), query.Documents{Project: "p", Kind: "k", AsOf: second.UpdatedAt, Limit: 1})
	require.NoError(t, err)
	assert.Equal(t, "2", page.Rows[0].Body)
}
