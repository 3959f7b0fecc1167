// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// changedChanges does something else than it is told.
func changedChanges(change func(*store.DocumentChange)) broken {
	return broken{change: func(ctx context.Context, n *Naive, project string, changes []store.DocumentChange) error {
		changes = slices.Clone(changes)
		for i := range changes {
			change(&changes[i])
		}
		return n.WriteDocuments(ctx, project, changes)
	}}
}

// changedPapers answers another question, or gives another answer.
func changedPapers(ask func(*query.Documents), answer func(*store.DocumentPage)) broken {
	return broken{papers: func(ctx context.Context, n *Naive, q query.Documents) (store.DocumentPage, error) {
		if ask != nil {
			ask(&q)
		}
		page, err := n.ListDocuments(ctx, q)
		if err == nil && answer != nil {
			page.Rows = slices.Clone(page.Rows)
			answer(&page)
		}
		return page, err
	}}
}

var documentFaults = []fault{
	{"ignores revisions", changedChanges(func(c *store.DocumentChange) {
		c.Expect = store.AnyRevision
	}), "one store/document revisions", true},
	{"takes what must not be there for anything", changedChanges(func(c *store.DocumentChange) {
		if c.Expect == store.NoRevision {
			c.Expect = store.AnyRevision
		}
	}), "one store/document concurrency", true},
	{"looks at revisions before it writes", broken{change: func(ctx context.Context, n *Naive, project string, changes []store.DocumentChange) error {
		// Right, but not at one moment.
		blind := slices.Clone(changes)
		for i := range blind {
			page, err := n.ListDocuments(ctx, query.Documents{Project: project, Kind: blind[i].Kind, IDs: []string{blind[i].ID}, Limit: 1})
			if err != nil {
				return err
			}
			var revision int64
			if len(page.Rows) > 0 {
				revision = page.Rows[0].Revision
			}
			if err := blind[i].Check(revision); err != nil {
				return err
			}
			blind[i].Expect = store.AnyRevision
		}
		for range 100 {
			runtime.Gosched()
		}
		return n.WriteDocuments(ctx, project, blind)
	}}, "one store/document concurrency", false},
	{"makes changes one by one", broken{change: func(ctx context.Context, n *Naive, project string, changes []store.DocumentChange) error {
		for i := range changes {
			if err := n.WriteDocuments(ctx, project, changes[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}}, "one store/document revisions", true},
	{"makes changes in any order", broken{change: func(ctx context.Context, n *Naive, project string, changes []store.DocumentChange) error {
		changes = slices.Clone(changes)
		slices.Reverse(changes)
		return n.WriteDocuments(ctx, project, changes)
	}}, "one store/documents/have an order", true},
	{"keeps no versions", changedChanges(func(c *store.DocumentChange) { c.KeepOld = false }), "one store/document versions", true},
	{"keeps all versions", changedChanges(func(c *store.DocumentChange) { c.KeepOld = true }), "one store/document versions", true},
	{"shows the present in the past", changedPapers(func(q *query.Documents) { q.AsOf = time.Time{} }, nil), "one store/document versions", true},
	{"is late by a moment", changedPapers(func(q *query.Documents) {
		if !q.AsOf.IsZero() {
			q.AsOf = q.AsOf.Add(-time.Microsecond)
		}
	}, nil), "one store/document versions", false},
	{"takes an empty list for none", changedPapers(func(q *query.Documents) {
		if len(q.Parents) == 0 {
			q.Parents = nil
		}
	}, nil), "one store/documents/are found", true},
	{"mixes names and states up", changedPapers(func(q *query.Documents) {
		q.Names, q.States = q.States, q.Names
	}, nil), "one store/documents/are found", true},
	{"sorts names without letter case", changedPapers(nil, func(page *store.DocumentPage) {
		if slices.IsSortedFunc(page.Rows, func(a, b store.Document) int { return strings.Compare(a.Name, b.Name) }) {
			slices.SortStableFunc(page.Rows, func(a, b store.Document) int {
				return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
			})
		}
	}), "one store/documents/have an order", false},
	{"counts only the page", changedPapers(nil, func(page *store.DocumentPage) { page.Total = len(page.Rows) }), "one store/documents/have an order", true},
	{"forgets when a document came", changedPapers(nil, func(page *store.DocumentPage) {
		for i := range page.Rows {
			page.Rows[i].CreatedAt = page.Rows[i].UpdatedAt
		}
	}), "one store/documents/replace", false},
	{"mixes documents of projects up", broken{
		change: func(ctx context.Context, n *Naive, _ string, changes []store.DocumentChange) error {
			return n.WriteDocuments(ctx, "all", changes)
		},
		papers: func(ctx context.Context, n *Naive, q query.Documents) (store.DocumentPage, error) {
			q.Project = "all"
			return n.ListDocuments(ctx, q)
		},
	}, "one store/documents/of other projects", true},
	{"trims bodies", changedChanges(func(c *store.DocumentChange) {
		c.Body = strings.TrimSpace(c.Body)
	}), "one store/documents/come back as they were", false},
	{"tells nothing", changedChanges(func(*store.DocumentChange) {}), "one store/documents/tell the times and revisions that they got", false},
	{"takes anything for UTF-8", changedChanges(func(c *store.DocumentChange) {
		c.Body = strings.ToValidUTF8(c.Body, "?")
	}), "one store/documents/have limits", false},
}
