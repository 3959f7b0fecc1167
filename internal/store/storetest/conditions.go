// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// allColumns and allOperators are what package query has; a test holds them against its source.
var (
	allColumns = []query.Column{
		query.ColumnID, query.ColumnType, query.ColumnName, query.ColumnTraceID, query.ColumnTraceName, query.ColumnStartTime, query.ColumnEndTime,
		query.ColumnEnvironment, query.ColumnLevel, query.ColumnStatusMessage, query.ColumnVersion, query.ColumnRelease, query.ColumnUserID,
		query.ColumnSessionID, query.ColumnParentObservationID, query.ColumnIsRootObservation, query.ColumnHasParentObservation,
		query.ColumnHasInput, query.ColumnHasOutput, query.ColumnTags, query.ColumnLatency, query.ColumnTimeToFirstToken,
		query.ColumnTokensPerSecond, query.ColumnInputTokens, query.ColumnOutputTokens, query.ColumnTotalTokens, query.ColumnInputCost,
		query.ColumnOutputCost, query.ColumnTotalCost, query.ColumnModel, query.ColumnModelID, query.ColumnPromptName, query.ColumnPromptVersion,
		query.ColumnInput, query.ColumnOutput, query.ColumnMetadata, query.ColumnExperimentID, query.ColumnExperimentName,
		query.ColumnExperimentDatasetID, query.ColumnExperimentItemID, query.ColumnIsExperimentItemRootSpan, query.ColumnToolDefinitions, query.ColumnToolCalls,
		query.ColumnToolNames, query.ColumnCalledToolNames, query.ColumnIngestionAPIKey, query.ColumnIngestionSDKName,
		query.ColumnIngestionSDKVersion, query.ColumnIngestionSource, query.ColumnEvaluatorID, query.ColumnRuleID,
	}
	allOperators = []query.Operator{
		query.OpEqual, query.OpNotEqual, query.OpLess, query.OpLessOrEqual, query.OpGreater, query.OpGreaterOrEqual, query.OpContains,
		query.OpNotContains, query.OpStartsWith, query.OpEndsWith, query.OpMatches, query.OpAnyOf, query.OpNoneOf, query.OpAllOf,
		query.OpIsNull, query.OpIsNotNull,
	}
)

// takes tells whether a column and an operator go together, for a condition that is else in order.
func takes(column query.Column, operator query.Operator, isNumber bool) bool {
	c := query.Condition{Column: column, Operator: operator, IsNumber: isNumber, Key: "key", Text: "text"}
	return c.Validate() == nil
}

// conditionOn is a condition that Validate accepts, with a value that has to do with what is in the row. Over many rows
// it meets all values that an operator may find hard.
func (r *Rows) conditionOn(column query.Column, operator query.Operator, isNumber bool, o *model.Observation) query.Condition {
	c := query.Condition{Column: column, Operator: operator}
	if operator == query.OpIsNull || operator == query.OpIsNotNull {
		if column.Kind() == query.KindObject {
			c.Key, c.IsNumber = r.keyOf(o), isNumber
		}
		if column.Kind() == query.KindObject && r.chance(4) {
			c.Key = "" // is there any metadata?
		}
		return c
	}
	switch column.Kind() {
	case query.KindText:
		value := textOf(column, o)
		c.Text, c.Texts = r.textLike(operator, value), r.textsLike([]string{value})
	case query.KindPayload:
		c.Text = r.textLike(operator, textOf(column, o))
	case query.KindNumber:
		c.Number = r.numberLike(column, o)
	case query.KindTime:
		c.Time = timeOf(column, o).Add(time.Duration(r.IntN(3)-1) * time.Millisecond)
		if timeOf(column, o).IsZero() {
			c.Time = o.Start
		}
	case query.KindBool:
		c.Bool = r.chance(2)
	case query.KindList:
		c.Texts = r.textsLike(listOf(column, o))
	case query.KindObject:
		c.Key, c.IsNumber = r.keyOf(o), isNumber
		value, _ := metadataValue(o.Metadata, c.Key)
		if isNumber {
			c.Number = pick(r, []float64{value.number, value.number, 0, 1, 123, 0.5, -1e6})
		} else {
			c.Text = r.textLike(operator, value.text)
		}
	}
	return c
}

