// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// documents holds the store to what it promises of documents, older versions and revisions aside.
func documents(t *testing.T, s store.Store) {
	t.Run("come back as they were", func(t *testing.T) {
		f := newFixture(t, s)
		for i, text := range oddTexts {
			key := text
			if len(text) > 1024 {
				key = "short"
			}
			d := store.Document{Kind: "kind " + key, ID: fmt.Sprintf("%d %s", i, key), Parent: key, Name: key, State: key, Body: text}
			f.change(put(d))
			got := f.document(d.Kind, d.ID)
			require.Empty(t, timesProblem(got))
			d.Revision, d.CreatedAt, d.UpdatedAt = got.Revision, got.CreatedAt, got.UpdatedAt
			require.Equal(t, d, got)
		}
		large := store.Document{Kind: "large", ID: strings.Repeat("i", 1024), Body: strings.Repeat("0123456789abcdef", 1<<17)}
		f.change(put(large))
		require.Equal(t, large.Body, f.document("large", large.ID).Body)
	})
	t.Run("of unknown kinds and projects are none", func(t *testing.T) {
		f := newFixture(t, s)
		require.Zero(t, f.documents(query.Documents{Kind: "no such kind"}))
		f.change(put(store.Document{Kind: "k", ID: "a"}))
		require.Zero(t, f.documents(query.Documents{Kind: "K"}).Total, "kinds differ by letter case")
		require.Zero(t, f.documents(query.Documents{Kind: "k", IDs: []string{"A"}}).Total)
	})
	t.Run("replace", func(t *testing.T) {
		f := newFixture(t, s)
		f.change(put(store.Document{Kind: "k", ID: "a", Parent: "p", Name: "n", State: "s", Body: "1"}))
		first := f.document("k", "a")
		before := time.Now()
		f.change(put(store.Document{Kind: "k", ID: "a", Body: "2"}))
		second := f.document("k", "a")
		assert.Equal(t, store.Document{
			Kind: "k", ID: "a", Body: "2", Revision: second.Revision, CreatedAt: first.CreatedAt, UpdatedAt: second.UpdatedAt,
		}, second)
		assert.Greater(t, second.Revision, first.Revision)
		assert.True(t, second.UpdatedAt.After(first.UpdatedAt))
		assert.WithinRange(t, second.UpdatedAt, before.Add(-2*time.Millisecond), time.Now().Add(2*time.Millisecond))

		f.change(remove("a"), remove("no such id"))
		require.Zero(t, f.documents(query.Documents{Kind: "k"}).Total)
		f.change(put(store.Document{Kind: "k", ID: "a"}))
		third := f.document("k", "a")
		assert.Greater(t, third.Revision, second.Revision, "a document that was deleted in between")
		assert.True(t, third.CreatedAt.After(second.UpdatedAt))
		assert.Equal(t, third.CreatedAt, third.UpdatedAt)
	})
	t.Run("ignore times and revisions that they are told", func(t *testing.T) {
		f := newFixture(t, s)
		long := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
		f.change(put(store.Document{Kind: "k", ID: "a", Revision: 7, CreatedAt: long, UpdatedAt: long}))
		got := f.document("k", "a")
		assert.NotEqual(t, int64(7), got.Revision)
		assert.True(t, got.CreatedAt.After(long))
		assert.True(t, got.UpdatedAt.After(long))
	})
	t.Run("tell the times and revisions that they got", func(t *testing.T) {
		f := newFixture(t, s)
		changes := []store.DocumentChange{putKept(store.Document{Kind: "k", ID: "a"}), put(store.Document{Kind: "k", ID: "b"})}
		for range 2 {
			require.NoError(t, s.WriteDocuments(t.Context(), f.project, changes))
			for i := range changes {
				require.Equal(t, f.document("k", changes[i].ID), changes[i].Document)
			}
		}
	})
	t.Run("are found", func(t *testing.T) { documentConditions(t, s) })
	t.Run("have an order", func(t *testing.T) { documentOrder(t, s) })
	t.Run("have limits", func(t *testing.T) { documentLimits(t, s) })
	t.Run("are not read when they are too large together", func(t *testing.T) { documentSizes(t, s) })
	t.Run("of other projects", func(t *testing.T) {
		f := newFixture(t, s)
		f.change(put(store.Document{Kind: "k", ID: "a", Body: "1"}), put(store.Document{Kind: "k", ID: "b"}))
		f.change(remove("a"))
		f.sameDocuments(query.Documents{Kind: "k", Limit: 10})
		f.checkOtherDocuments(t.Context())
	})
}

