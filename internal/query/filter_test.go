// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/validation"
)

// documented are the columns of the service: name, label, the types of conditions, the type that messages name, and
// the column behind it when it has another name.
var documented = []struct{ name, label, types, kind, column string }{
	{"id", "ID", "str opts", "stringOptions", ""},
	{"type", "Type", "str opts", "stringOptions", ""},
	{"name", "Name", "str opts", "stringOptions", ""},
	{"traceId", "Trace ID", "str opts", "string", ""},
	{"traceName", "Trace Name", "str opts", "stringOptions", ""},
	{"startTime", "Start Time", "dt", "datetime", ""},
	{"endTime", "End Time", "dt", "datetime", ""},
	{"environment", "Environment", "str opts", "stringOptions", ""},
	{"traceEnvironment", "Trace Environment", "str opts", "stringOptions", "environment"},
	{"level", "Level", "str opts", "stringOptions", ""},
	{"statusMessage", "Status Message", "str opts", "string", ""},
	{"version", "Version", "str opts", "string", ""},
	{"release", "Release", "str opts", "string", ""},
	{"userId", "User ID", "str opts", "string", ""},
	{"sessionId", "Session ID", "str opts", "string", ""},
	{"parentObservationId", "Parent Observation ID", "str opts", "string", ""},
	{"isRootObservation", "Is Root Observation", "bool", "boolean", ""},
	{"hasParentObservation", "Has Parent Observation", "bool", "boolean", ""},
	{"hasInput", "Has Input", "bool", "boolean", ""},
	{"hasOutput", "Has Output", "bool", "boolean", ""},
	{"tags", "Tags", "arr", "arrayOptions", ""},
	{"traceTags", "Trace Tags", "arr", "arrayOptions", "tags"},
	{"latency", "Latency (s)", "num", "number", ""},
	{"timeToFirstToken", "Time To First Token (s)", "num", "number", ""},
	{"tokensPerSecond", "Tokens per second", "num", "number", ""},
	{"inputTokens", "Input Tokens", "num", "number", ""},
	{"outputTokens", "Output Tokens", "num", "number", ""},
	{"totalTokens", "Total Tokens", "num", "number", ""},
	{"tokens", "Tokens", "num", "number", "totalTokens"},
	{"inputCost", "Input Cost ($)", "num", "number", ""},
	{"outputCost", "Output Cost ($)", "num", "number", ""},
	{"totalCost", "Total Cost ($)", "num", "number", ""},
	{"model", "Model", "str opts", "stringOptions", ""},
	{"providedModelName", "Provided Model Name", "str opts", "stringOptions", "model"},
	{"modelId", "Model ID", "str opts", "stringOptions", ""},
	{"promptName", "Prompt Name", "str opts", "stringOptions", ""},
	{"promptVersion", "Prompt Version", "num", "number", ""},
	{"input", "Input", "io", "string", ""},
	{"output", "Output", "io", "string", ""},
	{"metadata", "Metadata", "sobj nobj", "stringObject", ""},
	{"experimentId", "Experiment ID", "str opts", "stringOptions", ""},
	{"experimentName", "Experiment Name", "str opts", "stringOptions", ""},
	{"experimentDatasetId", "Experiment Dataset ID", "str opts", "stringOptions", ""},
	{"isExperimentItemRootSpan", "Is Experiment Item Root Span", "bool", "boolean", ""},
	{"toolDefinitions", "Available Tools", "num", "number", ""},
	{"toolCalls", "Tool Calls", "num", "number", ""},
	{"toolNames", "Tool Names", "arr", "arrayOptions", ""},
	{"calledToolNames", "Called Tool Names", "arr", "arrayOptions", ""},
	{"ingestionApiKey", "API Key", "str opts", "stringOptions", ""},
	{"ingestionSdkName", "SDK Name", "str opts", "stringOptions", ""},
	{"ingestionSdkVersion", "SDK Version", "str opts", "stringOptions", ""},
	{"ingestionSource", "Ingestion Source", "str opts", "stringOptions", ""},
	{"evaluatorId", "Evaluator ID", "str opts", "stringOptions", ""},
	{"ruleId", "Rule ID", "str opts", "stringOptions", ""},
}

