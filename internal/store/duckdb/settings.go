// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"runtime"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store/turns"
)

// Settings of the engine. Zero values stand for the defaults.
type Settings struct {
	// Dir is the folder of the database file; it is made if it is not there.
	Dir string
	// MemoryLimit bounds the memory of DuckDB, in bytes.
	MemoryLimit int64
	// Threads is how many cores DuckDB uses; 0 is all.
	Threads int
	// QueryTimeout bounds a read.
	QueryTimeout time.Duration
	// WriteWait bounds how long a write waits for its turn.
	WriteWait time.Duration
	// MaxSize is the largest size of the files in bytes; writes are refused above it. 0 is no limit.
	MaxSize int64
	// Retention is how long an observation is kept after its start, and a score after its time; 0 is for ever.
	Retention time.Duration

	Logger *zap.Logger
	// OnCheckpoint, if set, is told how long it took to write the log into the file.
	OnCheckpoint func(time.Duration)
	// Now gives the time, for tests.
	Now func() time.Time
}

const (
	defaultMemoryLimit  = 512 << 20
	defaultQueryTimeout = 30 * time.Second
)

func (s Settings) withDefaults() Settings {
	if s.MemoryLimit == 0 {
		s.MemoryLimit = defaultMemoryLimit
	}
	if s.Threads == 0 {
		s.Threads = runtime.GOMAXPROCS(0)
	}
	if s.QueryTimeout == 0 {
		s.QueryTimeout = defaultQueryTimeout
	}
	if s.WriteWait == 0 {
		s.WriteWait = turns.DefaultWait
	}
	if s.Logger == nil {
		s.Logger = zap.NewNop()
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	return s
}
