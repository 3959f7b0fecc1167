// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package langfusestoreextension

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// The collector stops and starts everything anew when its configuration changes, in the same process: what was written
// must be there, and the file must be free.
func TestRestartOnTheSamePath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for round := range 3 {
		h := newHarness(t)
		e := h.create(configWith(at(dir)))
		require.NoError(t, e.Start(t.Context(), h.host))
		id := string(rune('a' + round))
		require.NoError(t, e.Store().WriteObservations(t.Context(), project, []model.Observation{observation(id)}))
		require.NoError(t, e.Store().WriteScores(t.Context(), project, []model.Score{score(id)}))
		page, err := e.Store().ListObservations(t.Context(), query.Observations{Project: project, Limit: 10})
		require.NoError(t, err)
		assert.Len(t, page.Rows, round+1)
		scores, err := e.Store().ScoresByID(t.Context(), project, []string{"a", "b", "c"})
		require.NoError(t, err)
		assert.Len(t, scores, round+1)
		require.NoError(t, e.Shutdown(t.Context()))
		assert.Equal(t, 1, h.logs.FilterMessage("The store is open in "+dir+".").Len())
	}
	info, err := os.Stat(dir)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

func TestAPathThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	h := newHarness(t)
	e := h.create(configWith(at(filepath.Join(file, "data"))))
	require.ErrorContains(t, e.Start(t.Context(), h.host), "failed to make the folder of the store")
	require.NoError(t, e.Shutdown(t.Context()))
}
