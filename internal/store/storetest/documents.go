// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// put is a change that puts a document, whatever is there.
func put(d store.Document) store.DocumentChange {
	return store.DocumentChange{Document: d, Expect: store.AnyRevision}
}

// putKept is the same, and keeps what it replaces.
func putKept(d store.Document) store.DocumentChange {
	return store.DocumentChange{Document: d, Expect: store.AnyRevision, KeepOld: true}
}

// remove is a change that deletes a document of kind k, whatever is there.
func remove(id string) store.DocumentChange {
	return store.DocumentChange{Document: store.Document{Kind: "k", ID: id}, Delete: true, Expect: store.AnyRevision}
}

// change makes changes in the project, and in the other one too.
func (f *fixture) change(changes ...store.DocumentChange) {
	f.Helper()
	others := make([]store.DocumentChange, len(changes))
	for i, c := range changes {
		c.Body += " of the other project"
		c.Delete = false
		others[i] = c
		f.kinds[c.Kind] = true
	}
	for _, s := range []store.Store{f.store, f.naive} {
		require.NoError(f, s.WriteDocuments(f.Context(), f.other, others))
		require.NoError(f, s.WriteDocuments(f.Context(), f.project, changes))
	}
}

// documents is a page of the project: as long as may be, if the query does not say otherwise.
func (f *fixture) documents(q query.Documents) store.DocumentPage {
	f.Helper()
	q.Project = f.project
	if q.Limit == 0 {
		q.Limit = query.MaxLimit
	}
	page, err := f.store.ListDocuments(f.Context(), q)
	require.NoError(f, err)
	return page
}

// document is the document with an id, which must be there.
func (f *fixture) document(kind, id string) store.Document {
	f.Helper()
	page := f.documents(query.Documents{Kind: kind, IDs: []string{id}})
	require.Len(f, page.Rows, 1, "documents of kind %q with the id %q", kind, id)
	return page.Rows[0]
}

// sameDocuments compares a page with that of the naive store.
func (f *fixture) sameDocuments(q query.Documents) {
	f.Helper()
	q.Project = f.project
	requireSameDocuments(f.Context(), f, f.store, f.naive, q)
}

// checkOtherDocuments holds the store to leaving the other project alone.
func (f *fixture) checkOtherDocuments(ctx context.Context) {
	f.Helper()
	for kind := range f.kinds {
		requireSameDocuments(ctx, f, f.store, f.naive, query.Documents{Project: f.other, Kind: kind, Limit: query.MaxLimit})
	}
}

// requireSameDocuments ends the test when two stores answer a query in different ways. The times and revisions that they
// gave differ between any two stores and are left out.
func requireSameDocuments(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Documents) {
	tb.Helper()
	want, err := naive.ListDocuments(ctx, q)
	require.NoError(tb, err)
	got, err := s.ListDocuments(ctx, q)
	require.NoError(tb, err, "%s", short(q))
	if problems := compareDocuments(want, got); len(problems) > 0 {
		tb.Fatalf("%s:\n  %s", short(q), strings.Join(problems, "\n  "))
	}
}

func compareDocuments(want, got store.DocumentPage) []string {
	var problems []string
	if want.Total != got.Total || len(want.Rows) != len(got.Rows) {
		problems = append(problems, fmt.Sprintf("%d documents of %d, want %d of %d", len(got.Rows), got.Total, len(want.Rows), want.Total))
	}
	for i := range min(len(want.Rows), len(got.Rows)) {
		w, g := want.Rows[i], got.Rows[i]
		if problem := timesProblem(g); problem != "" {
			problems = append(problems, fmt.Sprintf("document %d, %q: %s", i, g.ID, problem))
		}
		w.Revision, w.CreatedAt, w.UpdatedAt = g.Revision, g.CreatedAt, g.UpdatedAt
		for _, difference := range differences(w, g) {
			problems = append(problems, fmt.Sprintf("document %d, %q: %s", i, w.ID, difference))
		}
		if len(problems) >= maxProblems {
			break
		}
	}
	return problems
}

// timesProblem tells what cannot be of the times and the revision of a document.
func timesProblem(d store.Document) string {
	switch {
	case d.Revision <= 0:
		return fmt.Sprintf("has the revision %d", d.Revision)
	case d.UpdatedAt.Before(d.CreatedAt):
		return fmt.Sprintf("updated at %v, created at %v", d.UpdatedAt, d.CreatedAt)
	case d.CreatedAt.Location() != time.UTC || d.CreatedAt.Truncate(time.Microsecond) != d.CreatedAt:
		return fmt.Sprintf("created at %v", d.CreatedAt)
	default:
		return ""
	}
}
