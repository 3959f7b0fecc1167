// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package query says what a reader may ask of a store, in terms that no engine knows: columns, conditions, field
// groups, positions in a list. A query that was built here and passes Validate can be answered by every engine.
package query // import "github.com/weirhq/weir/internal/query"
