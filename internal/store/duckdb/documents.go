// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// What makes a read of documents expensive is how large they are.
var documentAdvice = advice{
	"ask for fewer entries a page (`limit`)",
	fmt.Errorf("%w: they need more memory than `memory_limit` allows; ask for fewer entries a page (`limit`)", store.ErrTooLarge),
}

func (e *engine) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	if err := q.Validate(); err != nil {
		return store.DocumentPage{}, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	var page store.DocumentPage
	err := e.readAdvised(ctx, documentAdvice, func(ctx context.Context) error {
		// In a transaction, page and total are of the same moment.
		tx, err := e.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }() // nothing was written
		page, err = sqlstore.ListDocuments(ctx, tx, &q)
		return err
	})
	return page, err
}

func (e *engine) DocumentProjects(ctx context.Context, kind string) ([]string, error) {
	var projects []string
	err := e.read(ctx, func(ctx context.Context) (err error) {
		projects, err = sqlstore.DocumentProjects(ctx, e.db, kind)
		return err
	})
	return projects, err
}

func (e *engine) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	// A document is deleted to make room, too; what is put needs some.
	may := e.mayDelete
	if slices.ContainsFunc(changes, func(c store.DocumentChange) bool { return !c.Delete }) {
		may = e.mayWrite
	}
	if err := may(project); err != nil || len(changes) == 0 {
		return err
	}
	if err := store.ValidateChanges(changes); err != nil {
		return err
	}
	var bytes int64
	for i := range changes {
		bytes += int64(len(changes[i].Body)) + 1024
	}
	return e.writeError(ctx, e.writer.Submit(ctx, &job{run: func(ctx context.Context, tx *sql.Tx, conn *sql.Conn) error {
		return e.changeDocuments(ctx, tx, conn, project, changes)
	}}, bytes))
}

// changeDocuments has the file to itself, so nothing changes between what it reads and what it writes.
func (e *engine) changeDocuments(ctx context.Context, tx *sql.Tx, conn *sql.Conn, project string, changes []store.DocumentChange) error {
	stored, err := sqlstore.StoredVersions(ctx, tx, project, changes)
	if err != nil {
		return err
	}
	var added []*sqlstore.DocumentRecord
	for i := range changes {
		change := &changes[i]
		old, isThere := stored[sqlstore.DocumentKey{Kind: change.Kind, ID: change.ID}]
		if err := change.Check(old.Revision); err != nil {
			return err
		}
		now, err := e.nextDocumentTime(ctx, tx)
		if err != nil {
			return err
		}
		if isThere {
			if err := takeOutDocument(ctx, tx, project, change, now); err != nil {
				return err
			}
		}
		if change.Delete {
			continue
		}
		change.Stamp(now, old)
		added = append(added, &sqlstore.DocumentRecord{Project: project, Document: change.Document})
	}
	return appendTo(conn, "documents", sqlstore.DocumentColumns, slices.Values(added))
}

// takeOutDocument makes room for a new version, or for none.
func takeOutDocument(ctx context.Context, tx *sql.Tx, project string, change *store.DocumentChange, now time.Time) error {
	const which = " WHERE project = ? AND kind = ? AND id = ?"
	if !change.KeepOld {
		_, err := tx.ExecContext(ctx, "DELETE FROM documents"+which, project, change.Kind, change.ID)
		return err
	}
	_, err := tx.ExecContext(ctx, "UPDATE documents SET replaced_at = ?"+which+" AND replaced_at IS NULL", now, project, change.Kind, change.ID)
	return err
}

// nextDocumentTime is later than all before it, those in the file included, whatever the clock says.
func (e *engine) nextDocumentTime(ctx context.Context, tx *sql.Tx) (time.Time, error) {
	if e.lastDocument.IsZero() {
		var last sql.NullTime
		err := tx.QueryRowContext(ctx, "SELECT greatest(max(updated_at), max(replaced_at)) FROM documents").Scan(&last)
		if err != nil {
			return time.Time{}, err
		}
		e.lastDocument = last.Time.UTC()
	}
	now := e.settings.Now().UTC().Truncate(time.Microsecond)
	if !now.After(e.lastDocument) {
		now = e.lastDocument.Add(time.Microsecond)
	}
	e.lastDocument = now
	return now, nil
}
