// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	results := []result{
		{"Python 4", "größe", "a", passed},
		{"Python 4", "größe", "b", failed},
		{"Python 4", "media", "c", passed},
		{"Python 4", "media", "d", skipped},
		{"JS 5", "media", "e", passed},
		{"JS 5", "media", "f", passed},
		{"JS 5", "runs", "g", skipped},
	}
	assert.Equal(t, ""+
		"| feature | Python 4      | JS 5      |\n"+
		"|---------|---------------|-----------|\n"+
		"| größe   | FAILED 1 of 2 | -         |\n"+
		"| media   | works (1)     | works (2) |\n"+
		"| runs    | -             | -         |\n", table(results))
	assert.Equal(t, "4 passed, 1 failed, 2 skipped", summary(results))
}

func TestReadResults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results")
	results, err := readResults(file)
	require.NoError(t, err, "a suite that did not come to its tests")
	assert.Empty(t, results)

	require.NoError(t, os.WriteFile(file, []byte(`{"client":"JS","feature":"media","test":"a","outcome":"passed"}
{"client":"JS","feature":"","test":"b","outcome":"failed"}
`), 0o644))
	results, err = readResults(file)
	require.NoError(t, err)
	assert.Equal(t, []result{{"JS", "media", "a", passed}, {"JS", "(no feature)", "b", failed}}, results)

	require.NoError(t, os.WriteFile(file, []byte("no JSON\n"), 0o644))
	_, err = readResults(file)
	require.Error(t, err)
}

func TestMissing(t *testing.T) {
	assert.Empty(t, suite{program: "go", check: []string{"version"}}.missing(t.Context()))
	assert.Equal(t, "there is no program-that-is-nowhere on this machine; needed is Go",
		suite{program: "program-that-is-nowhere", wanted: "Go"}.missing(t.Context()))
	assert.Equal(t, "the go of this machine will not do; needed is Go 99",
		suite{program: "go", check: []string{"no-such-command"}, wanted: "Go 99"}.missing(t.Context()))
}

func TestInstallOnce(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "lock")
	require.NoError(t, os.WriteFile(lock, []byte("one"), 0o644))
	s := suite{
		folder: dir, program: "git", installed: dir, locks: []string{lock},
		steps: [][]string{{"sh", "-c", "echo done >> log"}},
	}
	for _, want := range []string{"done\n", "done\n"} {
		require.NoError(t, s.install(t.Context(), t.Output()))
		assertContent(t, want, filepath.Join(dir, "log"))
	}
	require.NoError(t, os.WriteFile(lock, []byte("two"), 0o644))
	require.NoError(t, s.install(t.Context(), t.Output()))
	assertContent(t, "done\ndone\n", filepath.Join(dir, "log"))
}

func TestWithoutSettings(t *testing.T) {
	assert.Equal(t, []string{"PATH=/bin", "WEIR_BINARY=x"},
		withoutSettings([]string{"PATH=/bin", "LANGFUSE_HOST=y", "WEIR_BINARY=x", "OTEL_SDK_DISABLED=true"}))
}

func assertContent(t *testing.T, want, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want, string(content))
}
