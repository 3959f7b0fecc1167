// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo && !linux && !darwin

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import "io"

// lockFolder does nothing where the file itself cannot be opened twice.
func lockFolder(string) (io.Closer, error) { return io.NopCloser(nil), nil }
