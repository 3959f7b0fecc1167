// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
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
	// OpMatches is full-text search. In input and output the text occurs, in any letter case, and each of its words as a
	// whole word. In metadata letter case counts, and the words may stand in the values of any keys of the row.
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
	// Key is the path in the metadata. Without one, `is null` asks whether there is any metadata at all.
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
		KindBool:    slices.Concat([]Operator{OpEqual, OpNotEqual}, nullOperators),
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
	if kind == KindObject && c.Key == "" && !slices.Contains(nullOperators, c.Operator) {
		return errors.New("a condition on metadata needs a key")
	}
	if c.Operator == OpMatches && len(Words(c.Text)) == 0 {
		return errors.New("matches needs a text with at least one letter or digit")
	}
	return nil
}

// AsksForEmpty tells whether the condition looks for rows without a value by comparing with an empty text. Every text
// contains an empty one, but on these columns a caller who asks for that means the rows that have none.
func (c *Condition) AsksForEmpty() bool {
	switch c.Column {
	case ColumnRelease, ColumnParentObservationID, ColumnExperimentID:
		return c.Text == "" && slices.Contains([]Operator{OpEqual, OpContains, OpStartsWith, OpEndsWith}, c.Operator)
	default:
		return false
	}
}

// Decimal is the number that the text of the condition is, where numbers can be written in more than one way: with a
// fraction, with an exponent, or with a sign on zero. Engines do not keep how a number in metadata was written, and so
// compare those by value. Whole numbers have one way of being written, and stay exact at any length.
func (c *Condition) Decimal() (_ float64, ok bool) {
	if !jsonNumber.MatchString(c.Text) || !strings.ContainsAny(c.Text, ".eE") && c.Text != "-0" {
		return 0, false
	}
	number, err := strconv.ParseFloat(c.Text, 64)
	return number, err == nil
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$`)

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
