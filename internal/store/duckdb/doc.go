// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package duckdb keeps rows in one DuckDB file. It is the embedded engine: nothing to install, analytical reads at once.
//
// DuckDB comes as a C++ library, so the engine needs cgo. Without it the package still builds, and Open says which build
// has it.
package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"
