// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"math"
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// names are the SQL columns behind the columns of the API that are stored just so.
var names = map[query.Column]string{
	query.ColumnID: "id", query.ColumnType: "type", query.ColumnName: "name", query.ColumnTraceID: "trace_id",
	query.ColumnEnvironment: "environment", query.ColumnLevel: "level", query.ColumnStatusMessage: "status_message",
	query.ColumnVersion: "version", query.ColumnRelease: "release", query.ColumnUserID: "user_id", query.ColumnSessionID: "session_id",
	query.ColumnParentObservationID: "parent_id", query.ColumnModel: "model", query.ColumnModelID: "model_id",
	query.ColumnPromptName: "prompt_name", query.ColumnExperimentID: "experiment_id", query.ColumnExperimentName: "experiment_name",
	query.ColumnExperimentDatasetID: "experiment_dataset_id", query.ColumnExperimentItemID: "experiment_item_id",
	query.ColumnStartTime: "start_time", query.ColumnEndTime: "end_time",
	query.ColumnInputTokens: "input_tokens", query.ColumnOutputTokens: "output_tokens", query.ColumnTotalTokens: "total_tokens",
	query.ColumnInputCost: "input_cost", query.ColumnOutputCost: "output_cost", query.ColumnTotalCost: "total_cost",
	query.ColumnPromptVersion: "prompt_version", query.ColumnInput: "input", query.ColumnOutput: "output",
	query.ColumnTags: "tags", query.ColumnCalledToolNames: "tool_call_names", query.ColumnToolNames: "tool_definitions", query.ColumnMetadata: "metadata",
}

// origins are the fields of the origin on which conditions can stand.
var origins = map[query.Column]string{
	query.ColumnIngestionAPIKey: "public_key", query.ColumnIngestionSource: "source",
	query.ColumnIngestionSDKName: "client_name", query.ColumnIngestionSDKVersion: "client_version",
}

// conditions is what writes the conditions of a query.
type conditions struct {
	*Statement
	dialect Dialect
}

// write appends one condition. It is never NULL: a row fulfils it or does not.
func (w conditions) write(c *query.Condition) {
	w.Write("coalesce(")
	switch c.Column.Kind() {
	case query.KindText:
		w.text(c, w.textExpression(c.Column))
	case query.KindNumber:
		w.number(c)
	case query.KindTime:
		w.comparison(c, func() { w.Write(names[c.Column]) }, c.Time)
	case query.KindBool:
		w.boolean(c)
	case query.KindList:
		w.list(c, names[c.Column], c.Column == query.ColumnToolNames)
	case query.KindPayload:
		w.payload(c, names[c.Column])
	case query.KindObject:
		w.metadata(c, names[c.Column])
	}
	w.Write(", FALSE)")
}

// textExpression writes the text that a condition sees.
func (w conditions) textExpression(column query.Column) func() {
	if column == query.ColumnTraceName {
		return func() {
			w.Write("(CASE WHEN trace_name <> '' THEN trace_name WHEN parent_id = '' OR is_app_root THEN name ELSE '' END)")
		}
	}
	if name, ok := origins[column]; ok {
		return func() { w.member("origin", name) }
	}
	if key := column.MetadataKey(); key != "" {
		return func() { w.member("metadata", key) }
	}
	return func() { w.Write(names[column]) }
}

// member writes the text at a key of an object, empty where there is none.
func (w conditions) member(column, key string) {
	w.Write("coalesce(")
	w.dialect.ObjectText(w.Statement, column, key)
	w.Write(", '')")
}

func (w conditions) text(c *query.Condition, expression func()) {
	switch {
	case c.Operator == query.OpIsNull || c.AsksForEmpty():
		expression()
		w.Write(" = ''")
	case c.Operator == query.OpIsNotNull:
		expression()
		w.Write(" <> ''")
	case c.Operator == query.OpAnyOf || c.Operator == query.OpNoneOf:
		w.negatable(c, expression, func() {
			expression()
			w.Write(" IN ").List(c.Texts)
		})
	default:
		w.negatable(c, expression, func() { w.textComparison(c, expression) })
	}
}

// negatable turns a condition around for the two operators that say "not", and leaves out absent values where the
// column has such.
func (w conditions) negatable(c *query.Condition, expression, condition func()) {
	if c.Operator != query.OpNoneOf && c.Operator != query.OpNotContains {
		condition()
		return
	}
	w.Write("(NOT coalesce(")
	condition()
	w.Write(", FALSE)")
	if c.Column.EmptyIsAbsent() {
		w.Write(" AND ")
		expression()
		w.Write(" <> ''")
	}
	w.Write(")")
}

func (w conditions) textComparison(c *query.Condition, expression func()) {
	switch c.Operator {
	case query.OpEqual:
		expression()
		w.Write(" = ").Arg(c.Text)
	case query.OpContains, query.OpNotContains:
		w.dialect.Contains(w.Statement, expression, c.Text)
	case query.OpStartsWith:
		w.dialect.StartsWith(w.Statement, expression, c.Text)
	case query.OpEndsWith:
		w.dialect.EndsWith(w.Statement, expression, c.Text)
	}
}

