// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"strconv"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

func (dialect) FirstText(s *sqlstore.Statement, expression func()) { textAt(s, "arg_min", expression) }

func (dialect) LastText(s *sqlstore.Statement, expression func()) { textAt(s, "arg_max", expression) }

// textAt relies on both functions passing over NULL.
func textAt(s *sqlstore.Statement, function string, expression func()) {
	s.Write("coalesce(", function, "(nullif(")
	expression()
	s.Write(", ''), (start_time, trace_id, id)), '')")
}

func (dialect) ListUnion(s *sqlstore.Statement, column string) {
	s.Write("coalesce(CAST(to_json(list_sort(list_distinct(flatten(list(from_json(nullif(", column, `, ''), '["VARCHAR"]')) FILTER (`, column, " <> ''))))) AS VARCHAR), '')")
}

// Sum relies on DuckDB summing whole numbers in 128 bits.
func (dialect) Sum(s *sqlstore.Statement, expression string) { s.Write("sum(", expression, ")") }

func (dialect) ExactSum(s *sqlstore.Statement, expression string) {
	s.Write("CAST(sum(", expression, ") AS VARCHAR)")
}

func (dialect) Quantile(s *sqlstore.Statement, fraction float64, expression string) {
	s.Write("quantile_cont(", expression, ", ", strconv.FormatFloat(fraction, 'f', -1, 64), ")")
}

func (dialect) Bucket(s *sqlstore.Statement, granularity query.Granularity, expression string) {
	s.Write("date_trunc('", string(granularity), "', ", expression, ")")
}

func (dialect) Date(s *sqlstore.Statement, expression string) {
	s.Write("strftime(", expression, ", '%Y-%m-%d')")
}

func (dialect) ExplodeList(s *sqlstore.Statement, column, alias string) {
	s.Write("unnest(from_json(nullif(", column, `, ''), '["VARCHAR"]')) AS `, alias)
}

func (dialect) ExplodeKeys(s *sqlstore.Statement, column, alias string) {
	s.Write("unnest(json_keys(nullif(", column, ", ''))) AS ", alias)
}

// ExplodeNumbers takes the numbers from the text, because DuckDB reads those in JSON as floats. The text is ours, without
// blanks and exponents, and so is a sequence of what the expression matches. Both columns have entries in the order of the
// text. Digits are moved rather than multiplied: a cast to DECIMAL takes ten times as long.
func (d dialect) ExplodeNumbers(s *sqlstore.Statement, column, keyAlias, valueAlias string, places int) {
	d.ExplodeKeys(s, column, keyAlias)
	s.Write(", unnest(list_transform(regexp_extract_all(", column, `, '"(?:[^"\\]|\\.)*":(-?[0-9.]+)', 1),
  lambda number: CAST(concat(split_part(number, '.', 1), rpad(split_part(number, '.', 2), `, strconv.Itoa(places),
		", '0')) AS BIGINT))) AS ", valueAlias)
}