// keyOf is a key of the row's metadata, or one that it might have.
func (r *Rows) keyOf(o *model.Observation) string {
	for range 8 {
		key := pick(r, metadataKeys)
		if _, ok := metadataValue(o.Metadata, key); ok {
			return key
		}
	}
	return pick(r, metadataKeys)
}

// textLike is a text that an operator may find in the value, or just not.
func (r *Rows) textLike(operator query.Operator, value string) string {
	if operator == query.OpMatches {
		return r.searchLike(value)
	}
	if len(value) > 200 {
		value = strings.ToValidUTF8(value[:200], "")
	}
	switch operator {
	case query.OpContains, query.OpNotContains:
		value = r.piece(value)
	case query.OpStartsWith:
		value = strings.TrimSuffix(value, r.cutFront(value))
	case query.OpEndsWith:
		value = r.cutFront(value)
	}
	switch r.IntN(8) {
	case 0:
		return pick(r, []string{"", "%", "_", `\`, "'", "%_%", ".*", "x"})
	case 1:
		return strings.ToUpper(value)
	default:
		return value
	}
}

// cutFront is the value without some runes at its front.
func (r *Rows) cutFront(value string) string {
	for range r.IntN(utf8.RuneCountInString(value) + 1) {
		_, size := utf8.DecodeRuneInString(value)
		value = value[size:]
	}
	return value
}

// piece is a part of the value.
func (r *Rows) piece(value string) string {
	value = r.cutFront(value)
	return strings.TrimSuffix(value, r.cutFront(value))
}

// searchLike is a text that has a word: some words of the value that stand together, or a part of one, or others.
func (r *Rows) searchLike(value string) string {
	fields := strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == '\n' })
	search := "needle"
	if len(fields) > 0 {
		from := r.IntN(len(fields))
		search = strings.Join(fields[from:min(len(fields), from+1+r.IntN(3))], " ")
	}
	switch r.IntN(6) {
	case 0:
		search = r.piece(search)
	case 1:
		search = strings.ToUpper(search)
	case 2:
		search = pick(r, []string{"needle", "Needle", "beta alpha", "100%", "foo_bar", "東京", "e-mail", "nothing like it", "ÜNÏCODE"})
	}
	if len(query.Words(search)) == 0 {
		return pick(r, words)
	}
	return search
}

// textsLike is a list that has some, all or none of the values, and others.
func (r *Rows) textsLike(values []string) []string {
	switch r.IntN(6) {
	case 0:
		return nil
	case 1:
		return []string{pick(r, oddTexts)}
	case 2:
		return append(slices.Clone(values), pick(r, oddTexts), "no such text")
	case 3:
		return append(slices.Clone(values), "")
	case 4:
		return append([]string{"no such text"}, some(r, values)...)
	default:
		return append(slices.Clone(values), values...)
	}
}

// numberLike is the value or one close to it.
func (r *Rows) numberLike(column query.Column, o *model.Observation) float64 {
	switch column {
	case query.ColumnInputCost, query.ColumnOutputCost, query.ColumnTotalCost:
		amount, _ := costOf(column, o)
		return pick(r, []float64{amount.Float(), amount.Float(), amount.Float() + 1e-12, 0, -1})
	case query.ColumnTokensPerSecond:
		// A quotient may be off in its last bit, depending on the order of steps. So only whole ones are aimed at.
		if value, _ := numberOf(column, o); value == float64(int32(value)) {
			return value
		}
		return float64(r.IntN(1000)) + 0.123456789
	default:
		value, _ := numberOf(column, o)
		return pick(r, []float64{value, value, value + 1, value - 0.001, 0, -1})
	}
}

// Condition is any condition that Validate accepts, with a value that has to do with what is in the row.
func (r *Rows) Condition(o *model.Observation) query.Condition {
	for {
		column, operator, isNumber := pick(r, allColumns), pick(r, allOperators), r.chance(2)
		isNumber = isNumber && column.Kind() == query.KindObject
		if !takes(column, operator, isNumber) {
			continue
		}
		if c := r.conditionOn(column, operator, isNumber, o); c.Validate() == nil {
			return c
		}
	}
}
