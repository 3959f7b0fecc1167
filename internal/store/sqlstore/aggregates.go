// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

// Aggregates are the part of a dialect that looks at many rows.
type Aggregates interface {
	// FirstText and LastText write an aggregate over observations: an expression for the first or last that has a text, by
	// start time, trace id and id; an empty one where none has.
	FirstText(s *Statement, expression func())
	LastText(s *Statement, expression func())
}
