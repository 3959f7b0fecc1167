// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/turns"
)

const (
	// maxGroupRows is how many rows go into one commit. A commit waits for the disk, so rows of all who wait share one.
	maxGroupRows = 8192
	// maxGroupBytes is the same for large rows: the first of a group waits until the last is written.
	maxGroupBytes = 8 << 20
	// enoughRows and enoughBytes are worth a commit of their own beside one that is under way.
	enoughRows, enoughBytes = 1024, 1 << 20
	// maxWaiting bounds the bytes of the rows that wait to be written; who comes on top waits before handing them over.
	maxWaiting = 64 << 20
	// writingHands is how many commits are prepared at the same time. More than two gain nothing: a commit itself is one at
	// a time.
	writingHands = 2
)

// job is one call that changes the store.
type job struct {
	project string
	rows    []model.Observation
	// run is anything but writing observations; it gets the file to itself.
	run func(context.Context, *sql.Tx, *sql.Conn) error
}

// turn is a job that waits.
type turn = turns.Turn[*job]

// writer is all that changes the file. Jobs that only add rows run side by side; DuckDB lets them. Everything else, such as
// replacing a row, has the file to itself: DuckDB refuses transactions that run into each other.
type writer struct {
	*turns.Queue[*job]
	engine *engine
	// alone is held for writing by who must be alone, for reading by all others.
	alone sync.RWMutex
	// lead is taken by the hand that commits whatever waits. The others wait until there is enough: a commit has a price of
	// its own, however little is in it.
	lead  chan struct{}
	hands []*hand
}

// hand is one goroutine of the writer with its connection.
type hand struct {
	*writer
	conn         *sql.Conn
	observations chunk
	leads        bool
}

func newWriter(e *engine) *writer {
	w := &writer{Queue: turns.New[*job](e.settings.WriteWait, maxWaiting, e.closing.Done()), engine: e, lead: make(chan struct{}, 1)}
	for range writingHands {
		w.hands = append(w.hands, &hand{writer: w})
	}
	return w
}

// connect gives every hand a connection.
func (w *writer) connect(ctx context.Context) error {
	for _, h := range w.hands {
		var err error
		if h.conn, err = w.engine.db.Conn(ctx); err != nil {
			return errors.Join(err, w.disconnect())
		}
	}
	return nil
}

// disconnect leaves nothing open; it may be called at any time between jobs.
func (w *writer) disconnect() error {
	var errs []error
	for _, h := range w.hands {
		h.observations.close()
		if h.conn != nil {
			errs = append(errs, h.conn.Close())
		}
		h.conn = nil
	}
	return errors.Join(errs...)
}

// run takes jobs until the engine closes.
func (h *hand) run() {
	var next *turn
	for {
		first := next
		next = nil
		if first == nil {
			select {
			case first = <-h.Next():
			case <-h.engine.closing.Done():
				return
			}
		}
		if !first.Take() {
			continue
		}
		if first.Work.run != nil {
			first.End(h.runAlone(first))
			continue
		}
		var group []*turn
		group, next = h.group(first)
		h.write(group)
		h.follow()
	}
}

func (h *hand) runAlone(t *turn) error {
	h.alone.Lock()
	defer h.alone.Unlock()
	// A transaction whose context ends takes its connection with it, and that is ours to keep.
	return h.transaction(context.WithoutCancel(t.Context), func(ctx context.Context, tx *sql.Tx) error { return t.Work.run(ctx, tx, h.conn) })
}

// group adds to a job all others that wait to write observations, up to a limit. While another hand leads it also waits for
// those that are about to come, until there is enough for a commit. The first that it cannot add comes back.
func (h *hand) group(first *turn) (group []*turn, next *turn) {
	group, rows, bytes := []*turn{first}, len(first.Work.rows), first.Bytes
	for rows < maxGroupRows && bytes < maxGroupBytes {
		t, waiting := h.another(rows >= enoughRows || bytes >= enoughBytes)
		switch {
		case !waiting:
			return group, nil
		case t.Work.run != nil:
			return group, t
		case t.Take():
			group = append(group, t)
			rows += len(t.Work.rows)
			bytes += t.Bytes
		}
	}
	return group, nil
}

// another gives a job that waits, if there is one. Unless there is enough already, a hand looks for more until it leads.
func (h *hand) another(enough bool) (_ *turn, waiting bool) {
	select {
	case t := <-h.Next():
		return t, true
	default:
	}
	if enough || h.leads {
		return nil, false
	}
	select {
	case t := <-h.Next():
		return t, true
	case h.lead <- struct{}{}:
		h.leads = true
		return nil, false
	}
}

// follow lets another hand lead.
func (h *hand) follow() {
	if h.leads {
		<-h.lead
		h.leads = false
	}
}

// write commits a group. When that fails, each job is tried by itself, so that nobody fails for somebody else.
func (h *hand) write(group []*turn) {
	// The context of one caller must not end the commit of the others.
	err := h.writeRows(context.WithoutCancel(group[0].Context), lastRows(group, h.engine.settings.Now()))
	if err != nil && len(group) > 1 {
		for i := range group {
			h.write(group[i : i+1])
		}
		return
	}
	for _, t := range group {
		t.End(err)
	}
	select {
	case h.engine.committed <- struct{}{}:
	default: // it was told already
	}
}

// addition runs f in a transaction that only adds rows.
func (h *hand) addition(f func() error) (err error) {
	if h.conn == nil {
		return errReopening
	}
	if err := execQuietly(h.conn, "BEGIN TRANSACTION"); err != nil {
		return err
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = h.unforeseen(cause)
		}
		if err != nil {
			_ = execQuietly(h.conn, "ROLLBACK") // a failed commit has ended the transaction already
		}
	}()
	if err := f(); err != nil {
		return err
	}
	return execQuietly(h.conn, "COMMIT")
}

// unforeseen makes an error of a panic: one over one batch must not end the process, and with it everything that others
// wait for.
func (h *hand) unforeseen(cause any) error {
	h.engine.settings.Logger.Error("A write to the store failed in an unforeseen way.", zap.Any("panic", cause), zap.Stack("stack"))
	return fmt.Errorf("%w: it cannot be stored: %v", store.ErrInvalid, cause)
}

// transaction runs f in a transaction, all or nothing.
func (h *hand) transaction(ctx context.Context, f func(context.Context, *sql.Tx) error) (err error) {
	if h.conn == nil {
		return errReopening
	}
	tx, err := h.conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() {
		if cause := recover(); cause != nil {
			err = errors.Join(h.unforeseen(cause), ignoreDone(tx.Rollback()))
		}
	}()
	if err := f(ctx, tx); err != nil {
		return errors.Join(err, ignoreDone(tx.Rollback()))
	}
	return tx.Commit()
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}
