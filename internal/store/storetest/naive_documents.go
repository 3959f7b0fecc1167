// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// naiveDocument is a version of a document.
type naiveDocument struct {
	store.Document
	replacedAt time.Time // zero for the version that counts
}

func (d *naiveDocument) isCurrent() bool { return d.replacedAt.IsZero() }

func (d *naiveDocument) isOf(kind, id string) bool { return d.Kind == kind && d.ID == id }

// ListDocuments implements store.Documents.
func (n *Naive) ListDocuments(ctx context.Context, q query.Documents) (page store.DocumentPage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		var found []store.Document
		for i := range p.documents {
			if asksForDocument(&q, &p.documents[i]) {
				found = append(found, p.documents[i].Document)
			}
		}
		slices.SortFunc(found, func(a, b store.Document) int {
			if q.Order == query.ByName {
				return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
			}
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		})
		page.Total = len(found)
		page.Rows = found[min(q.Offset, len(found)):min(q.Offset+q.Limit, len(found))]
		var size int64
		for i := range page.Rows {
			if q.NoBodies {
				page.Rows[i].Body = ""
			}
			size += int64(len(page.Rows[i].Body))
		}
		if q.MaxBytes > 0 && size > q.MaxBytes {
			page = store.DocumentPage{}
			return store.ErrTooLarge
		}
		return nil
	})
	return page, err
}

// DocumentProjects implements store.Documents.
func (n *Naive) DocumentProjects(ctx context.Context, kind string) ([]string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return nil, err
	}
	var projects []string
	for project, p := range n.projects {
		if slices.ContainsFunc(p.documents, func(d naiveDocument) bool { return d.Kind == kind && d.isCurrent() }) {
			projects = append(projects, project)
		}
	}
	slices.Sort(projects)
	return projects, nil
}

func asksForDocument(q *query.Documents, d *naiveDocument) bool {
	oneOf := func(texts []string, text string) bool { return texts == nil || slices.Contains(texts, text) }
	if d.Kind != q.Kind || !oneOf(q.IDs, d.ID) || !oneOf(q.Parents, d.Parent) || !oneOf(q.Names, d.Name) || !oneOf(q.States, d.State) {
		return false
	}
	if q.AsOf.IsZero() {
		return d.isCurrent()
	}
	return !d.UpdatedAt.After(q.AsOf) && (d.isCurrent() || d.replacedAt.After(q.AsOf))
}

// WriteDocuments implements store.Documents.
func (n *Naive) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	return n.with(ctx, project, func(p *naiveProject) error {
		if err := store.ValidateChanges(changes); err != nil {
			return err
		}
		for i := range changes {
			if err := changes[i].Check(p.document(changes[i].Kind, changes[i].ID).Revision); err != nil {
				return err
			}
		}
		for i := range changes {
			n.changeDocument(p, &changes[i])
		}
		return nil
	})
}

// document is the version that counts, or nothing.
func (p *naiveProject) document(kind, id string) store.Document {
	for i := range p.documents {
		if d := &p.documents[i]; d.isOf(kind, id) && d.isCurrent() {
			return d.Document
		}
	}
	return store.Document{}
}

func (n *Naive) changeDocument(p *naiveProject, change *store.DocumentChange) {
	now := n.clock().UTC().Truncate(time.Microsecond)
	if !now.After(n.lastDocument) {
		now = n.lastDocument.Add(time.Microsecond)
	}
	n.lastDocument = now

	old := p.document(change.Kind, change.ID)
	if change.KeepOld {
		for i := range p.documents {
			if d := &p.documents[i]; d.isOf(change.Kind, change.ID) && d.isCurrent() {
				d.replacedAt = now
			}
		}
	} else {
		p.documents = slices.DeleteFunc(p.documents, func(d naiveDocument) bool { return d.isOf(change.Kind, change.ID) })
	}
	if change.Delete {
		return
	}
	change.Revision, change.CreatedAt, change.UpdatedAt = now.UnixMicro(), now, now
	if old.Revision != store.NoRevision {
		change.CreatedAt = old.CreatedAt
	}
	p.documents = append(p.documents, naiveDocument{Document: change.Document})
}
