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

func (dialect) ObjectText(s *sqlstore.Statement, column, key string) {
	// The text of a string is what it says, that of everything else is how it is written.
	s.Write("multiIf(JSONType(", column, ", ").Arg(key).Write(") = 'String', CAST(JSONExtractString(", column, ", ").Arg(key).
		Write(") AS Nullable(String)), JSONType(", column, ", ").Arg(key).Write(") = 'Null', NULL, JSONExtractRaw(", column, ", ").Arg(key).Write("))")
}

func (dialect) ObjectTexts(s *sqlstore.Statement, column string) {
	s.Write("arrayStringConcat(arrayMap(pair -> if(startsWith(pair.2, '\"'), JSONExtractString(pair.2), pair.2), JSONExtractKeysAndValuesRaw(", column, ")), '\\n')")
}

func (dialect) ObjectNumber(s *sqlstore.Statement, column, key string) {
	s.Write("if(JSONType(", column, ", ").Arg(key).Write(") IN ('Int64', 'UInt64', 'Double', 'BigInt'), toFloat64OrNull(JSONExtractRaw(", column, ", ").
		Arg(key).Write(")), NULL)")
}

// texts is a column with a list as an array.
func texts(column string) string { return "JSONExtract(" + column + ", 'Array(String)')" }

func keys(column string) string { return "JSONExtractKeys(" + column + ")" }

func (dialect) ListHas(s *sqlstore.Statement, column string, values []string, all bool) {
	has(s, texts(column), values, all)
}

func (dialect) ListLength(s *sqlstore.Statement, column string) {
	s.Write("toInt64(JSONLength(", column, "))")
}

func (dialect) ObjectHas(s *sqlstore.Statement, column string, values []string, all bool) {
	has(s, keys(column), values, all)
}

func (dialect) ObjectLength(s *sqlstore.Statement, column string) {
	s.Write("toInt64(JSONLength(", column, "))")
}

// has writes that a list has any or all of some texts. Nothing has any of none, everything has all of none.
func has(s *sqlstore.Statement, list string, values []string, all bool) {
	function := "hasAny"
	if all {
		function = "hasAll"
	}
	s.Write(function, "(", list, ", CAST([")
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
