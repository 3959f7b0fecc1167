// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weirhq/weir/internal/validation"
)

// What a filter may have. The limits are far above what people write, and keep a statement at a size that every engine
// takes.
const (
	MaxConditions      = 100
	MaxConditionTexts  = 1000
	MaxTextLength      = 32768
	maxColumnLength    = 200
	maxMetadataKey     = 1024
	maxFilterTextBytes = 128 << 10
)

// ParseFilter reads a filter, a JSON list of conditions that stands at a path of the request. What is wrong with its
// shape comes as validation.Issues, all of it at once; a condition that is well formed but makes no sense as
// *validation.Refusal.
func ParseFilter(text string, table *FilterTable, path ...any) ([]Condition, error) {
	if len(text) > maxFilterTextBytes {
		message := fmt.Sprintf("Too big: a filter has at most %d bytes, not %d", maxFilterTextBytes, len(text))
		return nil, validation.Issues{validation.Custom(message, path...)}
	}
	if !json.Valid([]byte(text)) {
		return nil, validation.Refuse("Invalid JSON in filter parameter")
	}
	objects, issues := validation.ParseObjects([]byte(text), path...)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return ReadConditions(objects, table, path...)
}

// ReadConditions reads the conditions of a filter that is part of a larger object, at a path of it.
func ReadConditions(objects []*validation.Object, table *FilterTable, path ...any) ([]Condition, error) {
	if len(objects) > MaxConditions {
		return nil, validation.Issues{validation.TooBig(validation.OfArray, MaxConditions, path...)}
	}
	read := make([]filterCondition, len(objects))
	for i, o := range objects {
		read[i] = readCondition(o)
	}
	if len(objects) > 0 {
		if err := objects[0].Err(); err != nil { // they share it
			return nil, err
		}
	}
	conditions := make([]Condition, 0, len(read))
	var mistakes []error
	for i := range read {
		c := &read[i]
		if c.kind == FilterPositionInTrace {
			continue // known, and without a meaning for single rows
		}
		column, ok := table.columns[c.column]
		if !ok {
			mistakes = append(mistakes, table.unknown(c.column, objects[i].At("column")))
			continue
		}
		c.Column = column.Column
		if c.Column.Kind() != KindObject {
			c.Key = ""
		}
		mistakes = append(mistakes, c.check(column, table))
		conditions = append(conditions, c.Condition)
	}
	if err := mergeErrors(append(mistakes, checkPayloads(conditions))...); err != nil {
		return nil, err
	}
	return conditions, nil
}

// filterCondition is a condition whose column is yet to be looked up.
type filterCondition struct {
	Condition
	kind   FilterType
	column string
}

// check tells whether the condition can stand on the column.
func (c *filterCondition) check(column *FilterColumn, table *FilterTable) error {
	if column.Column.Kind() == KindPayload {
		if c.kind != FilterString {
			return validation.Refuse("Input/output filters only support filter type `string`.")
		}
	} else if !column.takes(c.kind) {
		return table.mismatch(c.kind, c.column, column.Type)
	}
	if c.Operator != OpMatches {
		return nil
	}
	switch column.Column.Kind() {
	case KindPayload, KindObject:
		if len(Words(c.Text)) == 0 {
			return validation.Refuse("`matches` requires at least one search token.")
		}
		return nil
	default:
		return validation.Refuse("`matches` is only supported for input, output, and metadata filters.")
	}
}

// checkPayloads keeps conditions on input and output to those that can be answered without reading all there is.
func checkPayloads(conditions []Condition) error {
	fast, slow := false, false
	for i := range conditions {
		if conditions[i].Column.Kind() == KindPayload {
			isFast := conditions[i].Operator == OpEqual || conditions[i].Operator == OpMatches
			fast, slow = fast || isFast, slow || !isFast
		}
	}
	switch {
	case slow && !fast:
		return validation.Refuse("Input/output filters require at least one `matches` or `=` operator.")
	case slow:
		return validation.Refuse("Input/output filters only support the operators `matches` and `=`.")
	default:
		return nil
	}
}

// mergeErrors is the issues among some errors all together, or else the first error.
func mergeErrors(errs ...error) error {
	var all validation.Issues
	var first error
	for _, err := range errs {
		var issues validation.Issues
		switch {
		case errors.As(err, &issues):
			all = append(all, issues...)
		case first == nil:
			first = err
		}
	}
	if len(all) > 0 {
		return all
	}
	return first
}