func documentSizes(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	f.change(put(store.Document{Kind: "k", ID: "a", Body: "1234"}), put(store.Document{Kind: "k", ID: "b", Body: "äö"}), put(store.Document{Kind: "k", ID: "c"}))
	q := query.Documents{Project: f.project, Kind: "k", Limit: 10}
	all, err := s.ListDocuments(t.Context(), q)
	require.NoError(t, err)
	for most := int64(1); most < 10; most++ {
		q.MaxBytes = most
		q.NoBodies = false
		page, err := s.ListDocuments(t.Context(), q)
		if most < 8 {
			require.ErrorIs(t, err, store.ErrTooLarge, "%d bytes", most)
			require.Zero(t, page)
		} else {
			require.NoError(t, err)
			require.Equal(t, all, page)
		}
		q.NoBodies = true
		page, err = s.ListDocuments(t.Context(), q)
		require.NoError(t, err)
		require.Equal(t, all.Total, page.Total)
		for i := range page.Rows {
			want := all.Rows[i]
			want.Body = ""
			require.Equal(t, want, page.Rows[i])
		}
	}
	small, err := s.ListDocuments(t.Context(), query.Documents{Project: f.project, Kind: "k", Limit: 2, MaxBytes: 4})
	require.NoError(t, err, "only the page counts")
	require.Len(t, small.Rows, 2)
	none, err := s.ListDocuments(t.Context(), query.Documents{Project: f.project, Kind: "none", Limit: 2, MaxBytes: 4})
	require.NoError(t, err)
	require.Zero(t, none.Total)
}

func documentConditions(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	texts := []string{"", "a", "A", "it's", "%", "ü"}
	var changes []store.DocumentChange
	for i := range 60 {
		changes = append(changes, put(store.Document{
			Kind: []string{"k", "other kind"}[i%2], ID: fmt.Sprintf("%02d", i), Body: strconv.Itoa(i),
			Parent: texts[i%len(texts)], Name: texts[i/2%len(texts)], State: texts[i/5%len(texts)],
		}))
	}
	f.change(changes...)
	f.change(remove("04"), put(store.Document{Kind: "k", ID: "06", Parent: "moved"}))
	for _, list := range [][]string{nil, {}, {""}, {"a"}, {"a", "it's", "a", "no such text"}, {"moved"}, {"'; DROP TABLE documents; --"}} {
		f.sameDocuments(query.Documents{Kind: "k", Parents: list, Limit: 100})
		f.sameDocuments(query.Documents{Kind: "k", Names: list, Limit: 100})
		f.sameDocuments(query.Documents{Kind: "k", States: list, Limit: 100})
		f.sameDocuments(query.Documents{Kind: "k", Parents: []string{"", "a"}, Names: list, States: []string{"", "a", "A"}, Limit: 100})
	}
	for _, ids := range [][]string{nil, {}, {"00"}, {"00", "01", "02", "04", "06"}} {
		f.sameDocuments(query.Documents{Kind: "k", IDs: ids, Limit: 100})
		f.sameDocuments(query.Documents{Kind: "k", IDs: ids, Parents: []string{"", "moved"}, Limit: 100})
	}
	many := make([]string, query.MaxKeys)
	for i := range many {
		many[i] = fmt.Sprintf("%02d", i)
	}
	f.sameDocuments(query.Documents{Kind: "k", IDs: many, Limit: 100})
}

