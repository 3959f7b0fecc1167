// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo && linux

package duckdb

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/weirhq/weir/internal/disk"
	"github.com/weirhq/weir/internal/store"
)

// smallDisk is a file system of so many megabytes.
func smallDisk(t *testing.T, megabytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes)); err != nil {
		t.Skipf("only root can make a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// A full disk refuses writes, and loses nothing that was acknowledged. With space there again, writing goes on.
func TestFullDisk(t *testing.T) {
	for name, tc := range map[string]struct {
		megabytes, ballast int
		reason             string
	}{
		"before the first checkpoint": {32, 8, "No space left on device"},
		"when a checkpoint is due":    {250, 140, "bytes free; make room"},
	} {
		t.Run(name, func(t *testing.T) { fullDisk(t, tc.megabytes, tc.ballast, tc.reason) })
	}
}

func fullDisk(t *testing.T, megabytes, ballastMegabytes int, reason string) {
	t.Helper()
	disk := smallDisk(t, megabytes)
	ballast := filepath.Join(disk, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, ballastMegabytes<<20), 0o600))
	settings := Settings{Dir: filepath.Join(disk, "data")}
	e := open(t, settings)

	const perBatch = 256
	acknowledged, refused := 0, 0
	write := func() error {
		rows := observations(acknowledged+refused, perBatch, noon)
		for i := range rows {
			rows[i].Input = incompressible(1000)
		}
		err := e.WriteObservations(t.Context(), project, rows)
		if err == nil {
			acknowledged += perBatch
		} else {
			refused += perBatch
		}
		return err
	}
	var err error
	for err == nil {
		err = write()
	}
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, reason)
	require.NotZero(t, acknowledged)

	require.NoError(t, os.Remove(ballast))
	require.Eventually(t, func() bool { return write() == nil }, 30*time.Second, 10*time.Millisecond, "there is space again")
	require.NoError(t, e.Close(context.WithoutCancel(t.Context())))

	reopened := open(t, settings)
	stats, err := reopened.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, acknowledged, stats.Observations)
}

// DuckDB gives up a database whose checkpoint fails. The store opens it again by itself, and has lost nothing.
func TestAStoreThatDuckDBGaveUpIsOpenedAgain(t *testing.T) {
	small := smallDisk(t, 100)
	core, logs := observer.New(zap.DebugLevel)
	e := open(t, Settings{Dir: filepath.Join(small, "data"), Logger: zap.New(core)})
	rows := observations(0, 5000, noon)
	for i := range rows {
		rows[i].Input = incompressible(2000)
	}
	require.NoError(t, e.WriteObservations(t.Context(), project, rows))
	ballast := filepath.Join(small, "ballast")
	require.NoError(t, os.WriteFile(ballast, make([]byte, disk.Free(small)-(1<<20)), 0o600))
	e.checkpoint()
	require.NotZero(t, logs.FilterMessageSnippet("Could not write the log").Len())
	require.NoError(t, os.Remove(ballast))
	require.Eventually(t, func() bool {
		return e.WriteObservations(t.Context(), project, observations(10_000, 1, noon)) == nil
	}, 30*time.Second, 10*time.Millisecond)
	stats, err := e.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 5001, stats.Observations)
	assert.NotZero(t, logs.FilterMessageSnippet("Opened the store again").Len())
}
