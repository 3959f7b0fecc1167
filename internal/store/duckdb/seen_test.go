// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
)

func TestSeen(t *testing.T) {
	s := &seen{}
	assert.True(t, s.reserve([]string{"x"}), "until everything is loaded, anything may be there")
	s.renew()
	s.reserve([]string{"while loading"})
	s.load([]string{"stored"})
	s.setLoaded()
	assert.True(t, s.reserve([]string{"y", "stored"}))
	count := s.keys.count
	assert.True(t, s.reserve([]string{"stored", "y", "stored"}))
	assert.Equal(t, count, s.keys.count, "a key that is there takes no place")
	assert.True(t, s.reserve([]string{"while loading"}))
	assert.False(t, s.reserve([]string{"x"}), "it was reserved before the new filter was begun, and never stored")
	assert.False(t, s.reserve([]string{"z"}))
}

func TestFilter(t *testing.T) {
	var f filter
	const n = 3 * firstLayer
	for i := range n {
		f.add(fmt.Sprint("key-", i))
	}
	wrong := 0
	for i := range n {
		require.True(t, anyHas(f.layers, fmt.Sprint("key-", i)))
		if anyHas(f.layers, fmt.Sprint("other-", i)) {
			wrong++
		}
	}
	assert.Less(t, wrong, 60, "of %d", n)
	assert.InDelta(t, n, f.count, 60)
}

// However many slices it takes, every stored key is read, those with equal times too.
func TestKeysAreReadInSlices(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 1000, noon)))
	same := observations(5000, 1000, noon)
	for i := range same {
		same[i].Start = noon
	}
	require.NoError(t, e.WriteObservations(t.Context(), project, same))
	bounds, err := e.sliceBounds(100)
	require.NoError(t, err)
	require.Greater(t, len(bounds), 5)

	e.seen = &seen{}
	e.seen.renew()
	require.NoError(t, e.readKeys(100))
	e.seen.setLoaded()
	assert.EqualValues(t, 2000, e.seen.keys.count)
	for _, row := range append(observations(0, 1000, noon), same...) {
		require.True(t, anyHas(e.seen.keys.layers, rowKey(project, row.TraceID, row.ID)))
	}
}

// A new filter may be begun, and filled from the file, between the two looks of a write that waits to be alone. Its keys are
// in the new filter all the same; else the next writer of the same row would double it.
func TestKeysOutliveANewFilter(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	h := &hand{writer: e.writer}
	var err error
	h.conn, err = e.db.Conn(t.Context())
	require.NoError(t, err)
	defer func() {
		h.observations.close()
		require.NoError(t, h.conn.Close())
	}()
	b := lastRows([]*turn{{Work: &job{project: project, rows: observations(0, 3, noon)}}}, noon)

	require.Eventually(t, func() bool { // opening has read the file
		e.seen.mu.Lock()
		defer e.seen.mu.Unlock()
		wasLoaded := e.seen.loaded
		e.seen.loaded = false
		return wasLoaded
	}, 10*time.Second, time.Millisecond)
	added, err := h.addNew(b)
	require.NoError(t, err)
	require.False(t, added, "anything may be there")
	e.loadSeen()
	require.NoError(t, h.replace(t.Context(), b))
	assert.True(t, e.seen.reserve(b.keys[:1]))
	require.NoError(t, h.writeRows(t.Context(), b))
	assert.Len(t, list(t, e, query.Observations{}), 3)
}
