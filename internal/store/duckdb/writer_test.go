// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// A hand waits for enough rows while another one leads, and commits what there is when none does.
func TestRowsAreGatheredWhileAnotherHandLeads(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	w := newWriter(e) // with nobody at work
	h := &hand{writer: w}
	var senders sync.WaitGroup
	send := func(rows int) {
		senders.Go(func() {
			assert.NoError(t, w.Submit(t.Context(), &job{rows: make([]model.Observation, rows)}, 1))
		})
	}
	gather := func() []*turn {
		first := <-w.Next()
		require.True(t, first.Take())
		group, next := h.group(first)
		require.Nil(t, next)
		for _, turn := range group {
			turn.End(nil)
		}
		return group
	}

	send(1)
	assert.Len(t, gather(), 1, "nobody leads")
	assert.True(t, h.leads)
	h.follow()

	w.lead <- struct{}{} // somebody else
	send(enoughRows / 2)
	send(enoughRows / 2)
	assert.Len(t, gather(), 2, "enough")
	assert.False(t, h.leads)

	send(1)
	senders.Go(func() { <-w.lead })
	assert.Len(t, gather(), 1, "nobody leads any more")
	assert.True(t, h.leads)
	senders.Wait()
}
