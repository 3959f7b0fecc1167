// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// documentVersions holds the store to keeping older versions of documents.
func documentVersions(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	at := func(moment time.Time) map[string]string {
		bodies := map[string]string{}
		page := f.documents(query.Documents{Kind: "k", AsOf: moment})
		require.Len(t, page.Rows, page.Total)
		for _, d := range page.Rows {
			bodies[d.ID] = d.Body
		}
		return bodies
	}
	updated := func(id string) time.Time { return f.document("k", id).UpdatedAt }

	f.change(putKept(store.Document{Kind: "k", ID: "a", Body: "a1", State: "s1"}))
	a1 := updated("a")
	f.change(putKept(store.Document{Kind: "k", ID: "b", Body: "b1"}))
	b1 := updated("b")
	f.change(putKept(store.Document{Kind: "k", ID: "a", Body: "a2", State: "s2"}))
	a2 := updated("a")
	gone := remove("b")
	gone.KeepOld = true
	f.change(gone, putKept(store.Document{Kind: "k", ID: "c", Body: "c1"}))
	c1 := updated("c")
	f.change(putKept(store.Document{Kind: "k", ID: "b", Body: "b2"}))
	b2 := updated("b")

	for _, tc := range []struct {
		moment time.Time
		want   map[string]string
	}{
		{a1.Add(-time.Microsecond), map[string]string{}},
		{a1, map[string]string{"a": "a1"}},
		{b1.Add(-time.Microsecond), map[string]string{"a": "a1"}},
		{b1, map[string]string{"a": "a1", "b": "b1"}},
		{a2.Add(-time.Microsecond), map[string]string{"a": "a1", "b": "b1"}},
		{a2, map[string]string{"a": "a2", "b": "b1"}},
		{c1, map[string]string{"a": "a2", "c": "c1"}},
		{b2.Add(-time.Microsecond), map[string]string{"a": "a2", "c": "c1"}},
		{b2, map[string]string{"a": "a2", "b": "b2", "c": "c1"}},
		{b2.Add(time.Hour), map[string]string{"a": "a2", "b": "b2", "c": "c1"}},
		{time.Time{}, map[string]string{"a": "a2", "b": "b2", "c": "c1"}},
		{b1.In(time.FixedZone("", 7200)), map[string]string{"a": "a1", "b": "b1"}},
	} {
		require.Equal(t, tc.want, at(tc.moment), "at %v", tc.moment)
	}
	old := f.documents(query.Documents{Kind: "k", States: []string{"s1"}, AsOf: b1})
	require.Equal(t, 1, old.Total, "conditions hold for the version of the time")
	require.Equal(t, "a1", old.Rows[0].Body)
	require.Equal(t, a1, old.Rows[0].CreatedAt)
	require.Equal(t, a1, old.Rows[0].UpdatedAt)
	require.Zero(t, f.documents(query.Documents{Kind: "k", States: []string{"s1"}}).Total)

	f.change(put(store.Document{Kind: "k", ID: "a", Body: "a3"}), remove("b"))
	require.Equal(t, map[string]string{}, at(b1), "without KeepOld older versions are forgotten")
	require.Equal(t, map[string]string{"a": "a3", "c": "c1"}, at(time.Time{}))
	f.checkOtherDocuments(t.Context())
}

