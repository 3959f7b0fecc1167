// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/disk"
)

const (
	// checkpointAt is the size of the log from which it is written into the file. Rows in the log are in memory too, and
	// are read again at the next start; a checkpoint takes time in proportion, and commits wait for it.
	checkpointAt = 32 << 20

	// restAfter is how long nothing must have been written before the file is tidied.
	restAfter = 5 * time.Second

	// A checkpoint begins a new group of rows, so the one before it stays unfinished. DuckDB can merge such groups, and with
	// them those from which rows were deleted, in up to so many tasks at each checkpoint. It reads and compresses all their
	// rows again, while commits wait: beside steady writing that took a quarter of the time and made the longest stalls. At rest
	// it is readers that wait: for 0.3 s after a load of a million rows with 4 tasks, for 1.5 s with 25. After deletions that is
	// the price: with few tasks most of their space would stay taken, since a checkpoint without new rows merges nothing.
	mergesWhileBusy      = 0
	mergesAtRest         = 4
	mergesAfterDeletions = 100
)

// shouldCheckpoint also tells so when the store is full: the log takes many times the space of the same rows in the file,
// and writing it there may make room.
func (e *engine) shouldCheckpoint() bool {
	log := fileSize(e.walPath())
	if log < checkpointAt && (!e.isFull() || log == 0) {
		e.lowDisk.Store(0)
		return false
	}
	// A checkpoint that runs out of space makes DuckDB give up the whole database. So it waits, and writes with it.
	if free, ok := e.roomToCheckpoint(log); !ok {
		if e.lowDisk.Swap(max(free, 1)) == 0 {
			e.settings.Logger.Error("The disk of the store is almost full. Writes are refused until there is room.",
				zap.String("path", e.path), zap.Int64("free_bytes", free), zap.Int64("needed_bytes", 2*log))
		}
		return false
	}
	e.lowDisk.Store(0)
	return true
}

func (e *engine) roomToCheckpoint(log int64) (free int64, ok bool) {
	free = disk.Free(e.settings.Dir)
	return free, free >= 2*log
}

// shouldTidy tells so when nothing was written for a while.
func (e *engine) shouldTidy(g *growth) bool {
	log := fileSize(e.walPath())
	if !g.hasRested(log, time.Now()) {
		return false
	}
	_, ok := e.roomToCheckpoint(log)
	return ok
}

// checkpoint writes the log into the file, beside the writer and the readers.
func (e *engine) checkpoint() { e.checkpointMerging(mergesWhileBusy) }

// tidy does the same, and merges groups of rows that are not full. It takes longer, so it is for quiet times. It is done only while
// nobody else is at work: merging moves rows, and a statement that runs meanwhile may miss some of them.
func (e *engine) tidy() (done bool) {
	if !e.writer.alone.TryLock() {
		return false
	}
	defer e.writer.alone.Unlock()
	if !e.reading.TryLock() {
		return false
	}
	defer e.reading.Unlock()
	tasks := mergesAtRest
	if e.deleted.Load() {
		tasks = mergesAfterDeletions
	}
	if e.checkpointMerging(tasks) {
		e.deleted.Store(false)
	}
	return true
}

func (e *engine) checkpointMerging(tasks int) (ok bool) {
	begin := time.Now()
	if err := e.runCheckpoint(tasks); err != nil {
		e.noteInvalidation(err)
		if e.closing.Err() == nil {
			e.settings.Logger.Warn("Could not write the log of the store into its file; it is tried again.", zap.Error(err))
		}
		return false
	}
	took := time.Since(begin)
	e.settings.Logger.Debug("Wrote the log of the store into its file.", zap.Duration("took", took))
	if e.settings.OnCheckpoint != nil {
		e.settings.OnCheckpoint(took)
	}
	return true
}

func (e *engine) runCheckpoint(merges int) error {
	conn, err := e.db.Conn(e.closing)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(e.closing, fmt.Sprint("SET GLOBAL max_vacuum_tasks = ", merges))
	if err == nil {
		err = execQuietly(conn, "CHECKPOINT "+catalog)
	}
	return errors.Join(err, conn.Close())
}

// growth watches the log for a time without writes.
type growth struct {
	size  int64
	since time.Time
}

// hasRested tells once, for a log with something in it, that it has not grown for a while.
func (g *growth) hasRested(size int64, now time.Time) bool {
	if size != g.size {
		*g = growth{size: size, since: now}
		return false
	}
	if size == 0 || g.since.IsZero() || now.Sub(g.since) < restAfter {
		return false
	}
	g.since = time.Time{}
	return true
}
