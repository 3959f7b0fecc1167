// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouseserver // import "github.com/weirhq/weir/test/internal/clickhouseserver"

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// requireEnv set to 1 makes a missing server a failure. `make test-clickhouse` sets it: it has just installed it.
const requireEnv = "WEIR_REQUIRE_CLICKHOUSE"

// locate finds the program and the library. Without them the test is skipped, so that a plain `go test ./...` works in a fresh
// clone; where they could have been installed and must be, it fails.
func locate(tb testing.TB) (program, library string) {
	tb.Helper()
	program, library, err := find(weirbin.Root(tb))
	switch {
	case err == nil:
	case required(os.Getenv, exec.LookPath):
		tb.Fatal(err)
	default:
		tb.Skip(err)
	}
	return program, library
}

// find finds what `make clickhouse` installs.
func find(root string) (program, library string, _ error) {
	program = filepath.Join(root, "_build", "clickhouse")
	library = filepath.Join(root, "test", "clickhouse", "server", "node_modules", "@chdb", "lib-"+platform(), "libchdb.so")
	for _, path := range []string{program, library} {
		if _, err := os.Stat(path); err != nil {
			return "", "", fmt.Errorf("this needs a ClickHouse server; run `make clickhouse`, which needs Node and a C compiler: %w", err)
		}
	}
	return program, library, nil
}

// platform is as the packages of chdb have it in their names.
func platform() string {
	architecture := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if architecture == "" {
		architecture = runtime.GOARCH
	}
	if runtime.GOOS == "linux" {
		return "linux-" + architecture + "-gnu"
	}
	return runtime.GOOS + "-" + architecture
}

// required tells whether a server must be there: where it was asked for, and in CI if Node is at hand to install it.
func required(getenv func(string) string, lookPath func(string) (string, error)) bool {
	if getenv(requireEnv) == "1" {
		return true
	}
	_, err := lookPath("npm")
	return getenv("CI") == "true" && err == nil
}
