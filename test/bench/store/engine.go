// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/duckdb"
)

// engine is what is measured.
type engine interface {
	// open opens the store of a name, or makes it.
	open(ctx context.Context, name string) (store.Store, error)
	// config is what the configuration of a collector says to use the same store.
	config(name string) string
	close()
}

func newEngine(name, dir string) (engine, error) {
	switch name {
	case "duckdb":
		return embedded{dir}, nil
	case "clickhouse":
		return launchClickHouse(dir)
	default:
		return nil, fmt.Errorf("`-engine` must be duckdb or clickhouse, found %q", name)
	}
}

// embedded is the engine inside the process, with a folder for each store.
type embedded struct{ dir string }

func (e embedded) open(ctx context.Context, name string) (store.Store, error) {
	return duckdb.Open(ctx, duckdb.Settings{Dir: filepath.Join(e.dir, name)})
}

func (e embedded) config(name string) string {
	return fmt.Sprintf("{embedded: {path: %q}}", filepath.Join(e.dir, name))
}

func (embedded) close() {}
