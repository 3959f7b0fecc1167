// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
	"github.com/weirhq/weir/internal/store/turns"
)

func (e *engine) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	return answer(ctx, e, &q, func(ctx context.Context, db sqlstore.Querier, _ sqlstore.Dialect, q *query.Documents) (store.DocumentPage, error) {
		return sqlstore.ListDocuments(ctx, db, q)
	})
}

func (e *engine) DocumentProjects(ctx context.Context, kind string) ([]string, error) {
	var projects []string
	err := e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		projects, err = sqlstore.DocumentProjects(ctx, m, kind)
		return err
	})
	return projects, err
}

func (e *engine) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	end, err := e.mayWrite(project)
	if err != nil {
		return err
	}
	defer end()
	if len(changes) == 0 {
		return nil
	}
	if err := store.ValidateChanges(changes); err != nil {
		return err
	}
	// One at a time, so that calls of this store do not get into one another's way.
	waiting, cancel := context.WithTimeoutCause(ctx, e.settings.WriteWait, turns.ErrBusy)
	defer cancel()
	if err := e.documents.Acquire(waiting, 1); err != nil {
		return context.Cause(waiting)
	}
	defer e.documents.Release(1)
	return e.writeError(ctx, e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
		return e.changeDocuments(ctx, m, project, changes)
	}))
}

// changeDocuments finds out what the changes make of what is there at a moment.
func (e *engine) changeDocuments(ctx context.Context, m *moment, project string, changes []store.DocumentChange) (*change, error) {
	stored, err := sqlstore.StoredVersions(ctx, m, project, changes)
	if err != nil {
		return nil, err
	}
	// The moments of the changes end with that of the batch: so whatever comes later is later than all of them.
	c := &change{batch: e.clock.next(m.latest(), len(changes))}
	var added []*sqlstore.DocumentRecord
	var touched []touchedDocument
	for i := range changes {
		change := &changes[i]
		key := sqlstore.DocumentKey{Kind: change.Kind, ID: change.ID}
		old, isThere := stored[key]
		if err := change.Check(old.Revision); err != nil {
			return nil, err
		}
		c.claims = append(c.claims, claimKey{project, documentClaims(change.Kind), change.ID})
		now := c.batch.time().Add(time.Duration(i+1-len(changes)) * time.Microsecond)
		if isThere {
			touched = append(touched, touchedDocument{key, change.KeepOld, now})
		}
		if change.Delete {
			continue
		}
		change.Stamp(now, old)
		added = append(added, &sqlstore.DocumentRecord{Project: project, Document: change.Document})
	}
	kept, ended, err := m.takeOut(ctx, project, touched)
	if err != nil {
		return nil, err
	}
	added = append(added, kept...)
	c.write = func(ctx context.Context) error {
		return together(ctx,
			func(ctx context.Context) error {
				return insertRecords(ctx, e, "documents", sqlstore.DocumentColumns, added, row{batch: c.batch, place: firstPlace()})
			},
			func(ctx context.Context) error { return e.insertEnds(ctx, endsBy(c.batch, ended)) })
	}
	return c, nil
}

// touchedDocument is a document that is replaced or deleted.
type touchedDocument struct {
	key     sqlstore.DocumentKey
	keepOld bool
	at      time.Time
}

// takeOut finds the rows that end, and those that come in their place because they are kept.
func (m *moment) takeOut(ctx context.Context, project string, touched []touchedDocument) (kept []*sqlstore.DocumentRecord, ended []row, err error) {
	for _, d := range touched {
		s := &sqlstore.Statement{}
		s.Write("SELECT batch, place")
		columns := sqlstore.DocumentColumns
		if d.keepOld {
			for i := range columns {
				s.Write(", ", columns[i].Name)
			}
		}
		s.Write(" FROM documents WHERE project = ").Arg(project).Write(" AND kind = ").Arg(d.key.Kind).Write(" AND id = ").Arg(d.key.ID)
		if d.keepOld {
			s.Write(" AND replaced_at IS NULL")
		}
		rows, err := m.QueryContext(ctx, s.String(), s.Args...)
		if err != nil {
			return nil, nil, err
		}
		err = eachRow(rows, func() error {
			r := row{home: homeOf(d.key.ID)}
			record := &sqlstore.DocumentRecord{}
			targets := []any{&r.batch, &r.place}
			if d.keepOld {
				for i := range columns {
					targets = append(targets, columns[i].Target(record))
				}
				kept = append(kept, record)
			}
			ended = append(ended, r)
			if err := rows.Scan(targets...); err != nil {
				return err
			}
			ended[len(ended)-1] = r
			record.ReplacedAt = d.at
			return nil
		})
		if err != nil {
			return nil, nil, fmt.Errorf("failed to read the %s %q: %w", d.key.Kind, d.key.ID, err)
		}
	}
	return kept, ended, nil
}

// eachRow hands over each row and closes them.
func eachRow(rows *sql.Rows, take func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := take(); err != nil {
			return err
		}
	}
	return rows.Err()
}