// shapes are conditions of each type that are in order but for the column, with what becomes of their value.
var shapes = []struct {
	name, filterType string
	operators        string
	members          string
	want             Condition
}{
	{"str", "string", "=|contains|does not contain|starts with|ends with", `"value":"v"`, Condition{Text: "v"}},
	{"io", "string", "=|matches", `"value":"v"`, Condition{Text: "v"}},
	{"opts", "stringOptions", "any of|none of", `"value":["b","a","b"]`, Condition{Texts: []string{"a", "b"}}},
	{"arr", "arrayOptions", "any of|none of|all of", `"value":["a"]`, Condition{Texts: []string{"a"}}},
	{"num", "number", "=|>|<|>=|<=", `"value":-1.5e2`, Condition{Number: -150}},
	{"dt", "datetime", ">|<|>=|<=", `"value":"2026-08-22T10:11:12.123Z"`, Condition{Time: time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC)}},
	{"bool", "boolean", "=|<>", `"value":true`, Condition{Bool: true}},
	{"sobj", "stringObject", "=|contains|does not contain|starts with|ends with|matches", `"key":"a.b","value":"v"`, Condition{Key: "a.b", Text: "v"}},
	{"nobj", "numberObject", "=|>|<|>=|<=", `"key":"a.b","value":2`, Condition{Key: "a.b", Number: 2, IsNumber: true}},
	{"bobj", "booleanObject", "=|<>", `"key":"k","value":true`, Condition{}},
	{"cat", "categoryOptions", "any of|none of", `"key":"k","value":["a"]`, Condition{}},
	{"null", "null", "is null|is not null", `"value":""`, Condition{}},
	{"null", "null", "is null|is not null", `"value":null`, Condition{}},
	{"null", "null", "is null|is not null", `"note":"no value"`, Condition{}},
}

// Every column with every type and every operator is taken or refused as documented.
func TestColumnsAndOperators(t *testing.T) {
	for _, column := range documented {
		types := append(strings.Fields(column.types), "null")
		if column.types == "io" {
			types = []string{"io"}
		}
		for _, shape := range shapes {
			for operator := range strings.SplitSeq(shape.operators, "|") {
				for _, name := range []string{column.name, column.label} {
					text := fmt.Sprintf(`[{"type":%q,"column":%q,"operator":%q,%s}]`, shape.filterType, name, operator, shape.members)
					got, err := ParseFilter(text, ObservationFilter, "filter")
					isIO, ofIO := column.types == "io", shape.name == "io"
					switch {
					case slices.Contains(types, shape.name), isIO && shape.name == "str" && operator == "=":
						want := shape.want
						want.Column, want.Operator = Column(column.name), Operator(operator)
						if column.column != "" {
							want.Column = Column(column.column)
						}
						require.NoError(t, err, text)
						require.Equal(t, []Condition{want}, got, text)
						require.NoError(t, got[0].Validate(), text)
					case isIO && shape.filterType == "string":
						require.EqualError(t, err, "Input/output filters require at least one `matches` or `=` operator.", text)
					case isIO:
						require.EqualError(t, err, "Input/output filters only support filter type `string`.", text)
					case ofIO && operator == "=" && slices.Contains(types, "str"):
						require.NoError(t, err, text)
					case ofIO && slices.Contains(types, "str"):
						require.EqualError(t, err, "`matches` is only supported for input, output, and metadata filters.", text)
					default:
						require.EqualError(t, err, fmt.Sprintf("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.",
							shape.filterType, name, column.kind), text)
					}
				}
			}
		}
	}
	assert.Len(t, kinds, len(documented)-4+1, "all columns are documented, but for the one of experiment items; four have two names")
}

func TestUnknownColumns(t *testing.T) {
	for _, name := range []string{"foo", "", "scores", "scores_avg", "score_categories", "commentCount", "NAME", "trace_id"} {
		_, err := ParseFilter(fmt.Sprintf(`[{"type":"string","column":%q,"operator":"=","value":""}]`, name), ObservationFilter, "filter")
		var refusal *validation.Refusal
		require.ErrorAs(t, err, &refusal, name)
		assert.Equal(t, "Column "+name+" does not match a UI / CH table mapping.", refusal.Message)
	}
}

