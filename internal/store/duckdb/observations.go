// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

func (e *engine) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	if err := e.mayWrite(project); err != nil || len(rows) == 0 {
		return err
	}
	j := &job{rows: make([]sqlstore.ObservationRecord, len(rows))}
	var bytes int64
	for i := range rows {
		if rows[i].TraceID == "" || rows[i].ID == "" {
			return fmt.Errorf("%w: an observation needs a trace id and an id", store.ErrInvalid)
		}
		j.rows[i] = sqlstore.ObservationRecord{Project: project, StoredObservation: store.StoredObservation{Observation: rows[i]}}
		bytes += int64(len(rows[i].Input) + len(rows[i].Output) + len(rows[i].Metadata) + 1024)
	}
	return e.writeError(ctx, e.writer.submit(ctx, j, bytes))
}

// mayWrite refuses what can be refused without asking the engine.
func (e *engine) mayWrite(project string) error {
	if err := e.mayDelete(project); err != nil {
		return err
	}
	if e.settings.MaxSize > 0 && e.size.Load() > e.settings.MaxSize {
		return fmt.Errorf("%w: it holds %d bytes, more than `max_size` (%d); raise it, or set `retention`",
			store.ErrUnavailable, e.size.Load(), e.settings.MaxSize)
	}
	return nil
}

// mayDelete is the same for what needs no space.
func (e *engine) mayDelete(project string) error {
	switch {
	case project == "":
		return fmt.Errorf("%w: a write needs a project", store.ErrInvalid)
	case e.closing.Err() != nil:
		return errClosed
	default:
		return nil
	}
}

// replace writes the rows of a group in place of those with the same key. Of equal keys in the group the last counts.
func (w *writer) replace(ctx context.Context, tx *sql.Tx, group []*job) error {
	now := w.engine.settings.Now().UTC().Truncate(time.Millisecond)
	last := make(map[string]*sqlstore.ObservationRecord)
	order := make([]string, 0, len(group[0].rows))
	var candidates []string
	for _, j := range group {
		for i := range j.rows {
			r := &j.rows[i]
			r.CreatedAt, r.UpdatedAt = now, now
			key := rowKey(r.Project, r.TraceID, r.ID)
			if _, again := last[key]; !again {
				order = append(order, key)
				if w.engine.seen.mayHave(key) {
					candidates = append(candidates, key)
				}
			}
			last[key] = r
		}
	}
	if err := takeOut(ctx, tx, candidates, last); err != nil {
		return err
	}
	if err := w.appendRows(order, last); err != nil {
		return err
	}
	// Before the commit: a key too many does no harm, a missing one would double a row.
	for _, key := range order {
		w.engine.seen.add(key)
	}
	return nil
}

// takeOut deletes the stored rows with the keys of candidates, and keeps the time at which each was first stored.
func takeOut(ctx context.Context, tx *sql.Tx, candidates []string, rows map[string]*sqlstore.ObservationRecord) error {
	if len(candidates) == 0 {
		return nil
	}
	projects, traces, ids := make([]string, len(candidates)), make([]string, len(candidates)), make([]string, len(candidates))
	for i, key := range candidates {
		projects[i], traces[i], ids[i] = rows[key].Project, rows[key].TraceID, rows[key].ID
	}
	const which = "(project, trace_id, id) IN (SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]))"
	found, err := tx.QueryContext(ctx, "SELECT project, trace_id, id, created_at FROM observations WHERE "+which, projects, traces, ids)
	if err != nil {
		return err
	}
	defer found.Close()
	isThere := false
	for found.Next() {
		var project, traceID, id string
		var createdAt time.Time
		if err := found.Scan(&project, &traceID, &id, &createdAt); err != nil {
			return err
		}
		rows[rowKey(project, traceID, id)].CreatedAt = createdAt.UTC()
		isThere = true
	}
	if err := errors.Join(found.Err(), found.Close()); err != nil || !isThere {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM observations WHERE "+which, projects, traces, ids)
	return err
}

// appendRows writes rows in the given order.
func (w *writer) appendRows(order []string, rows map[string]*sqlstore.ObservationRecord) error {
	ordered := func(yield func(*sqlstore.ObservationRecord) bool) {
		for _, key := range order {
			if !yield(rows[key]) {
				return
			}
		}
	}
	return appendTo(w.conn, "observations", sqlstore.ObservationColumns, ordered)
}

func (e *engine) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	if err := q.Validate(); err != nil {
		return store.ObservationPage{}, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	var page store.ObservationPage
	err := e.read(ctx, func(ctx context.Context) (err error) {
		page, err = sqlstore.ListObservations(ctx, e.db, dialect{}, &q)
		return err
	})
	return page, err
}

func (e *engine) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	if err := e.mayDelete(project); err != nil {
		return err
	}
	// A score of a session has an empty trace id.
	traceIDs = slices.DeleteFunc(slices.Clone(traceIDs), func(id string) bool { return id == "" })
	if len(traceIDs) == 0 {
		return nil
	}
	return e.writeError(ctx, e.writer.submit(ctx, &job{run: func(ctx context.Context, tx *sql.Tx) error {
		const which = " WHERE project = ? AND trace_id IN (SELECT unnest(?::VARCHAR[]))"
		for _, statement := range []string{"DELETE FROM observations" + which, "DELETE FROM scores" + which} {
			if _, err := tx.ExecContext(ctx, statement, project, traceIDs); err != nil {
				return err
			}
		}
		return nil
	}}, 0))
}
