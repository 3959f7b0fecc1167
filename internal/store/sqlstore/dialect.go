// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

// Dialect is what engines write differently. Every method appends to the statement and adds its arguments, so that no
// value of a caller ever becomes a part of the text.
type Dialect interface {
	Aggregates

	// ObjectText writes an expression for the value of a key in a column with an object, as text; NULL where there is no
	// such key.
	ObjectText(s *Statement, column, key string)
	// ObjectTexts writes an expression for all values in such a column as one text, with something between them that is
	// part of no word.
	ObjectTexts(s *Statement, column string)
	// ObjectNumber does the same for a value that is a number; NULL for all others.
	ObjectNumber(s *Statement, column, key string)
	// ListHas writes a condition: a column with a list of texts has any, or all, of some texts.
	ListHas(s *Statement, column string, texts []string, all bool)
	// ListLength writes an expression for the number of entries of such a column.
	ListLength(s *Statement, column string)
	// ObjectHas and ObjectLength are the same for the keys of a column with an object.
	ObjectHas(s *Statement, column string, keys []string, all bool)
	ObjectLength(s *Statement, column string)
	// Contains, StartsWith and EndsWith write conditions on an expression.
	Contains(s *Statement, expression func(), text string)
	StartsWith(s *Statement, expression func(), text string)
	EndsWith(s *Statement, expression func(), text string)
	// Lower writes an expression for a column in small letters: each letter by itself, as strings.ToLower does.
	Lower(s *Statement, column string)
	// HasWord writes a condition: an expression has a word, in this letter case, as a whole word.
	HasWord(s *Statement, expression func(), word string)
	// Milliseconds writes an expression for a time as milliseconds since 1970.
	Milliseconds(s *Statement, column string)
}