func TestFilterRefusals(t *testing.T) {
	condition := func(filterType, column, operator, value string) string {
		return fmt.Sprintf(`{"type":%q,"column":%q,"operator":%q,"key":"k","value":%s}`, filterType, column, operator, value)
	}
	for filter, want := range map[string]string{
		`no json`: "Invalid JSON in filter parameter",
		`[`:       "Invalid JSON in filter parameter",
		` `:       "Invalid JSON in filter parameter",
		"[" + condition("string", "startTime", "=", `"x"`) + "]":                                                      "Invalid filter type 'string' for column 'startTime'. Expected filter type 'datetime'.",
		"[" + condition("string", "input", "matches", `"- ! -"`) + "]":                                                "`matches` requires at least one search token.",
		"[" + condition("stringObject", "metadata", "matches", `""`) + "]":                                            "`matches` requires at least one search token.",
		"[" + condition("string", "output", "contains", `"x"`) + "]":                                                  "Input/output filters require at least one `matches` or `=` operator.",
		"[" + condition("string", "output", "contains", `"x"`) + "," + condition("string", "input", "=", `"x"`) + "]": "Input/output filters only support the operators `matches` and `=`.",
		"[" + condition("null", "input", "is null", `""`) + "]":                                                       "Input/output filters only support filter type `string`.",
		"[" + condition("stringObject", "output", "=", `"x"`) + "]":                                                   "Input/output filters only support filter type `string`.",
		"[" + condition("string", "name", "matches", `"x"`) + "]":                                                     "`matches` is only supported for input, output, and metadata filters.",
		"[" + condition("string", "foo", "=", `"x"`) + "," + condition("number", "name", "=", `1`) + "]":              "Column foo does not match a UI / CH table mapping.",
	} {
		_, err := ParseFilter(filter, ObservationFilter, "filter")
		var refusal *validation.Refusal
		require.ErrorAs(t, err, &refusal, filter)
		assert.Equal(t, want, refusal.Message, filter)
	}
}

