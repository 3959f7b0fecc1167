// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package weirbin finds the built binary for tests that start it.
package weirbin // import "github.com/weirhq/weir/test/internal/weirbin"

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const (
	// binaryEnv names another binary than the one `make build` writes.
	binaryEnv = "WEIR_BINARY"
	// requireEnv set to 1 makes a missing binary a failure. `make test` sets it: it has just built the binary.
	requireEnv = "WEIR_REQUIRE_BINARY"
)

// Path returns the absolute path of the binary under test. Without one the test is skipped, so that a plain `go test ./...`
// works in a fresh clone; in CI and under `make test` it fails, so that nothing is skipped unseen.
func Path(tb testing.TB) string {
	tb.Helper()
	path, err := locate(Root(tb), os.Getenv)
	return orSkip(tb, path, err)
}

// Static is the same for the binary that is built without cgo and so without the embedded store.
func Static(tb testing.TB) string {
	tb.Helper()
	path := filepath.Join(Root(tb), "_build", "static", "weir")
	_, err := os.Stat(path)
	if err != nil {
		err = fmt.Errorf("this test needs the binary without cgo; run `make build-static`: %w", err)
	}
	return orSkip(tb, path, err)
}

func orSkip(tb testing.TB, path string, err error) string {
	tb.Helper()
	switch {
	case err == nil:
		return path
	case required(os.Getenv):
		tb.Fatal(err)
	default:
		tb.Skip(err)
	}
	return ""
}

// Root returns the top folder of the repository: the nearest one above the test's own that has a go.mod.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			tb.Fatal("no go.mod in this folder or above it")
		}
		dir = parent
	}
}

func locate(root string, getenv func(string) string) (string, error) {
	path := filepath.Join(root, "_build", "weir")
	if other := getenv(binaryEnv); other != "" {
		abs, err := filepath.Abs(other)
		if err != nil {
			return "", err
		}
		path = abs
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("this test needs the built binary; run `make build` or set %s: %w", binaryEnv, err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file", path)
	}
	return path, nil
}

func required(getenv func(string) string) bool {
	return getenv("CI") == "true" || getenv(requireEnv) == "1"
}