func (w conditions) number(c *query.Condition) {
	var value any = c.Number
	// As the number it is compared with: some engines would compare exactly, and see more than a float can say.
	expression := func() { w.Write("CAST(", names[c.Column], " AS DOUBLE)") }
	duration := func(until string) {
		w.Write("((")
		w.dialect.Milliseconds(w.Statement, until)
		w.Write(" - ")
		w.dialect.Milliseconds(w.Statement, "start_time")
		w.Write(") / 1000.0)")
	}
	switch c.Column {
	case query.ColumnLatency:
		expression = func() { duration("end_time") }
	case query.ColumnTimeToFirstToken:
		expression = func() { duration("completion_start") }
	case query.ColumnTokensPerSecond:
		expression = func() {
			w.Write("CASE WHEN end_time = start_time THEN CASE WHEN output_tokens = 0 THEN 0 ELSE ").Arg(math.Inf(1)).Write(" END ELSE output_tokens / ")
			duration("end_time")
			w.Write(" END")
		}
	case query.ColumnInputCost, query.ColumnOutputCost, query.ColumnTotalCost:
		value = int64(model.DecimalFromFloat(c.Number))
		expression = func() { w.Write(names[c.Column]) }
	case query.ColumnToolDefinitions:
		expression = func() { w.dialect.ObjectLength(w.Statement, "tool_definitions") }
	case query.ColumnToolCalls:
		expression = func() { w.dialect.ListLength(w.Statement, "tool_calls") }
	}
	w.comparison(c, expression, value)
}

func (w conditions) comparison(c *query.Condition, expression func(), value any) {
	expression()
	switch c.Operator {
	case query.OpIsNull:
		w.Write(" IS NULL")
	case query.OpIsNotNull:
		w.Write(" IS NOT NULL")
	default:
		w.Write(" ", string(c.Operator), " ").Arg(value)
	}
}

func (w conditions) boolean(c *query.Condition) {
	switch c.Operator { // it is always there
	case query.OpIsNull:
		w.Write("FALSE")
		return
	case query.OpIsNotNull:
		w.Write("TRUE")
		return
	}
	if (c.Operator == query.OpEqual) != c.Bool {
		w.Write("NOT ")
	}
	switch c.Column {
	case query.ColumnIsRootObservation:
		w.Write("(parent_id = '' OR is_app_root)")
	case query.ColumnHasParentObservation:
		w.Write("(parent_id <> '')")
	case query.ColumnHasInput:
		w.Write("(input <> '')")
	case query.ColumnHasOutput:
		w.Write("(output <> '')")
	case query.ColumnIsExperimentItemRootSpan:
		w.Write("(experiment_item_root_id = id AND id <> '')")
	}
}

// list writes a condition on a column with a list, or on the keys of one with an object.
func (w conditions) list(c *query.Condition, column string, isObject bool) {
	has, length := w.dialect.ListHas, w.dialect.ListLength
	if isObject {
		has, length = w.dialect.ObjectHas, w.dialect.ObjectLength
	}
	switch c.Operator {
	case query.OpIsNull, query.OpIsNotNull:
		length(w.Statement, column)
		w.Write(map[query.Operator]string{query.OpIsNull: " = 0", query.OpIsNotNull: " > 0"}[c.Operator])
	case query.OpNoneOf:
		w.Write("NOT coalesce(")
		has(w.Statement, column, c.Texts, false)
		w.Write(", FALSE)")
	default:
		has(w.Statement, column, c.Texts, c.Operator == query.OpAllOf)
	}
}

// payload writes a condition on a large text. The search in it does not see letter case.
func (w conditions) payload(c *query.Condition, column string) {
	if c.Operator == query.OpEqual {
		w.Write(column, " = ").Arg(c.Text)
		return
	}
	lower := func() { w.dialect.Lower(w.Statement, column) }
	w.search(lower, lower, strings.ToLower(c.Text))
}

// search writes that a text occurs in one expression, and its words as whole words in another, which has all of the first.
func (w conditions) search(in, wordsIn func(), text string) {
	w.Write("(")
	w.dialect.Contains(w.Statement, in, text)
	for _, word := range query.OpenWords(text) {
		w.Write(" AND ")
		w.dialect.HasWord(w.Statement, wordsIn, word)
	}
	w.Write(")")
}

// metadata writes a condition on the value at a key. Where there is none the value is NULL, and so no match.
func (w conditions) metadata(c *query.Condition, column string) {
	asText := func() { w.dialect.ObjectText(w.Statement, column, c.Key) }
	asNumber := func() { w.dialect.ObjectNumber(w.Statement, column, c.Key) }
	decimal, isDecimal := c.Decimal()
	switch {
	case c.Key == "":
		w.dialect.ObjectLength(w.Statement, column)
		w.Write(map[query.Operator]string{query.OpIsNull: " = 0", query.OpIsNotNull: " > 0"}[c.Operator])
	case c.Operator == query.OpIsNull || c.Operator == query.OpIsNotNull:
		w.comparison(c, asText, nil)
	case c.IsNumber:
		w.comparison(c, asNumber, c.Number)
	case c.Operator == query.OpMatches:
		allTexts := func() { w.dialect.ObjectTexts(w.Statement, column) }
		w.search(asText, allTexts, c.Text)
	case c.Operator == query.OpEqual && isDecimal:
		w.Write("(coalesce(")
		asNumber()
		w.Write(" = ").Arg(decimal).Write(", FALSE) OR ")
		w.textComparison(c, asText)
		w.Write(")")
	case c.Operator == query.OpNotContains:
		w.Write("NOT ")
		w.textComparison(c, asText)
	default:
		w.textComparison(c, asText)
	}
}
