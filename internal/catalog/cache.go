// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"sync"
	"time"
)

// maxCached bounds a cache: its keys come from outside.
const maxCached = 10_000

// cache remembers what is asked for again and again, for a while.
type cache[K comparable, V any] struct {
	now     func() time.Time
	refresh time.Duration

	mu      sync.Mutex
	entries map[K]cached[V]
	// changes counts what was forgotten, so that a value that was read before is not remembered after it.
	changes int
}

type cached[V any] struct {
	value V
	until time.Time
}

func newCache[K comparable, V any](options Options) *cache[K, V] {
	return &cache[K, V]{now: options.Now, refresh: options.Refresh, entries: map[K]cached[V]{}}
}

// get gives what is remembered, or else what read finds, and remembers that. Errors are not remembered.
func (c *cache[K, V]) get(key K, read func() (V, error)) (V, error) {
	c.mu.Lock()
	entry, ok := c.entries[key]
	changes := c.changes
	c.mu.Unlock()
	if ok && c.now().Before(entry.until) {
		return entry.value, nil
	}
	value, err := read()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if changes != c.changes {
		return value, nil
	}
	if _, there := c.entries[key]; !there && len(c.entries) >= maxCached {
		for other := range c.entries { // any one makes room
			delete(c.entries, other)
			break
		}
	}
	c.entries[key] = cached[V]{value, c.now().Add(c.refresh)}
	return value, nil
}

// peek gives what is remembered, however old.
func (c *cache[K, V]) peek(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.entries[key]
	return entry.value, ok
}

// forget forgets all keys for which which holds.
func (c *cache[K, V]) forget(which func(K) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	for key := range c.entries {
		if which(key) {
			delete(c.entries, key)
		}
	}
}
