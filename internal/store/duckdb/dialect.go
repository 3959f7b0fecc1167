// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"strings"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

// dialect is how DuckDB writes what engines write differently.
type dialect struct{}

var _ sqlstore.Dialect = dialect{}

// pointer is the JSON pointer of a key at the top of an object. Unlike a JSON path it can name any key.
func pointer(key string) string {
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

func (dialect) ObjectText(s *sqlstore.Statement, column, key string) {
	s.Write("json_extract_string(nullif(", column, ", ''), ").Arg(pointer(key)).Write(")")
}

func (dialect) ObjectTexts(s *sqlstore.Statement, column string) {
	s.Write("array_to_string(json_extract_string(nullif(", column, ", ''), '$.*'), chr(10))")
}

func (d dialect) ObjectNumber(s *sqlstore.Statement, column, key string) {
	s.Write("CASE WHEN json_type(nullif(", column, ", ''), ").Arg(pointer(key)).
		Write(") IN ('UBIGINT', 'BIGINT', 'DOUBLE', 'HUGEINT', 'UHUGEINT') THEN TRY_CAST(")
	d.ObjectText(s, column, key)
	s.Write(" AS DOUBLE) END")
}

func (dialect) ListHas(s *sqlstore.Statement, column string, texts []string, all bool) {
	has(s, "from_json(nullif("+column+", ''), '[\"VARCHAR\"]')", texts, all)
}

func (dialect) ListLength(s *sqlstore.Statement, column string) {
	s.Write("coalesce(json_array_length(nullif(", column, ", '')), 0)")
}

func (dialect) ObjectHas(s *sqlstore.Statement, column string, keys []string, all bool) {
	has(s, "json_keys(nullif("+column+", ''))", keys, all)
}

func (dialect) ObjectLength(s *sqlstore.Statement, column string) {
	s.Write("coalesce(len(json_keys(nullif(", column, ", ''))), 0)")
}

// has writes that a list has any or all of some texts. Nothing has any of none, everything has all of none.
func has(s *sqlstore.Statement, list string, texts []string, all bool) {
	function := "list_has_any"
	if all {
		function = "list_has_all"
	}
	s.Write(function, "(coalesce(", list, ", []::VARCHAR[]), [")
	for i, text := range texts {
		if i > 0 {
			s.Write(", ")
		}
		s.Arg(text).Write("::VARCHAR")
	}
	s.Write("]::VARCHAR[])")
}

func (dialect) Contains(s *sqlstore.Statement, expression func(), text string) {
	call(s, "contains", expression, text)
}

func (dialect) StartsWith(s *sqlstore.Statement, expression func(), text string) {
	call(s, "starts_with", expression, text)
}

func (dialect) EndsWith(s *sqlstore.Statement, expression func(), text string) {
	call(s, "ends_with", expression, text)
}

func (dialect) Lower(s *sqlstore.Statement, column string) { s.Write("lower(", column, ")") }

// HasWord relies on a word being made of letters and digits, which mean themselves in a regular expression.
func (dialect) HasWord(s *sqlstore.Statement, expression func(), word string) {
	call(s, "regexp_matches", expression, `(^|[^\p{L}\p{Nd}])`+word+`($|[^\p{L}\p{Nd}])`)
}

func call(s *sqlstore.Statement, function string, expression func(), text string) {
	s.Write(function, "(")
	expression()
	s.Write(", ").Arg(text).Write("::VARCHAR)")
}

func (dialect) Milliseconds(s *sqlstore.Statement, column string) {
	s.Write("epoch_ms(", column, ")")
}
