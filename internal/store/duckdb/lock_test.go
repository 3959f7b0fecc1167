// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo && (linux || darwin)

package duckdb

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// DuckDB itself would open the same file twice in one process, under another name at least, and ruin it.
func TestOneFolderIsNotOpenedTwice(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	e := open(t, Settings{Dir: dir})
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, link))
	for _, path := range []string{dir, link} {
		_, err := Open(t.Context(), Settings{Dir: path})
		require.EqualError(t, err, "this process has the store "+filepath.Join(path, fileName)+" open already: give each store a `path` of its own")
	}
	require.NoError(t, e.WriteObservations(t.Context(), project, observations(0, 1, noon)))
	require.NoError(t, e.Close(t.Context()))
	again, err := Open(t.Context(), Settings{Dir: link})
	require.NoError(t, err)
	stats, err := again.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 1, stats.Observations)
	require.NoError(t, again.Close(context.WithoutCancel(t.Context())))
}