// documentRevisions holds the store to letting nobody change what somebody else has changed before.
func documentRevisions(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	write := func(changes ...store.DocumentChange) error { return s.WriteDocuments(t.Context(), f.project, changes) }
	expect := func(c store.DocumentChange, revision int64) store.DocumentChange {
		c.Expect = revision
		return c
	}
	a, b := put(store.Document{Kind: "k", ID: "a", Body: "a"}), put(store.Document{Kind: "k", ID: "b", Body: "b"})
	require.NoError(t, write(expect(a, store.NoRevision)))
	require.ErrorIs(t, write(expect(a, store.NoRevision)), store.ErrConflict)
	first := f.document("k", "a").Revision
	require.ErrorIs(t, write(expect(a, first+1)), store.ErrConflict)
	require.NoError(t, write(expect(a, first)))
	require.ErrorIs(t, write(expect(a, first)), store.ErrConflict, "the revision is another by now")
	require.ErrorIs(t, write(expect(remove("a"), first)), store.ErrConflict)
	require.ErrorIs(t, write(expect(remove("a"), store.NoRevision)), store.ErrConflict)
	require.ErrorIs(t, write(expect(b, 1)), store.ErrConflict, "there is none")
	require.ErrorIs(t, write(expect(remove("b"), 1)), store.ErrConflict)
	require.NoError(t, write(expect(remove("b"), store.NoRevision)))

	second := f.document("k", "a")
	for _, changes := range [][]store.DocumentChange{
		{b, expect(a, first)},
		{expect(a, first), b},
		{expect(remove("a"), second.Revision), expect(b, 5)},
	} {
		require.ErrorIs(t, write(changes...), store.ErrConflict)
		require.Equal(t, second, f.document("k", "a"), "all or nothing")
		require.Equal(t, 1, f.documents(query.Documents{Kind: "k"}).Total, "all or nothing")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, s.WriteDocuments(ctx, f.project, []store.DocumentChange{b, a}))
	require.Equal(t, 1, f.documents(query.Documents{Kind: "k"}).Total)

	require.NoError(t, write(expect(remove("a"), second.Revision), expect(b, store.NoRevision)))
	require.ErrorIs(t, write(expect(a, second.Revision)), store.ErrConflict, "deleted")
	require.NoError(t, write(expect(a, store.NoRevision)))
	require.ErrorIs(t, write(expect(a, second.Revision)), store.ErrConflict, "deleted, and there again")
	other, err := s.ListDocuments(t.Context(), query.Documents{Project: f.other, Kind: "k", Limit: 1})
	require.NoError(t, err)
	require.Zero(t, other.Total)
}

const (
	rivals = 8
	rounds = 6
)

// documentConcurrency lets many change the same documents at the same time.
func documentConcurrency(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	var all sync.WaitGroup
	var mu sync.Mutex
	created := map[string]int{}
	for r := range rivals {
		all.Go(func() {
			for i := range rounds {
				id := "created " + strconv.Itoa(i)
				err := s.WriteDocuments(t.Context(), f.project, []store.DocumentChange{
					{Document: store.Document{Kind: "k", ID: id, Body: strconv.Itoa(r)}},
					{Document: store.Document{Kind: "k", ID: fmt.Sprintf("%s by %d", id, r)}},
				})
				if err == nil {
					mu.Lock()
					created[id]++
					mu.Unlock()
				} else {
					assert.ErrorIs(t, err, store.ErrConflict)
				}
				assert.NoError(t, count(t.Context(), s, f.project))
			}
		})
	}
	all.Wait()
	for i := range rounds {
		assert.Equal(t, 1, created["created "+strconv.Itoa(i)], "who created document %d", i)
	}
	assert.Equal(t, 2*rounds, f.documents(query.Documents{Kind: "k"}).Total, "who lost leaves nothing behind")
	assert.Equal(t, strconv.Itoa(rivals*rounds), f.document("counter", "c").Body, "no change is lost")
}

// count adds one to a counter, and tries again for as long as somebody else is faster.
func count(ctx context.Context, s store.Store, project string) error {
	for {
		page, err := s.ListDocuments(ctx, query.Documents{Project: project, Kind: "counter", IDs: []string{"c"}, Limit: 2})
		if err != nil {
			return err
		}
		old := store.Document{Body: "0"}
		if len(page.Rows) > 0 {
			old = page.Rows[0]
		}
		n, err := strconv.Atoi(old.Body)
		if err != nil {
			return err
		}
		err = s.WriteDocuments(ctx, project, []store.DocumentChange{
			{Document: store.Document{Kind: "counter", ID: "c", Body: strconv.Itoa(n + 1)}, Expect: old.Revision},
		})
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
}

// documentProjects holds the store to knowing which projects have documents of a kind.
func documentProjects(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	kind := "of " + f.project // other tests have documents in the same store
	projects := func() []string {
		found, err := s.DocumentProjects(t.Context(), kind)
		require.NoError(t, err)
		return found
	}
	assert.Empty(t, projects())
	a, b := store.Document{Kind: kind, ID: "a"}, store.Document{Kind: kind, ID: "b"}
	f.change(putKept(a), putKept(b))
	both := []string{f.project, f.other}
	slices.Sort(both)
	assert.Equal(t, both, projects())
	gone := store.DocumentChange{Document: a, Delete: true, Expect: store.AnyRevision, KeepOld: true}
	f.change(gone)
	assert.Equal(t, both, projects())
	gone.Document = b
	f.change(gone)
	assert.Equal(t, []string{f.other}, projects(), "only older versions are left")
}
