// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import "github.com/weirhq/weir/internal/store/sqlstore"

func (dialect) FirstText(s *sqlstore.Statement, expression func()) { textAt(s, "arg_min", expression) }

func (dialect) LastText(s *sqlstore.Statement, expression func()) { textAt(s, "arg_max", expression) }

// textAt relies on both functions passing over NULL.
func textAt(s *sqlstore.Statement, function string, expression func()) {
	s.Write("coalesce(", function, "(nullif(")
	expression()
	s.Write(", ''), (start_time, trace_id, id)), '')")
}
