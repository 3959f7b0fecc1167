// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"errors"
	"os"
	"time"

	"go.uber.org/zap"
)

const (
	// checkpointAt is the size of the log from which it is written into the file. Rows in the log are in memory too, and
	// are read again at the next start; a checkpoint takes time in proportion, and commits wait for it.
	checkpointAt = 32 << 20

	maintenanceInterval = 250 * time.Millisecond
	retentionInterval   = time.Minute
)

// maintain looks after the files in the background: the log, the size, what is too old.
func (e *engine) maintain() {
	ticker := time.NewTicker(maintenanceInterval)
	defer ticker.Stop()
	var lastRetention time.Time
	for {
		if e.broken.Load() {
			e.reopen()
		}
		e.measure()
		e.secureFiles()
		if e.settings.Retention > 0 && time.Since(lastRetention) >= retentionInterval {
			lastRetention = time.Now()
			e.deleteExpired()
		}
		for waiting := true; waiting; {
			if e.shouldCheckpoint() {
				e.checkpoint()
			}
			select {
			case <-e.closing.Done():
				return
			case <-ticker.C:
				waiting = false
			case <-e.committed:
			}
		}
	}
}

// shouldCheckpoint also tells so when the store is full: the log takes many times the space of the same rows in the file,
// and writing it there may make room.
func (e *engine) shouldCheckpoint() bool {
	log := fileSize(e.walPath())
	if log < checkpointAt && (!e.isFull() || log == 0) {
		e.lowDisk.Store(0)
		return false
	}
	// A checkpoint that runs out of space makes DuckDB give up the whole database. So it waits, and writes with it.
	if free := freeSpace(e.settings.Dir); free < 2*log {
		if e.lowDisk.Swap(max(free, 1)) == 0 {
			e.settings.Logger.Error("The disk of the store is almost full. Writes are refused until there is room.",
				zap.String("path", e.path), zap.Int64("free_bytes", free), zap.Int64("needed_bytes", 2*log))
		}
		return false
	}
	e.lowDisk.Store(0)
	return true
}

func (e *engine) isFull() bool { return e.settings.MaxSize > 0 && e.used.Load() > e.settings.MaxSize }

// measure looks at how much the files hold. Blocks of deleted rows do not count: new rows go there first.
func (e *engine) measure() {
	var used int64
	err := e.db.QueryRowContext(e.closing, "SELECT block_size * used_blocks FROM pragma_database_size() WHERE database_name = ?", catalog).Scan(&used)
	if err != nil {
		used = fileSize(e.path)
	}
	e.used.Store(used + fileSize(e.walPath()))
}

func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// checkpoint writes the log into the file, beside the writer and the readers.
func (e *engine) checkpoint() {
	begin := time.Now()
	if err := e.runCheckpoint(); err != nil {
		e.noteInvalidation(err)
		if e.closing.Err() == nil {
			e.settings.Logger.Warn("Could not write the log of the store into its file; it is tried again.", zap.Error(err))
		}
		return
	}
	took := time.Since(begin)
	e.settings.Logger.Debug("Wrote the log of the store into its file.", zap.Duration("took", took))
	if e.settings.OnCheckpoint != nil {
		e.settings.OnCheckpoint(took)
	}
}

func (e *engine) runCheckpoint() error {
	conn, err := e.db.Conn(e.closing)
	if err != nil {
		return err
	}
	return errors.Join(execQuietly(conn, "CHECKPOINT "+catalog), conn.Close())
}
