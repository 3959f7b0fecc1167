// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"sync"

	"github.com/bits-and-blooms/bloom/v3"
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
	keys   filter
	loaded bool // until all stored keys are in, everything may be there
	// next takes the place of keys when it has all stored keys; nil while there is none in the making.
	next *filter
}

// filter is a Bloom filter that grows in layers.
type filter struct {
	layers []*bloom.BloomFilter
	left   uint // how many keys the newest layer still takes
	count  int64
}

// reserve adds keys, and tells whether any of them may have been there before. It is one step, so that of two writers
// with the same new key only one takes it for new.
func (s *seen) reserve(keys []string) (mayHave bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mayHave = !s.loaded
	for _, key := range keys {
		if !s.keys.add(key) {
			mayHave = true
		}
		if s.next != nil {
			s.next.add(key)
		}
	}
	return mayHave
}

// renew begins a new filter, since keys of deleted rows stay in the old one. No write may be under way that has reserved its
// keys and has not committed yet: they would be in neither the new filter nor what is read from the file.
func (s *seen) renew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = &filter{}
}

// load adds keys that are stored to the new filter.
func (s *seen) load(keys []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.next.add(key)
	}
}

// setLoaded puts the new filter to use.
func (s *seen) setLoaded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys, s.next, s.loaded = *s.next, nil, true
}

// isStale tells whether most keys are those of rows that are no longer there.
func (s *seen) isStale(rows int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loaded && s.next == nil && s.keys.count > 2*rows+firstLayer
}

// add adds a key, and tells whether it was new.
func (f *filter) add(key string) (isNew bool) {
	full := f.layers
	if f.left > 0 {
		full = f.layers[:len(f.layers)-1]
	}
	if anyHas(full, key) {
		return false
	}
	if f.left == 0 {
		f.left = firstLayer << len(f.layers)
		f.layers = append(f.layers, bloom.NewWithEstimates(f.left, falsePositives))
	}
	if f.layers[len(f.layers)-1].TestOrAddString(key) {
		return false
	}
	f.left--
	f.count++
	return true
}

func anyHas(layers []*bloom.BloomFilter, key string) bool {
	for _, layer := range layers {
		if layer.TestString(key) {
			return true
		}
	}
	return false
}
