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

// Checkpoints beside steady writing leave groups of rows as they are; in a quiet time they are merged.
func TestTidyMergesGroupsOfRows(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	const rounds, rows = 5, 100
	for round := range rounds {
		require.NoError(t, e.WriteObservations(t.Context(), project, observations(round*rows, rows, noon.Add(time.Duration(round)*time.Minute))))
		e.checkpoint()
	}
	assert.Equal(t, rounds, rowGroups(t, e))

	require.NoError(t, e.WriteObservations(t.Context(), project, observations(rounds*rows, rows, noon)))
	e.tidy()
	assert.Equal(t, 1, rowGroups(t, e))
	assert.Len(t, list(t, e, query.Observations{Limit: 1_000}), (rounds+1)*rows)
}

// What was deleted is gone from the file too, at the latest in a quiet time.
func TestTidyForgetsDeletedRows(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	const rows = 4_000
	written := observations(0, rows, noon)
	for i := range written {
		written[i].Input = incompressible(4000)
	}
	require.NoError(t, e.WriteObservations(t.Context(), project, written))
	e.checkpoint()
	var traces []string
	for i := range written {
		if i%4 != 0 {
			traces = append(traces, written[i].TraceID)
		}
	}
	e.measure()
	before := e.used.Load()
	require.NoError(t, e.DeleteTraces(t.Context(), project, traces))
	e.tidy()
	e.tidy() // blocks are free for others after the next checkpoint
	e.measure()
	assert.Less(t, e.used.Load(), before/2)
}

func TestGrowth(t *testing.T) {
	var g growth
	assert.False(t, g.hasRested(0, noon), "an empty log")
	assert.False(t, g.hasRested(0, noon.Add(time.Hour)))
	assert.False(t, g.hasRested(10, noon), "it has just grown")
	assert.False(t, g.hasRested(10, noon.Add(restAfter-1)))
	assert.False(t, g.hasRested(20, noon.Add(restAfter)), "it has grown again")
	assert.True(t, g.hasRested(20, noon.Add(2*restAfter)))
	assert.False(t, g.hasRested(20, noon.Add(9*restAfter)), "it was told already")
	assert.False(t, g.hasRested(0, noon.Add(9*restAfter)))
}

func rowGroups(t *testing.T, e *engine) (n int) {
	t.Helper()
	require.NoError(t, e.db.QueryRowContext(t.Context(), "SELECT count(DISTINCT row_group_id) FROM pragma_storage_info('observations')").Scan(&n))
	return n
}

// Deleting leaves holes in many groups, more than are merged after a load.
func TestManyHolesAreClosedAtOnce(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	const groups, traces = 20, 4
	rows := observations(0, groups*rowGroup, noon)
	for i := range rows {
		rows[i].TraceID = fmt.Sprint("trace-", i%traces)
	}
	require.NoError(t, e.WriteObservations(t.Context(), project, rows))
	require.Eventually(t, e.tidy, 10*time.Second, time.Millisecond)
	require.False(t, e.deleted.Load())
	require.GreaterOrEqual(t, rowGroups(t, e), groups)
	require.NoError(t, e.DeleteTraces(t.Context(), project, []string{"trace-0", "trace-1", "trace-2"}))
	require.Eventually(t, e.tidy, 10*time.Second, time.Millisecond)
	assert.LessOrEqual(t, rowGroups(t, e), groups/traces+1)
}

// Merging moves rows: who reads or writes meanwhile could miss some of them.
func TestNothingIsMergedUnderAReaderOrWriter(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir()})
	e.reading.RLock()
	assert.False(t, e.tidy())
	e.reading.RUnlock()
	e.writer.alone.RLock()
	assert.False(t, e.tidy())
	e.writer.alone.RUnlock()
	require.Eventually(t, e.tidy, 10*time.Second, time.Millisecond) // opening has read the file
}