func documentOrder(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	// The ids go the other way round, so that an order by id would show.
	for i := range 12 {
		f.change(
			put(store.Document{Kind: "k", ID: fmt.Sprintf("%02d", 99-2*i), Name: string(rune('a' + i%4))}),
			put(store.Document{Kind: "k", ID: fmt.Sprintf("%02d", 98-2*i), Name: string(rune('A' + i%4))}),
		)
	}
	f.change(put(store.Document{Kind: "k", ID: "90", Name: "ä"}), put(store.Document{Kind: "k", ID: "81"}))
	var newest []string
	for _, d := range f.documents(query.Documents{Kind: "k"}).Rows {
		newest = append(newest, d.ID)
	}
	var want []string
	for id := 76; id <= 99; id++ {
		want = append(want, strconv.Itoa(id))
	}
	require.Equal(t, want, newest, "newest first: a change is not a creation, and a call keeps its order")
	for _, order := range []query.DocumentOrder{query.NewestFirst, query.ByName} {
		for _, limit := range []int{1, 5, 24, 100} {
			for offset := 0; offset < 30; offset += limit {
				f.sameDocuments(query.Documents{Kind: "k", Order: order, Offset: offset, Limit: limit})
			}
		}
		f.sameDocuments(query.Documents{Kind: "k", Order: order, Limit: 0})
		f.sameDocuments(query.Documents{Kind: "k", Order: order, Offset: query.MaxOffset, Limit: 1})
	}
}

func documentLimits(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	good := put(store.Document{Kind: "k", ID: "good"})
	many := make([]store.DocumentChange, store.MaxDocumentChanges+1)
	for i := range many {
		many[i] = put(store.Document{Kind: "k", ID: strconv.Itoa(i)})
	}
	for name, changes := range map[string][]store.DocumentChange{
		"no kind":              {good, put(store.Document{ID: "a"})},
		"no id":                {good, put(store.Document{Kind: "k"})},
		"no id to delete":      {good, remove("")},
		"the same twice":       {good, good},
		"put and delete":       {good, remove("good")},
		"no such revision":     {good, {Document: store.Document{Kind: "k", ID: "a"}, Expect: -2}},
		"id too long":          {good, put(store.Document{Kind: "k", ID: strings.Repeat("i", store.MaxDocumentKey+1)})},
		"parent too long":      {good, put(store.Document{Kind: "k", ID: "a", Parent: strings.Repeat("i", store.MaxDocumentKey+1)})},
		"body too long":        {good, put(store.Document{Kind: "k", ID: "a", Body: strings.Repeat("i", store.MaxDocumentBody+1)})},
		"a name that is bytes": {good, put(store.Document{Kind: "k", ID: "a", Name: "\xff"})},
		"a body that is bytes": {good, put(store.Document{Kind: "k", ID: "a", Body: "\xff"})},
		"too many":             many,
	} {
		require.ErrorIs(t, s.WriteDocuments(t.Context(), f.project, changes), store.ErrInvalid, name)
		require.Zero(t, f.documents(query.Documents{Kind: "k"}).Total, name)
	}
	for name, q := range map[string]query.Documents{
		"no project":       {Kind: "k"},
		"no kind":          {Project: f.project},
		"negative limit":   {Project: f.project, Kind: "k", Limit: -1},
		"limit too large":  {Project: f.project, Kind: "k", Limit: query.MaxLimit + 1},
		"negative offset":  {Project: f.project, Kind: "k", Offset: -1},
		"offset too large": {Project: f.project, Kind: "k", Offset: query.MaxOffset + 1},
		"no such order":    {Project: f.project, Kind: "k", Order: 7},
		"too many ids":     {Project: f.project, Kind: "k", IDs: make([]string, query.MaxKeys+1)},
	} {
		page, err := s.ListDocuments(t.Context(), q)
		require.ErrorIs(t, err, store.ErrInvalid, name)
		require.Zero(t, page, name)
	}
	require.ErrorIs(t, s.WriteDocuments(t.Context(), "", []store.DocumentChange{good}), store.ErrInvalid)
	require.NoError(t, s.WriteDocuments(t.Context(), f.project, nil))
	require.NoError(t, s.WriteDocuments(t.Context(), f.project, many[1:]))
	require.Equal(t, store.MaxDocumentChanges, f.documents(query.Documents{Kind: "k"}).Total)
}
