// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
	"github.com/weirhq/weir/internal/store/turns"
)

func (e *engine) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	if err := e.mayWrite(project); err != nil || len(rows) == 0 {
		return err
	}
	var bytes int64
	for i := range rows {
		if rows[i].TraceID == "" || rows[i].ID == "" {
			return fmt.Errorf("%w: an observation needs a trace id and an id", store.ErrInvalid)
		}
		bytes += weigh(&rows[i])
	}
	return e.writeError(ctx, e.writer.Submit(ctx, &job{project: project, rows: rows}, bytes))
}

// mayWrite refuses what can be refused without asking the engine.
func (e *engine) mayWrite(project string) error {
	if err := e.mayDelete(project); err != nil {
		return err
	}
	if e.isFull() {
		return fmt.Errorf("%w: it holds %d bytes, more than `max_size` (%d); raise it, or set `retention`",
			store.ErrUnavailable, e.used.Load(), e.settings.MaxSize)
	}
	if free := e.lowDisk.Load(); free > 0 {
		return fmt.Errorf("%w: the disk of %s has only %d bytes free; make room", store.ErrUnavailable, e.path, free)
	}
	return nil
}

// mayDelete is the same for what needs no space.
func (e *engine) mayDelete(project string) error {
	switch {
	case project == "":
		return fmt.Errorf("%w: a write needs a project", store.ErrInvalid)
	case e.closing.Err() != nil:
		return turns.ErrClosed
	default:
		return nil
	}
}

// writeRows commits rows: beside others if all of them are new, else alone, in place of those that are there.
func (h *hand) writeRows(ctx context.Context, b *batch) error {
	if added, err := h.addNew(b); added || err != nil {
		return err
	}
	return h.replace(ctx, b)
}

// addNew adds rows if all of them are new.
func (h *hand) addNew(b *batch) (added bool, _ error) {
	h.alone.RLock()
	defer h.alone.RUnlock()
	// Reserved before they are committed: a key too many does no harm, a missing one would double a row.
	if h.engine.seen.reserve(b.keys) {
		return false, nil
	}
	return true, h.addition(func() error { return h.append(b) })
}

// replace writes rows in place of those that are there.
func (h *hand) replace(ctx context.Context, b *batch) error {
	h.alone.Lock()
	defer h.alone.Unlock()
	// Also if they were reserved before: a new filter may have been begun since, which reads the file while they are not in it.
	h.engine.seen.reserve(b.keys)
	return h.transaction(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Every key is looked up, since somebody may have written one that was new a moment ago.
		found, err := takeOut(ctx, tx, b)
		if err != nil {
			return err
		}
		if found {
			h.engine.deleted.Store(true)
		}
		return h.append(b)
	})
}

func (h *hand) append(b *batch) error {
	return appendThrough(&h.observations, h.conn, "observations", sqlstore.ObservationColumns, b.records)
}

func (e *engine) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	return answer(ctx, e, &q, sqlstore.ListObservations)
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
	return e.writeError(ctx, e.writer.Submit(ctx, &job{run: func(ctx context.Context, tx *sql.Tx, _ *sql.Conn) error {
		const which = " WHERE project = ? AND trace_id IN (SELECT unnest(?::VARCHAR[]))"
		for _, statement := range []string{"DELETE FROM observations" + which, "DELETE FROM scores" + which} {
			if _, err := tx.ExecContext(ctx, statement, project, traceIDs); err != nil {
				return err
			}
		}
		e.deleted.Store(true)
		return nil
	}}, 0))
}
