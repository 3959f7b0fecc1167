// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package sqlstore turns queries into SQL and rows into values, once for all engines. What engines do differently is
// in a small Dialect; what a column holds is in one table that writing and reading share.
package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"
