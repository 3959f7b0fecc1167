// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import "sync/atomic"

// Budget is a number that many take from and give back to. Who finds it empty is turned away: waiting would only move the
// memory from here to the queue.
type Budget struct {
	size int64
	left atomic.Int64
}

// NewBudget makes a budget of a size.
func NewBudget(size int64) *Budget {
	b := &Budget{size: size}
	b.left.Store(size)
	return b
}

// Take takes a part, or nothing when less is left.
func (b *Budget) Take(part int64) bool {
	if b.left.Add(-part) >= 0 {
		return true
	}
	b.left.Add(part)
	return false
}

// Give gives a part back.
func (b *Budget) Give(part int64) { b.left.Add(part) }
