// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"os"
	"time"
)

const (
	maintenanceInterval = 250 * time.Millisecond
	retentionInterval   = time.Minute
)

// maintain looks after the files in the background: the log, the size, what is too old.
func (e *engine) maintain() {
	ticker := time.NewTicker(maintenanceInterval)
	defer ticker.Stop()
	var lastRetention time.Time
	var log growth
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
		if e.shouldTidy(&log) && !e.tidy() {
			log.since = time.Now() // once more after another rest
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
