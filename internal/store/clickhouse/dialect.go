// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// dialect is how ClickHouse writes what engines write differently. Texts in it have no question mark, which would stand for
// an argument.
type dialect struct{}

var _ sqlstore.Dialect = dialect{}

// pieces cuts JSON into its strings, its numbers and what is between them.
const pieces = `"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+|-`

// readable writes a column with JSON so that ClickHouse can read it. A text with an integer of more than 64 bits is none at all
// to it; so something comes before and behind each that may be one.
func readable(s *sqlstore.Statement, column, before, behind string) {
	s.Write("if(match(", column, ", '[0-9]{19}'), arrayStringConcat(arrayMap(piece -> if(match(piece, '^-{0,1}[0-9]{19,}$'), concat('",
		before, "', piece, '", behind, "'), piece), extractAll(", column, ", ").Arg(pieces).Write("))), ", column, ")")
}

// member writes a call of a function on the value of a key.
func member(s *sqlstore.Statement, function string, object func(), key string) {
	s.Write(function, "(")
	object()
	s.Write(", ").Arg(key).Write(")")
}

func (dialect) ObjectText(s *sqlstore.Statement, column, key string) {
	// The text of a string is what it says, that of everything else is how it is written: so a large integer is a string.
	object := func() { readable(s, column, `"`, `"`) }
	s.Write("multiIf(")
	member(s, "JSONType", object, key)
	s.Write(" = 'String', CAST(")
	member(s, "JSONExtractString", object, key)
	s.Write(" AS Nullable(String)), ")
	member(s, "JSONType", object, key)
	s.Write(" = 'Null', NULL, ")
	member(s, "JSONExtractRaw", object, key)
	s.Write(")")
}

func (dialect) ObjectTexts(s *sqlstore.Statement, column string) {
	s.Write("arrayStringConcat(arrayMap(pair -> if(startsWith(pair.2, '\"'), JSONExtractString(pair.2), pair.2), JSONExtractKeysAndValuesRaw(")
	readable(s, column, `"`, `"`)
	s.Write(")), '\\n')")
}

func (dialect) ObjectNumber(s *sqlstore.Statement, column, key string) {
	// With an exponent it is a float, as which it is compared anyway.
	object := func() { readable(s, column, "", "e0") }
	s.Write("if(")
	member(s, "JSONType", object, key)
	s.Write(" IN ('Int64', 'UInt64', 'Double'), toFloat64OrNull(")
	member(s, "JSONExtractRaw", object, key)
	s.Write("), NULL)")
}

// texts is a column with a list as an array.
func texts(column string) string { return "JSONExtract(" + column + ", 'Array(String)')" }

// keys writes the keys of an object as an array.
func keys(s *sqlstore.Statement, column string) {
	s.Write("JSONExtractKeys(")
	readable(s, column, `"`, `"`)
	s.Write(")")
}

func (dialect) ListHas(s *sqlstore.Statement, column string, values []string, all bool) {
	has(s, func() { s.Write(texts(column)) }, values, all)
}

func (dialect) ListLength(s *sqlstore.Statement, column string) {
	s.Write("toInt64(JSONLength(", column, "))")
}

func (dialect) ObjectHas(s *sqlstore.Statement, column string, values []string, all bool) {
	has(s, func() { keys(s, column) }, values, all)
}

func (dialect) ObjectLength(s *sqlstore.Statement, column string) {
	s.Write("toInt64(JSONLength(")
	readable(s, column, `"`, `"`)
	s.Write("))")
}

// has writes that a list has any or all of some texts. Nothing has any of none, everything has all of none.
func has(s *sqlstore.Statement, list func(), values []string, all bool) {
	function := "hasAny"
	if all {
		function = "hasAll"
	}
	s.Write(function, "(")
	list()
	s.Write(", CAST([")
	for i, text := range values {
		if i > 0 {
			s.Write(", ")
		}
		s.Arg(text)
	}
	s.Write("] AS Array(String)))")
}

func (dialect) Contains(s *sqlstore.Statement, expression func(), text string) {
	s.Write("(position(")
	expression()
	s.Write(", ").Arg(text).Write(") > 0)")
}

func (dialect) StartsWith(s *sqlstore.Statement, expression func(), text string) {
	s.Write("startsWith(")
	expression()
	s.Write(", ").Arg(text).Write(")")
}

func (dialect) EndsWith(s *sqlstore.Statement, expression func(), text string) {
	s.Write("endsWith(")
	expression()
	s.Write(", ").Arg(text).Write(")")
}

// lowered is a column in small letters, one for one: ClickHouse by itself makes two of one letter, and another of one at the
// end of a word.
func lowered(column string) string { return "lowerUTF8(translateUTF8(" + column + ", 'İΣ', 'iσ'))" }

// wordsIn is all words of a text.
func wordsIn(text string) string { return "extractAll(" + text + `, '[\\p{L}\\p{Nd}]+')` }

// wordsOf is what the indexes of words are made of.
func wordsOf(column string) string { return wordsIn(lowered(column)) }

func (dialect) Lower(s *sqlstore.Statement, column string) { s.Write(lowered(column)) }

// HasWord writes for a column in small letters just what its index is made of.
func (dialect) HasWord(s *sqlstore.Statement, expression func(), word string) {
	before, after, _ := cutAtMark(wordsIn(mark))
	s.Write("has(", before)
	expression()
	s.Write(after, ", ").Arg(word).Write(")")
}

func (dialect) Milliseconds(s *sqlstore.Statement, column string) {
	s.Write("toUnixTimestamp64Milli(", column, ")")
}
