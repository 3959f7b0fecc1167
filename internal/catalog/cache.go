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
	values, err := c.getAll([]K{key}, func([]K) (map[K]V, error) {
		value, err := read()
		return map[K]V{key: value}, err
	})
	return values[key], err
}

// getAll is get for many keys: read is asked once for all those that are not remembered, if there are any. What it does not
// find is remembered too, as the zero value.
func (c *cache[K, V]) getAll(keys []K, read func([]K) (map[K]V, error)) (map[K]V, error) {
	values := make(map[K]V, len(keys))
	var missing []K
	now := c.now()
	c.mu.Lock()
	for _, key := range keys {
		if entry, ok := c.entries[key]; ok && now.Before(entry.until) {
			values[key] = entry.value
		} else {
			missing = append(missing, key)
		}
	}
	changes := c.changes
	c.mu.Unlock()
	if len(missing) == 0 {
		return values, nil
	}
	found, err := read(missing)
	for _, key := range missing {
		values[key] = found[key]
	}
	if err != nil {
		return values, err
	}
	until := c.now().Add(c.refresh)
	c.mu.Lock()
	defer c.mu.Unlock()
	if changes != c.changes {
		return values, nil
	}
	for _, key := range missing {
		c.put(key, cached[V]{found[key], until})
	}
	return values, nil
}

// put remembers an entry; the caller has the lock.
func (c *cache[K, V]) put(key K, entry cached[V]) {
	if _, there := c.entries[key]; !there && len(c.entries) >= maxCached {
		for other := range c.entries { // any one makes room
			delete(c.entries, other)
			break
		}
	}
	c.entries[key] = entry
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
