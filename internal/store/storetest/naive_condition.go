// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// holds tells whether the row fulfils a condition that passed Validate.
func holds(c *query.Condition, o *model.Observation) bool {
	switch c.Column.Kind() {
	case query.KindText:
		return textHolds(c, textOf(c.Column, o))
	case query.KindNumber:
		order, present := compareNumber(c, o)
		return orderHolds(c.Operator, order, present)
	case query.KindTime:
		t := timeOf(c.Column, o)
		return orderHolds(c.Operator, t.Compare(c.Time), !t.IsZero())
	case query.KindBool:
		if c.Operator == query.OpIsNull || c.Operator == query.OpIsNotNull {
			return c.Operator == query.OpIsNotNull // it is always there
		}
		return (boolOf(c.Column, o) == c.Bool) == (c.Operator == query.OpEqual)
	case query.KindList:
		return listHolds(c, listOf(c.Column, o))
	case query.KindPayload:
		return payloadHolds(c, textOf(c.Column, o))
	case query.KindObject:
		return metadataHolds(c, o.Metadata)
	default:
		panic(fmt.Sprintf("column %q has no kind", c.Column))
	}
}

func textHolds(c *query.Condition, value string) bool {
	// For most columns an empty text is a value like any other, and so a negation holds for it.
	leftOut := value == "" && c.Column.EmptyIsAbsent()
	if c.AsksForEmpty() {
		return value == ""
	}
	switch c.Operator {
	case query.OpEqual:
		return value == c.Text
	case query.OpContains:
		return strings.Contains(value, c.Text)
	case query.OpNotContains:
		return !strings.Contains(value, c.Text) && !leftOut
	case query.OpStartsWith:
		return strings.HasPrefix(value, c.Text)
	case query.OpEndsWith:
		return strings.HasSuffix(value, c.Text)
	case query.OpAnyOf:
		return slices.Contains(c.Texts, value)
	case query.OpNoneOf:
		return !slices.Contains(c.Texts, value) && !leftOut
	case query.OpIsNull:
		return value == ""
	case query.OpIsNotNull:
		return value != ""
	default:
		panic(fmt.Sprintf("operator %q on a text", c.Operator))
	}
}

// orderHolds judges a comparison of the row's value with that of the condition. What is absent compares with nothing.
func orderHolds(op query.Operator, order int, present bool) bool {
	switch op {
	case query.OpIsNull:
		return !present
	case query.OpIsNotNull:
		return present
	case query.OpEqual:
		return present && order == 0
	case query.OpLess:
		return present && order < 0
	case query.OpLessOrEqual:
		return present && order <= 0
	case query.OpGreater:
		return present && order > 0
	case query.OpGreaterOrEqual:
		return present && order >= 0
	default:
		panic(fmt.Sprintf("operator %q on something that has an order", op))
	}
}

func listHolds(c *query.Condition, list []string) bool {
	inList := func(text string) bool { return slices.Contains(list, text) }
	switch c.Operator {
	case query.OpAnyOf:
		return slices.ContainsFunc(c.Texts, inList)
	case query.OpNoneOf:
		return !slices.ContainsFunc(c.Texts, inList)
	case query.OpAllOf:
		return !slices.ContainsFunc(c.Texts, func(text string) bool { return !inList(text) })
	case query.OpIsNull:
		return len(list) == 0
	case query.OpIsNotNull:
		return len(list) > 0
	default:
		panic(fmt.Sprintf("operator %q on a list", c.Operator))
	}
}

func payloadHolds(c *query.Condition, value string) bool {
	if c.Operator == query.OpEqual {
		return value == c.Text
	}
	lower, search := strings.ToLower(value), strings.ToLower(c.Text)
	return strings.Contains(lower, search) && hasWords([]string{lower}, query.ExactWords(search))
}

func metadataHolds(c *query.Condition, metadata string) bool {
	value, present := metadataValue(metadata, c.Key)
	if c.Key == "" {
		present = len(metadataObject(metadata)) > 0
	}
	switch {
	case c.Operator == query.OpIsNull:
		return !present
	case c.Operator == query.OpIsNotNull:
		return present
	case !present:
		return false
	case c.IsNumber:
		return orderHolds(c.Operator, cmp.Compare(value.number, c.Number), value.isNumber)
	case c.Operator == query.OpMatches:
		return strings.Contains(value.text, c.Text) && hasWords(metadataTexts(metadata), query.ExactWords(c.Text))
	case c.Operator == query.OpEqual && value.isNumber:
		decimal, isDecimal := c.Decimal()
		return value.text == c.Text || isDecimal && value.number == decimal
	default:
		return textHolds(c, value.text)
	}
}

// hasWords tells whether each word is a whole word of one of the texts.
func hasWords(texts, words []string) bool {
	found := map[string]bool{}
	for _, text := range texts {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !query.IsWordRune(r) }) {
			found[word] = true
		}
	}
	return !slices.ContainsFunc(words, func(word string) bool { return !found[word] })
}
