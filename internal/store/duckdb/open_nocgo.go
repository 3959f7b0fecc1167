// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"errors"

	"github.com/weirhq/weir/internal/store"
)

// Open says that this build has no embedded engine.
func Open(context.Context, Settings) (store.Store, error) {
	return nil, errors.New("this build has no embedded store, because it was made without cgo: use a build made with CGO_ENABLED=1 (as `make build` does), or a ClickHouse store")
}
