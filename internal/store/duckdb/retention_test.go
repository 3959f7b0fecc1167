// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

func TestRetention(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), Retention: 24 * time.Hour, Now: func() time.Time { return noon }})
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 20, noon.Add(-25*time.Hour))))
	for i := range 10 { // years apart, and several slices in a day
		require.NoError(t, e.WriteObservations(t.Context(), project, observations(1000+i*10, 1, noon.AddDate(-i, 0, -2))))
		require.NoError(t, e.WriteObservations(t.Context(), project, observations(2000+i*10, 1, noon.Add(-time.Duration(30+7*i)*time.Hour))))
	}
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(100, 5, noon.Add(-23*time.Hour))))
	e.deleteExpired()
	assert.Len(t, list(t, e, query.Observations{}), 5)
}

func TestRetentionFreesSpaceForNewRows(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), Retention: 24 * time.Hour, Now: func() time.Time { return noon }})
	write := func(first, n int, start time.Time) {
		rows := observations(first, n, start)
		for i := range rows {
			rows[i].Input = incompressible(1000)
		}
		require.NoError(t, e.WriteObservations(t.Context(), project, rows))
	}
	write(0, 20_000, noon.Add(-30*time.Hour))
	write(50_000, 2_000, noon.Add(-time.Hour))
	e.checkpoint()
	before := fileSize(e.path)
	for round := 1; round <= 10; round++ {
		e.deleteExpired()
		write(round*100_000, 20_000, noon.Add(-30*time.Hour))
		e.checkpoint()
	}
	assert.Less(t, fileSize(e.path), before*3, "eleven times the rows went through it")
}

// Scores are deleted by their own time, whatever they judge.
func TestRetentionOfScores(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), Retention: 24 * time.Hour, Now: func() time.Time { return noon }})
	score := func(id string, at time.Time) model.Score {
		return model.Score{
			ID: id, Name: "n", DataType: model.ScoreNumeric, TraceID: "t", Source: model.ScoreFromAPI, Environment: "default", Timestamp: at,
		}
	}
	require.NoError(t, e.WriteScores(t.Context(), project, []model.Score{
		score("years", noon.AddDate(-3, 0, 0)), score("old", noon.Add(-25*time.Hour)), score("new", noon.Add(-23*time.Hour)),
	}))
	e.deleteExpired()
	left, err := e.ScoresByID(t.Context(), project, []string{"years", "old", "new"})
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.Equal(t, "new", left[0].ID)
}

// A file most of which is free is smaller after the next start, and has all that it had.
func TestOpeningGivesFreeSpaceBack(t *testing.T) {
	dir := t.TempDir()
	settings := Settings{Dir: dir, Retention: 24 * time.Hour, Now: func() time.Time { return noon }}
	e := open(t, settings)
	write := func(first, n int, start time.Time) {
		rows := observations(first, n, start)
		for i := range rows {
			rows[i].Input = incompressible(4000)
		}
		require.NoError(t, e.WriteObservations(t.Context(), project, rows))
	}
	write(0, 20_000, noon.Add(-30*time.Hour))
	e.checkpoint()
	write(50_000, 300, noon.Add(-time.Hour)) // behind what is deleted, so that the file cannot just be cut off
	e.checkpoint()
	e.deleteExpired()
	want := list(t, e, query.Observations{Groups: query.GroupAll})
	before := fileSize(e.path)
	require.Greater(t, before, int64(compactFrom))
	require.NoError(t, e.Close(t.Context()))
	// What a process left that was killed in the middle of this.
	require.NoError(t, os.WriteFile(e.path+".new", []byte("half a file"), 0o600))

	again := open(t, settings)
	assert.Less(t, fileSize(again.path), before/4)
	assert.NoFileExists(t, again.path+".new")
	assert.Equal(t, want, list(t, again, query.Observations{Groups: query.GroupAll}))
	require.NoError(t, again.WriteObservations(t.Context(), project, observations(50_000, 10, noon)), "rows are still replaced")
	stats, err := again.Stats(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	assert.EqualValues(t, 300, stats.Observations)
}

// After most rows have been deleted, the filter is made anew, and still knows the others.
func TestRetentionRenewsTheFilter(t *testing.T) {
	e := open(t, Settings{Dir: t.TempDir(), Retention: 24 * time.Hour, Now: func() time.Time { return noon }})
	require.Eventually(t, func() bool { return !e.seen.reserve(nil) }, 30*time.Second, time.Millisecond, "loaded")
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 100, noon.Add(-time.Hour))))
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(1000, 10, noon.Add(-30*time.Hour))))
	for i := range 2 * firstLayer { // as if so many rows had come and gone
		e.seen.reserve([]string{rowKey(project, "gone", string(rune(i)))})
	}
	e.deleteExpired()
	require.Eventually(t, func() bool {
		e.seen.mu.Lock()
		defer e.seen.mu.Unlock()
		return e.seen.next == nil && e.seen.keys.count == 100
	}, 30*time.Second, time.Millisecond)
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 100, noon.Add(-time.Minute))))
	assert.Len(t, list(t, e, query.Observations{}), 100)
}
