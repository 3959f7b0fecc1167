// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"slices"
	"unicode/utf8"

	"github.com/weirhq/weir/internal/validation"
)

// filterTypes is what a condition of each type is made of.
var filterTypes = map[FilterType]struct {
	operators []Operator
	hasKey    bool
	value     func(*filterCondition, *validation.Object)
}{
	FilterDatetime:        {[]Operator{OpGreater, OpLess, OpGreaterOrEqual, OpLessOrEqual}, false, (*filterCondition).readTime},
	FilterString:          {stringOperators, false, (*filterCondition).readText},
	FilterNumber:          {numberOperators, false, (*filterCondition).readNumber},
	FilterStringOptions:   {[]Operator{OpAnyOf, OpNoneOf}, false, (*filterCondition).readTexts},
	FilterArrayOptions:    {[]Operator{OpAnyOf, OpNoneOf, OpAllOf}, false, (*filterCondition).readTexts},
	FilterCategoryOptions: {[]Operator{OpAnyOf, OpNoneOf}, true, (*filterCondition).readTexts},
	FilterStringObject:    {stringOperators, true, (*filterCondition).readText},
	FilterNumberObject:    {numberOperators, true, (*filterCondition).readNumber},
	FilterBooleanObject:   {[]Operator{OpEqual, OpNotEqual}, true, (*filterCondition).readBool},
	FilterBoolean:         {[]Operator{OpEqual, OpNotEqual}, false, (*filterCondition).readBool},
	FilterNull:            {nullOperators, false, (*filterCondition).readNothing},
	FilterPositionInTrace: {[]Operator{OpEqual}, false, func(*filterCondition, *validation.Object) {}},
}

var (
	stringOperators = []Operator{OpEqual, OpContains, OpNotContains, OpStartsWith, OpEndsWith, OpMatches}
	numberOperators = []Operator{OpEqual, OpGreater, OpLess, OpGreaterOrEqual, OpLessOrEqual}
)

// readCondition reads one condition and notes all that is wrong with its shape. Without a known type nothing can be
// said about the rest.
func readCondition(o *validation.Object) filterCondition {
	c := filterCondition{}
	if o.Type("type") == "string" {
		c.kind = FilterType(o.Text("type"))
	}
	shape, ok := filterTypes[c.kind]
	if !ok {
		o.Add(validation.NoSuchVariant("type", o.At("type")...))
		return c
	}
	c.column = o.RequiredText("column", 0, maxColumnLength)
	names := make([]string, len(shape.operators))
	for i, operator := range shape.operators {
		names[i] = string(operator)
	}
	c.Operator = Operator(o.RequiredOneOf("operator", names...))
	switch {
	case shape.hasKey:
		c.Key = o.RequiredText("key", 1, maxMetadataKey)
	case c.kind == FilterNull:
		c.Key = o.OptionalText("key", 1, maxMetadataKey) // it counts on metadata only
	}
	shape.value(&c, o)
	return c
}

func (c *filterCondition) readText(o *validation.Object) {
	c.Text = o.RequiredText("value", 0, MaxTextLength)
}

func (c *filterCondition) readTexts(o *validation.Object) {
	if !o.Required("value", "array") {
		return
	}
	texts := o.Texts("value")
	// All of none, and none of none, hold for every row. Any of none holds for no row, and so is a mistake.
	mayBeEmpty := c.kind == FilterArrayOptions && c.Operator != OpAnyOf || c.kind == FilterCategoryOptions
	switch {
	case texts == nil: // it was no list
		return
	case len(texts) > MaxConditionTexts:
		o.Add(validation.TooBig(validation.OfArray, MaxConditionTexts, o.At("value")...))
		return
	case len(texts) == 0 && !mayBeEmpty:
		if list := o.Raw("value"); string(list) == "[]" {
			o.Add(validation.TooSmall(validation.OfArray, 1, o.At("value")...))
		}
		return
	}
	slices.Sort(texts)
	c.Texts = slices.Compact(texts)
	for _, text := range c.Texts {
		if utf8.RuneCountInString(text) > MaxTextLength {
			o.Add(validation.TooBig(validation.OfString, MaxTextLength, o.At("value")...))
			return
		}
	}
}

func (c *filterCondition) readNumber(o *validation.Object) {
	if !o.Required("value", "number") {
		return
	}
	if number := o.Number("value"); number != nil {
		c.Number = *number
	}
	c.IsNumber = c.kind == FilterNumberObject
}

func (c *filterCondition) readBool(o *validation.Object) {
	if !o.Required("value", "boolean") {
		return
	}
	if value := o.Bool("value"); value != nil {
		c.Bool = *value
	}
}

func (c *filterCondition) readTime(o *validation.Object) {
	if o.Required("value", "date") {
		c.Time = o.LenientTime("value")
	}
}

// readNothing takes the empty text that the service wants as the value, and none at all, as its documentation says.
func (c *filterCondition) readNothing(o *validation.Object) {
	if o.Has("value") && (o.Type("value") != "string" || o.Text("value") != "") {
		o.Add(validation.NotOneOf([]string{""}, o.At("value")...))
	}
}
