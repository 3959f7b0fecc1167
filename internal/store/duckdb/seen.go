// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"strconv"
	"sync"
	"time"

	"github.com/bits-and-blooms/bloom/v3"
	"go.uber.org/zap"
)

const (
	// firstLayer is how many keys the first layer holds; each further one holds twice as many.
	firstLayer = 1 << 18
	// falsePositives is the rate at which a new row is looked up for nothing. A look-up reads the keys of the whole
	// table, so it must be rare even among the hundreds of rows of a batch. It costs three bytes a row.
	falsePositives = 1e-5
)

// seen tells which rows may already be stored, so that replacing costs nothing while there is nothing to replace. It may
// say yes for a row that is not there, and never no for one that is.
type seen struct {
	mu     sync.Mutex
	layers []*bloom.BloomFilter
	left   uint // how many keys the newest layer still takes
	loaded bool // until all stored keys are in, everything may be there
}

// rowKey names a row in the filter. The lengths keep the parts apart, whatever is in them.
func rowKey(project, traceID, id string) string {
	return strconv.Itoa(len(project)) + ":" + strconv.Itoa(len(traceID)) + ":" + project + traceID + id
}

// reserve adds keys, and tells whether any of them may have been there before. It is one step, so that of two writers
// with the same new key only one takes it for new.
func (s *seen) reserve(keys []string) (mayHave bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mayHave = !s.loaded
	for _, key := range keys {
		if s.has(key) {
			mayHave = true
		} else {
			s.add(key)
		}
	}
	return mayHave
}

// load adds a key that is stored.
func (s *seen) load(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.has(key) {
		s.add(key)
	}
}

func (s *seen) add(key string) {
	if s.left == 0 {
		s.left = firstLayer << len(s.layers)
		s.layers = append(s.layers, bloom.NewWithEstimates(s.left, falsePositives))
	}
	s.layers[len(s.layers)-1].AddString(key)
	s.left--
}

func (s *seen) has(key string) bool {
	for _, layer := range s.layers {
		if layer.TestString(key) {
			return true
		}
	}
	return false
}

func (s *seen) setLoaded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loaded = true
}

// seenRetry is how long to wait before the file is read again after a failure.
const seenRetry = 10 * time.Second

// loadSeen fills the filter from the file. Rows that are written meanwhile are added by the writer.
func (e *engine) loadSeen() {
	for {
		err := e.readKeys()
		if err == nil {
			e.seen.setLoaded()
			return
		}
		if e.closing.Err() == nil {
			e.settings.Logger.Warn("Could not read which rows are stored; it is tried again. Writing goes on, but slower.", zap.Error(err))
		}
		select {
		case <-e.closing.Done():
			return
		case <-time.After(seenRetry):
		}
	}
}

func (e *engine) readKeys() error {
	rows, err := e.db.QueryContext(e.closing, "SELECT project, trace_id, id FROM observations")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var project, traceID, id string
		if err := rows.Scan(&project, &traceID, &id); err != nil {
			return err
		}
		e.seen.load(rowKey(project, traceID, id))
	}
	return rows.Err()
}
