// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"slices"
	"unicode/utf8"

	"github.com/weirhq/weir/internal/validation"
)

// listParams reads what the parameters of several lists have in common.
type listParams struct{ *validation.Params }

// texts is a parameter with values between commas, as many and as long as an engine takes.
func (p listParams) texts(name string) []string {
	list := p.List(name)
	if len(list) > MaxConditionTexts {
		p.Add(validation.TooBig(validation.OfArray, MaxConditionTexts, name))
		return nil
	}
	for _, text := range list {
		p.checkLength(text, name)
	}
	return list
}

// repeated is a parameter that may be sent many times; empty values were not sent.
func (p listParams) repeated(name string) []string {
	var list []string
	for _, text := range p.Texts(name) {
		if text != "" {
			list = append(list, text)
		}
	}
	if len(list) > MaxConditionTexts {
		p.Add(validation.TooBig(validation.OfArray, MaxConditionTexts, name))
		return nil
	}
	for _, text := range list {
		p.checkLength(text, name)
	}
	return list
}

// optional is a parameter with one text, as a list of at most one: an empty one was not sent.
func (p listParams) optional(name string) []string {
	text, _ := p.Text(name)
	if text == "" {
		return nil
	}
	p.checkLength(text, name)
	return []string{text}
}

// equal are the conditions of parameters with one text each, under the names of their columns.
func (p listParams) equal(columns ...Column) []Condition {
	var where []Condition
	for _, column := range columns {
		for _, text := range p.optional(string(column)) {
			where = append(where, Condition{Column: column, Operator: OpEqual, Text: text})
		}
	}
	return where
}

func (p listParams) checkLength(text, name string) {
	if utf8.RuneCountInString(text) > MaxTextLength {
		p.Add(validation.TooBig(validation.OfString, MaxTextLength, name))
	}
}

// anyOf are the conditions of parameters that each list values of a column.
func (p listParams) anyOf(columns []FilterColumn) []Condition {
	var where []Condition
	for i := range columns {
		if list := p.texts(columns[i].Name); len(list) > 0 {
			where = append(where, Condition{Column: columns[i].Column, Operator: OpAnyOf, Texts: list})
		}
	}
	return where
}

// filter is the conditions of the parameter of that name; an empty one was not sent.
func (p listParams) filter(table *FilterTable) ([]Condition, error) {
	text, _ := p.Text("filter")
	if text == "" {
		return nil, nil
	}
	return ParseFilter(text, table, "filter")
}

// cursor is where the list goes on; nil at its beginning.
func (p listParams) cursor(list List, project string) (*Position, error) {
	text, _ := p.Text("cursor")
	if text == "" {
		return nil, nil
	}
	at, err := DecodeCursor(list, project, text)
	if err != nil {
		return nil, err
	}
	return &at, nil
}

// combine puts the conditions of parameters and of a filter together. A condition of the filter is there instead of the
// parameters for the same column, and not on top of them.
func combine(fixed, filter []Condition) []Condition {
	var where []Condition
	for i := range fixed {
		if !hasColumn(filter, fixed[i].Column) {
			where = append(where, fixed[i])
		}
	}
	return append(where, filter...)
}

func hasColumn(conditions []Condition, column Column) bool {
	return slices.ContainsFunc(conditions, func(c Condition) bool { return c.Column == column })
}
