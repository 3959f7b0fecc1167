// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// DocumentRecord is a row of the table of documents.
type DocumentRecord struct {
	Project string
	store.Document
	// ReplacedAt is zero for the version that counts.
	ReplacedAt time.Time
}

type documentColumn = Column[DocumentRecord]

// DocumentColumns are all columns of the table of documents, in the order of the schema.
var DocumentColumns = []documentColumn{
	documentText("project", func(r *DocumentRecord) *string { return &r.Project }),
	documentText("kind", func(r *DocumentRecord) *string { return &r.Kind }),
	documentText("id", func(r *DocumentRecord) *string { return &r.ID }),
	documentText("parent", func(r *DocumentRecord) *string { return &r.Parent }),
	documentText("name", func(r *DocumentRecord) *string { return &r.Name }),
	documentText("state", func(r *DocumentRecord) *string { return &r.State }),
	documentText("body", func(r *DocumentRecord) *string { return &r.Body }),
	{"revision", 0, func(r *DocumentRecord) Value { return ofInt64(r.Revision) }, func(r *DocumentRecord) any { return &r.Revision }},
	{"created_at", 0, func(r *DocumentRecord) Value { return ofTime(r.CreatedAt) }, func(r *DocumentRecord) any { return (*moment)(&r.CreatedAt) }},
	{"updated_at", 0, func(r *DocumentRecord) Value { return ofTime(r.UpdatedAt) }, func(r *DocumentRecord) any { return (*moment)(&r.UpdatedAt) }},
	{"replaced_at", 0, func(r *DocumentRecord) Value { return ofOptionalTime(r.ReplacedAt) }, func(r *DocumentRecord) any { return (*moment)(&r.ReplacedAt) }},
}

func documentText(name string, field func(*DocumentRecord) *string) documentColumn {
	return documentColumn{
		name, 0,
		func(r *DocumentRecord) Value { return ofText(*field(r)) },
		func(r *DocumentRecord) any { return field(r) },
	}
}

// ListDocuments reads a page. The query must be valid, and db must show one moment to all statements.
func ListDocuments(ctx context.Context, db Querier, q *query.Documents) (store.DocumentPage, error) {
	var page store.DocumentPage
	if q.Limit > 0 {
		if err := checkSize(ctx, db, q); err != nil {
			return store.DocumentPage{}, err
		}
		columns := DocumentColumns
		if q.NoBodies {
			columns = versionColumns
		}
		s := selectColumns(columns, "documents")
		whereDocuments(s, q)
		pageOfDocuments(s, q)
		var bytes int64
		err := readRowsUntil(ctx, db, s, columns, func(r *DocumentRecord) error {
			page.Rows = append(page.Rows, r.Document)
			if bytes += int64(len(r.Body)); q.MaxBytes > 0 && bytes > q.MaxBytes {
				return store.ErrTooLarge
			}
			return nil
		})
		if err != nil {
			return store.DocumentPage{}, err
		}
	}
	// A page that is not full is the last one, and tells the total by itself, unless it begins behind the end.
	if n := len(page.Rows); n < q.Limit && (n > 0 || q.Offset == 0) {
		page.Total = q.Offset + n
		return page, nil
	}
	s := (&Statement{}).Write("SELECT count(*) FROM documents")
	whereDocuments(s, q)
	rows, err := db.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return store.DocumentPage{}, err
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&page.Total); err != nil {
			return store.DocumentPage{}, err
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return store.DocumentPage{}, err
	}
	return page, nil
}

// checkSize looks at the sizes of a page before its bodies are read: an engine holds them all to put them in order.
func checkSize(ctx context.Context, db Querier, q *query.Documents) error {
	if q.MaxBytes == 0 || q.NoBodies {
		return nil
	}
	s := (&Statement{}).Write("SELECT coalesce(sum(size), 0) FROM (SELECT length(body) AS size FROM documents")
	whereDocuments(s, q)
	pageOfDocuments(s, q)
	s.Write(") AS page")
	var characters float64 // some engines have no integer for a sum
	if err := readOne(ctx, db, s, &characters); err != nil {
		return err
	}
	if characters > float64(q.MaxBytes) {
		return store.ErrTooLarge
	}
	return nil
}

func pageOfDocuments(s *Statement, q *query.Documents) {
	if q.Order == query.ByName {
		s.Write("\nORDER BY name, id")
	} else {
		s.Write("\nORDER BY created_at DESC, id DESC")
	}
	s.Write("\nLIMIT ").Arg(q.Limit).Write(" OFFSET ").Arg(q.Offset)
}

// DocumentProjects reads which projects have documents of a kind.
func DocumentProjects(ctx context.Context, db Querier, kind string) (projects []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT DISTINCT project FROM documents WHERE kind = ? AND replaced_at IS NULL ORDER BY project", kind)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var project string
		if err := rows.Scan(&project); err != nil {
			return nil, err
		}
		projects = append(projects, project)
	}
	return projects, rows.Err()
}

func whereDocuments(s *Statement, q *query.Documents) {
	s.Write("\nWHERE project = ").Arg(q.Project).Write(" AND kind = ").Arg(q.Kind)
	for _, condition := range []struct {
		column string
		texts  []string
	}{{"id", q.IDs}, {"parent", q.Parents}, {"name", q.Names}, {"state", q.States}} {
		if condition.texts != nil {
			s.Write("\n  AND ", condition.column, " IN ").List(condition.texts)
		}
	}
	if q.AsOf.IsZero() {
		s.Write("\n  AND replaced_at IS NULL")
		return
	}
	s.Write("\n  AND updated_at <= ").Arg(q.AsOf).Write(" AND (replaced_at IS NULL OR replaced_at > ").Arg(q.AsOf).Write(")")
}

// DocumentKey is what makes a document the same as another of its project.
type DocumentKey struct{ Kind, ID string }

// versionColumns are all but the large one.
var versionColumns = slices.DeleteFunc(slices.Clone(DocumentColumns), func(c documentColumn) bool { return c.Name == "body" })

// StoredVersions finds the documents that some changes would replace or delete, without their bodies. One of which only
// older versions are left is there without a revision.
func StoredVersions(ctx context.Context, db Querier, project string, changes []store.DocumentChange) (map[DocumentKey]store.Document, error) {
	s := selectColumns(versionColumns, "documents")
	s.Write("\nWHERE project = ").Arg(project).Write(" AND (kind, id) IN (")
	for i := range changes {
		if i > 0 {
			s.Write(", ")
		}
		s.Write("(").Arg(changes[i].Kind).Write(", ").Arg(changes[i].ID).Write(")")
	}
	s.Write(")")
	found := make(map[DocumentKey]store.Document)
	err := readRows(ctx, db, s, versionColumns, func(r *DocumentRecord) {
		key := DocumentKey{r.Kind, r.ID}
		if r.ReplacedAt.IsZero() {
			found[key] = r.Document
		} else if _, ok := found[key]; !ok {
			found[key] = store.Document{}
		}
	})
	return found, err
}