func TestFilterIssues(t *testing.T) {
	const text = `"type":"string","column":"name","operator":"=",`
	many := "[" + strings.TrimSuffix(strings.Repeat(`{`+text+`"value":""},`, MaxConditions+1), ",") + "]"
	long := strings.Repeat("ü", MaxTextLength+1)
	list := `["` + strings.Repeat(`a","`, MaxConditionTexts) + `a"]`
	for _, tc := range []struct {
		filter, message, code string
		path                  []any
	}{
		{`{}`, "Invalid input: expected array, received object", "invalid_type", nil},
		{`"x"`, "Invalid input: expected array, received string", "invalid_type", nil},
		{`null`, "Invalid input: expected array, received null", "invalid_type", nil},
		{`[1]`, "Invalid input: expected object, received number", "invalid_type", []any{0}},
		{`[null]`, "Invalid input: expected object, received null", "invalid_type", []any{0}},
		{`[{}]`, "Invalid input", "invalid_union", []any{0, "type"}},
		{`[{"type":"text"}]`, "Invalid input", "invalid_union", []any{0, "type"}},
		{`[{"type":1}]`, "Invalid input", "invalid_union", []any{0, "type"}},
		{`[{"type":"string","operator":"=","value":""}]`, "Invalid input: expected string, received undefined", "invalid_type", []any{0, "column"}},
		{`[{"type":"string","column":1,"operator":"=","value":""}]`, "Invalid input: expected string, received number", "invalid_type", []any{0, "column"}},
		{`[{"type":"string","column":"` + long[:500] + `","operator":"=","value":""}]`, "Too big: expected string to have <=200 characters", "too_big", []any{0, "column"}},
		{`[{"type":"number","column":"latency","value":1}]`, `Invalid option: expected one of "="|">"|"<"|">="|"<="`, "invalid_value", []any{0, "operator"}},
		{`[{"type":"datetime","column":"startTime","operator":"=","value":1}]`, `Invalid option: expected one of ">"|"<"|">="|"<="`, "invalid_value", []any{0, "operator"}},
		{`[{"type":"string","column":"name","operator":"any of","value":""}]`, `Invalid option: expected one of "="|"contains"|"does not contain"|"starts with"|"ends with"|"matches"`, "invalid_value", []any{0, "operator"}},
		{`[{"type":"boolean","column":"hasInput","operator":">","value":true}]`, `Invalid option: expected one of "="|"<>"`, "invalid_value", []any{0, "operator"}},
		{`[{"type":"null","column":"name","operator":"=","value":""}]`, `Invalid option: expected one of "is null"|"is not null"`, "invalid_value", []any{0, "operator"}},
		{`[{"type":"positionInTrace","column":"name","operator":">"}]`, `Invalid input: expected "="`, "invalid_value", []any{0, "operator"}},
		{`[{"type":"null","column":"name","operator":"is null","value":"x"}]`, `Invalid input: expected ""`, "invalid_value", []any{0, "value"}},
		{`[{"type":"null","column":"name","operator":"is null","value":0}]`, `Invalid input: expected ""`, "invalid_value", []any{0, "value"}},
		{`[{` + text + `"x":1}]`, "Invalid input: expected string, received undefined", "invalid_type", []any{0, "value"}},
		{`[{` + text + `"value":null}]`, "Invalid input: expected string, received null", "invalid_type", []any{0, "value"}},
		{`[{` + text + `"value":["a"]}]`, "Invalid input: expected string, received array", "invalid_type", []any{0, "value"}},
		{`[{` + text + `"value":"` + long + `"}]`, "Too big: expected string to have <=32768 characters", "too_big", []any{0, "value"}},
		{`[{"type":"number","column":"latency","operator":"=","value":"1"}]`, "Invalid input: expected number, received string", "invalid_type", []any{0, "value"}},
		{`[{"type":"number","column":"latency","operator":"=","value":1e999}]`, "Invalid input: expected number, received NaN", "invalid_type", []any{0, "value"}},
		{`[{"type":"number","column":"latency","operator":"="}]`, "Invalid input: expected number, received undefined", "invalid_type", []any{0, "value"}},
		{`[{"type":"boolean","column":"hasInput","operator":"=","value":"true"}]`, "Invalid input: expected boolean, received string", "invalid_type", []any{0, "value"}},
		{`[{"type":"boolean","column":"hasInput","operator":"="}]`, "Invalid input: expected boolean, received undefined", "invalid_type", []any{0, "value"}},
		{`[{"type":"datetime","column":"startTime","operator":">","value":"soon"}]`, "Invalid input: expected date, received Date", "invalid_type", []any{0, "value"}},
		{`[{"type":"datetime","column":"startTime","operator":">"}]`, "Invalid input: expected date, received undefined", "invalid_type", []any{0, "value"}},
		{`[{"type":"stringOptions","column":"name","operator":"any of","value":[]}]`, "Too small: expected array to have >=1 items", "too_small", []any{0, "value"}},
		{`[{"type":"stringOptions","column":"name","operator":"none of","value":[]}]`, "Too small: expected array to have >=1 items", "too_small", []any{0, "value"}},
		{`[{"type":"arrayOptions","column":"tags","operator":"any of","value":[]}]`, "Too small: expected array to have >=1 items", "too_small", []any{0, "value"}},
		{`[{"type":"stringOptions","column":"name","operator":"any of","value":"a"}]`, "Invalid input: expected array, received string", "invalid_type", []any{0, "value"}},
		{`[{"type":"stringOptions","column":"name","operator":"any of"}]`, "Invalid input: expected array, received undefined", "invalid_type", []any{0, "value"}},
		{`[{"type":"stringOptions","column":"name","operator":"any of","value":["a",1]}]`, "Invalid input: expected string, received number", "invalid_type", []any{0, "value", 1}},
		{`[{"type":"stringOptions","column":"name","operator":"any of","value":` + list + `}]`, "Too big: expected array to have <=1000 items", "too_big", []any{0, "value"}},
		{`[{"type":"stringOptions","column":"name","operator":"any of","value":["` + long + `"]}]`, "Too big: expected string to have <=32768 characters", "too_big", []any{0, "value"}},
		{`[{"type":"stringObject","column":"metadata","operator":"=","value":""}]`, "Invalid input: expected string, received undefined", "invalid_type", []any{0, "key"}},
		{`[{"type":"stringObject","column":"metadata","key":"","operator":"=","value":""}]`, "Too small: expected string to have >=1 characters", "too_small", []any{0, "key"}},
		{`[{"type":"numberObject","column":"metadata","key":"k","operator":"=","value":"1"}]`, "Invalid input: expected number, received string", "invalid_type", []any{0, "value"}},
		{many, "Too big: expected array to have <=100 items", "too_big", nil},
		{"[" + strings.Repeat(" ", maxFilterTextBytes) + "]", "Too big: a filter has at most 131072 bytes, not 131074", "custom", nil},
	} {
		_, err := ParseFilter(tc.filter, ObservationFilter, "filter")
		var issues validation.Issues
		require.ErrorAs(t, err, &issues, "%.200s", tc.filter)
		require.Len(t, issues, 1, "%.200s", tc.filter)
		assert.Equal(t, append([]any{"filter"}, tc.path...), issues[0].Path, "%.200s", tc.filter)
		assert.Equal(t, tc.message, issues[0].Message, "%.200s", tc.filter)
		assert.Equal(t, tc.code, issues[0].Code, "%.200s", tc.filter)
	}
}

