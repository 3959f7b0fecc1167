// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing // import "github.com/weirhq/weir/internal/pricing"

import (
	"strings"
	"sync"
)

// Names of models come from outside: their number and length must be bounded, or a client could fill the memory.
const (
	maxCachedNames  = 4096
	maxCachedLength = 256
)

// matchCache remembers which model a name means, nil included. The zero value is ready.
type matchCache struct {
	mu     sync.RWMutex
	models map[string]*Model
}

func (c *matchCache) get(name string) (m *Model, ok bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	m, ok = c.models[name]
	return m, ok
}

// put remembers a name. When the cache is full, any other one makes room: names in use come back at once, and no
// order has to be kept on the way of a hit.
func (c *matchCache) put(name string, m *Model) {
	if len(name) > maxCachedLength {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.models == nil {
		c.models = make(map[string]*Model)
	}
	if _, there := c.models[name]; !there && len(c.models) >= maxCachedNames {
		for other := range c.models {
			delete(c.models, other)
			break
		}
	}
	// A clone, because the name may be a piece of a whole request.
	c.models[strings.Clone(name)] = m
}
