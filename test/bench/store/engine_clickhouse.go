// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

// remote is a ClickHouse on the same machine and the same disk as the embedded engine would be, with a database for each store.
type remote struct{ server *clickhouseserver.Server }

func launchClickHouse(dir string) (engine, error) {
	root, err := filepath.Abs(".")
	if err != nil {
		return nil, err
	}
	server, err := clickhouseserver.Launch(root, dir)
	if err != nil {
		return nil, err
	}
	return remote{server}, nil
}

func (r remote) open(ctx context.Context, name string) (store.Store, error) {
	return clickhouse.Open(ctx, clickhouse.Settings{Endpoints: []string{r.server.Address}, Database: name})
}

func (r remote) config(name string) string {
	return fmt.Sprintf("{clickhouse: {endpoints: [%q], database: %s}}", r.server.Address, name)
}

func (r remote) close() { r.server.Kill() }