func TestUnknownTypeAsTheServiceSaysIt(t *testing.T) {
	_, err := ParseFilter(`[{"type":"text"}]`, ObservationFilter, "filter")
	text, marshalError := json.Marshal(err)
	require.NoError(t, marshalError)
	assert.JSONEq(t, `[{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type",
		"path":["filter",0,"type"],"message":"Invalid input"}]`, string(text))
}

func TestFilterValues(t *testing.T) {
	for filter, want := range map[string][]Condition{
		`[]`:    {},
		` [ ] `: {},
		`[{"type":"arrayOptions","column":"tags","operator":"all of","value":[]}]`:               {{Column: ColumnTags, Operator: OpAllOf, Texts: []string{}}},
		`[{"type":"arrayOptions","column":"tags","operator":"none of","value":[]}]`:              {{Column: ColumnTags, Operator: OpNoneOf, Texts: []string{}}},
		`[{"type":"positionInTrace","column":"anything","operator":"=","key":"last","value":1}]`: {},
		`[{"type":"null","column":"metadata","key":"k","operator":"is null"}]`:                   {{Column: ColumnMetadata, Key: "k", Operator: OpIsNull}},
		`[{"type":"null","column":"name","key":"k","operator":"is null"}]`:                       {{Column: ColumnName, Operator: OpIsNull}},
		`[{"type":"string","column":"name","operator":"=","value":"\ud800"}]`:                    {{Column: ColumnName, Operator: OpEqual, Text: "\uFFFD"}},
		`[{"type":"string","column":"input","operator":"=","value":"a"},{"type":"string","column":"output","operator":"matches","value":"b"}]`: {
			{Column: ColumnInput, Operator: OpEqual, Text: "a"},
			{Column: ColumnOutput, Operator: OpMatches, Text: "b"},
		},
		`[{"type":"datetime","column":"endTime","operator":"<","value":1787393472123.9}]`: {{Column: ColumnEndTime, Operator: OpLess, Time: time.UnixMilli(1787393472123).UTC()}},
		`[{"type":"datetime","column":"endTime","operator":"<","value":"2026-08-22"}]`:    {{Column: ColumnEndTime, Operator: OpLess, Time: at("2026-08-22T00:00:00Z")}},
	} {
		got, err := ParseFilter(filter, ObservationFilter, "filter")
		require.NoError(t, err, filter)
		assert.Equal(t, want, got, filter)
	}
}

// Other lists have other columns, and other words for what is wrong.
func TestOtherTable(t *testing.T) {
	table := NewFilterTable(FilterColumn{Name: "id", Column: ColumnExperimentID, Type: FilterString}).WithMistakes(
		func(_ string, at []any) error { return validation.Issues{validation.NotOneOf([]string{"id"}, at...)} }, nil)
	got, err := ParseFilter(`[{"type":"string","column":"id","operator":"=","value":"e"}]`, table, "query", "filters")
	require.NoError(t, err)
	assert.Equal(t, []Condition{{Column: ColumnExperimentID, Operator: OpEqual, Text: "e"}}, got)

	_, err = ParseFilter(`[{"type":"string","column":"a","operator":"=","value":""},{"type":"string","column":"b","operator":"=","value":""}]`, table, "query", "filters")
	assert.Equal(t, validation.Issues{
		validation.NotOneOf([]string{"id"}, "query", "filters", 0, "column"),
		validation.NotOneOf([]string{"id"}, "query", "filters", 1, "column"),
	}, err)
	_, err = ParseFilter(`[{"type":"number","column":"id","operator":"=","value":1}]`, table, "filter")
	require.EqualError(t, err, "Invalid filter type 'number' for column 'id'. Expected filter type 'string'.")

	other := table.WithMistakes(nil, func(FilterType, string, FilterType) error { return validation.Refuse("other") })
	_, err = ParseFilter(`[{"type":"number","column":"id","operator":"=","value":1}]`, other, "filter")
	require.EqualError(t, err, "other")
}
