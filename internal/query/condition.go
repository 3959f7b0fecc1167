// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Operator compares a column with the value of a condition.
type Operator string

// The operators, as the public API writes them.
const (
	OpEqual          Operator = "="
	OpNotEqual       Operator = "<>"
	OpLess           Operator = "<"
	OpLessOrEqual    Operator = "<="
	OpGreater        Operator = ">"
	OpGreaterOrEqual Operator = ">="
	OpContains       Operator = "contains"
	OpNotContains    Operator = "does not contain"
	OpStartsWith     Operator = "starts with"
	OpEndsWith       Operator = "ends with"
	// OpMatches is full-text search: the text occurs, in any letter case, and each of its words as a whole word.
	OpMatches   Operator = "matches"
	OpAnyOf     Operator = "any of"
	OpNoneOf    Operator = "none of"
	OpAllOf     Operator = "all of"
	OpIsNull    Operator = "is null"
	OpIsNotNull Operator = "is not null"
)

// Condition is one thing that a row must fulfil. Which of the values counts is decided by the kind of the column
// and the operator.
type Condition struct {
	Column   Column
	Operator Operator
	// Key is the path in the metadata.
	Key string

	Text   string
	Texts  []string
	Number float64
	// IsNumber says that a metadata value is compared with Number and not with Text.
	IsNumber bool
	Time     time.Time
	Bool     bool
}

var (
	comparisons   = []Operator{OpEqual, OpLess, OpLessOrEqual, OpGreater, OpGreaterOrEqual}
	textOperators = []Operator{OpEqual, OpContains, OpNotContains, OpStartsWith, OpEndsWith, OpAnyOf, OpNoneOf}
	nullOperators = []Operator{OpIsNull, OpIsNotNull}

	operators = map[Kind][]Operator{
		KindText:    slices.Concat(textOperators, nullOperators),
		KindNumber:  slices.Concat(comparisons, nullOperators),
		KindTime:    slices.Concat(comparisons, nullOperators),
		KindBool:    {OpEqual, OpNotEqual},
		KindList:    slices.Concat([]Operator{OpAnyOf, OpNoneOf, OpAllOf}, nullOperators),
		KindPayload: {OpEqual, OpMatches},
		KindObject:  slices.Concat([]Operator{OpEqual, OpContains, OpNotContains, OpStartsWith, OpEndsWith, OpMatches}, nullOperators),
	}
)

// Validate tells why no engine could answer the condition.
func (c *Condition) Validate() error {
	return c.validateAs(c.Column.Kind())
}

// validateAs is Validate for a column of another table, which has values of some kind.
func (c *Condition) validateAs(kind Kind) error {
	if kind == 0 {
		return fmt.Errorf("there is no column %q", c.Column)
	}
	allowed := operators[kind]
	if kind == KindObject && c.IsNumber {
		allowed = slices.Concat(comparisons, nullOperators)
	}
	if !slices.Contains(allowed, c.Operator) {
		return fmt.Errorf("column %s does not take the operator %q", c.Column, c.Operator)
	}
	if err := validTexts(c.Texts, []string{c.Text, c.Key}); err != nil {
		return err
	}
	if kind == KindObject && c.Key == "" {
		return errors.New("a condition on metadata needs a key")
	}
	if c.Operator == OpMatches && len(Words(c.Text)) == 0 {
		return errors.New("matches needs a text with at least one letter or digit")
	}
	return nil
}

// maxWords is how many different words of a full-text search are looked at.
const maxWords = 64

// Words are the different words of a full-text search in lower case: runs of letters and digits.
func Words(text string) []string {
	var words []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !IsWordRune(r) }) {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
		if len(words) == maxWords {
			break
		}
	}
	return words
}

// IsWordRune tells what a word is made of.
func IsWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// validTexts refuses what is not UTF-8: nothing stored is like it, and not every engine takes it.
func validTexts(lists ...[]string) error {
	for _, list := range lists {
		for _, text := range list {
			if !utf8.ValidString(text) {
				return fmt.Errorf("%q is not UTF-8", text)
			}
		}
	}
	return nil
}
