// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/validation"
)

const project = "project-1"

func at(text string) time.Time {
	t, ok := validation.ParseTime(text)
	if !ok {
		panic(text)
	}
	return t
}

// parse reads a query that must be in order.
func parse(t *testing.T, rawQuery string) ObservationsRequest {
	t.Helper()
	request, err := ParseObservations(project, rawQuery)
	require.NoError(t, err, rawQuery)
	require.NoError(t, request.Query.Validate(), rawQuery)
	return request
}

// issuesOf are the issues of a query that must have some.
func issuesOf(t *testing.T, rawQuery string) validation.Issues {
	t.Helper()
	_, err := ParseObservations(project, rawQuery)
	var issues validation.Issues
	require.ErrorAs(t, err, &issues, rawQuery)
	return issues
}

// refusalOf is why a query is refused.
func refusalOf(t *testing.T, rawQuery string) string {
	t.Helper()
	_, err := ParseObservations(project, rawQuery)
	var refusal *validation.Refusal
	require.ErrorAs(t, err, &refusal, rawQuery)
	return refusal.Message
}

func withFilter(filter string, others ...string) string {
	return strings.Join(append(others, "filter="+url.QueryEscape(filter)), "&")
}

func TestNothingSaid(t *testing.T) {
	want := ObservationsRequest{Query: Observations{Project: project, Groups: GroupBasic, Limit: 50}}
	for _, rawQuery := range []string{"", "filter=", "cursor=", "fields=", "expandMetadata=", "unknown=1&unknown=2", "parseIoAsJson=false", "filter=%5B%5D", "&&"} {
		assert.Equal(t, want, parse(t, rawQuery), rawQuery)
	}
}

func TestFixedParameters(t *testing.T) {
	text := func(column Column, value string) []Condition {
		return []Condition{{Column: column, Operator: OpEqual, Text: value}}
	}
	environments := func(values ...string) []Condition {
		return []Condition{{Column: ColumnEnvironment, Operator: OpAnyOf, Texts: values}}
	}
	for rawQuery, want := range map[string][]Condition{
		"name=chat":                     text(ColumnName, "chat"),
		"name=":                         text(ColumnName, ""),
		"name=a;b":                      text(ColumnName, "a;b"),
		"name=a%2Cb+c":                  text(ColumnName, "a,b c"),
		"name=%ff":                      text(ColumnName, "\uFFFD"),
		"userId=":                       text(ColumnUserID, ""),
		"userId=user-%C3%BC":            text(ColumnUserID, "user-ü"),
		"sessionId=s":                   text(ColumnSessionID, "s"),
		"sessionId=":                    text(ColumnSessionID, ""),
		"traceId=0af7":                  text(ColumnTraceID, "0af7"),
		"version=1.0":                   text(ColumnVersion, "1.0"),
		"version=":                      text(ColumnVersion, ""),
		"parentObservationId=p":         text(ColumnParentObservationID, "p"),
		"parentObservationId=":          text(ColumnParentObservationID, ""),
		"parentObservationId":           text(ColumnParentObservationID, ""),
		"isRootObservation=true":        {{Column: ColumnIsRootObservation, Operator: OpEqual, Bool: true}},
		"isRootObservation=false":       {{Column: ColumnIsRootObservation, Operator: OpEqual}},
		"environment=a":                 environments("a"),
		"environment=a,b":               environments("a", "b"),
		"environment=a,+b":              environments("a", " b"),
		"environment=":                  environments(""),
		"environment=a&environment=b":   environments("a", "b"),
		"environment=a,b&environment=c": environments("a,b", "c"),
		"name=n&userId=u&traceId=t&level=ERROR": {
			{Column: ColumnName, Operator: OpEqual, Text: "n"},
			{Column: ColumnUserID, Operator: OpEqual, Text: "u"},
			{Column: ColumnTraceID, Operator: OpEqual, Text: "t"},
			{Column: ColumnLevel, Operator: OpEqual, Text: "ERROR"},
		},
	} {
		assert.Equal(t, want, parse(t, rawQuery).Query.Where, rawQuery)
	}
	for _, name := range []string{"GENERATION", "SPAN", "EVENT", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"} {
		assert.Equal(t, text(ColumnType, name), parse(t, "type="+name).Query.Where)
	}
	for _, name := range []string{"DEBUG", "DEFAULT", "WARNING", "ERROR"} {
		assert.Equal(t, text(ColumnLevel, name), parse(t, "level="+name).Query.Where)
	}
}

func TestLimit(t *testing.T) {
	for rawQuery, want := range map[string]int{
		"": 50, "limit=": 0, "limit=0": 0, "limit=1": 1, "limit=1000": 1000, "limit=1e2": 100, "limit=+7": 7, "limit=10.0": 10,
	} {
		assert.Equal(t, want, parse(t, rawQuery).Query.Limit, rawQuery)
	}
}

func TestFields(t *testing.T) {
	for value, want := range map[string]Groups{
		"core": 0, "basic": GroupBasic, "time": GroupTime, "io": GroupIO, "metadata": GroupMetadata, "model": GroupModel, "usage": GroupUsage,
		"prompt": GroupPrompt, "metrics": GroupMetrics, "trace_context": GroupTraceContext,
		"core,basic": GroupBasic, "io,+metadata+,model": GroupIO | GroupMetadata | GroupModel, "io,io": GroupIO,
		"nothing": 0, "nothing,io": GroupIO, ",": 0, "IO": 0, "tools": 0,
		"io&fields=usage": GroupIO | GroupUsage, "core&fields=io,metrics": GroupIO | GroupMetrics,
	} {
		assert.Equal(t, want, parse(t, "fields="+value).Query.Groups, value)
	}
	issues := issuesOf(t, "fields=io&fields=nothing")
	require.Len(t, issues, 1)
	assert.Equal(t, "invalid_value", issues[0].Code)
	assert.Equal(t, []any{"fields", 1}, issues[0].Path)
	assert.Equal(t, `Invalid option: expected one of "core"|"basic"|"time"|"io"|"metadata"|"model"|"usage"|"prompt"|"metrics"|"trace_context"`, issues[0].Message)
}

func TestExpandMetadata(t *testing.T) {
	assert.Equal(t, map[string]bool{"a": true, "b.c": true}, parse(t, "expandMetadata=a,+b.c+,,").ExpandMetadata)
	assert.Len(t, parse(t, "expandMetadata="+manyKeys(1000)).ExpandMetadata, 1000)
	_, err := ParseObservations("p", "expandMetadata="+manyKeys(1001))
	require.EqualError(t, err, "expandMetadata: Too big: expected array to have <=1000 items")
	assert.Empty(t, parse(t, "expandMetadata=,+,").ExpandMetadata)
}

func TestTimes(t *testing.T) {
	for rawQuery, want := range map[string][2]time.Time{
		"fromStartTime=2026-08-22T10:11:12.123Z":       {time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC)},
		"fromStartTime=2026-08-22T10:11Z":              {time.Date(2026, 8, 22, 10, 11, 0, 0, time.UTC)},
		"toStartTime=2026-08-22T10:11:12%2B02:00":      {{}, time.Date(2026, 8, 22, 8, 11, 12, 0, time.UTC)},
		"toStartTime=2026-08-22T10:11:12.123999-00:30": {{}, time.Date(2026, 8, 22, 10, 41, 12, 123e6, time.UTC)},
		"toStartTime=0001-01-01T00:00:00Z":             {{}, time.Date(1, 1, 1, 0, 0, 0, 1e6, time.UTC)},
	} {
		q := parse(t, rawQuery).Query
		assert.Equal(t, want, [2]time.Time{q.From, q.To}, rawQuery)
	}
	for _, text := range []string{
		"", "2026-08-22", "2026-08-22T10:11:12", "2026-08-22T10:11:12%2B0000", "2026-08-22+10:11:12Z", "2026-08-22T10:11:12z",
		"2026-02-30T10:11:12Z", "2026-08-22T10:11:12+02:00", "1724320272123", "now", "2026-08-22T10:11:12,5Z", "2026-8-22T10:11:12Z",
	} {
		for _, name := range []string{"fromStartTime", "toStartTime"} {
			assert.Equal(t, validation.Issues{{
				Code: "invalid_format", Origin: "string", Format: "datetime", Path: []any{name}, Message: "Invalid ISO datetime",
			}}, issuesOf(t, name+"="+text), text)
		}
	}
}

func TestParameterIssues(t *testing.T) {
	for rawQuery, want := range map[string][3]string{ // path, code, message
		"limit=1001":      {"limit", "too_big", "Too big: expected number to be <=1000"},
		"limit=-1":        {"limit", "too_small", "Too small: expected number to be >=0"},
		"limit=abc":       {"limit", "invalid_type", "Invalid input: expected number, received NaN"},
		"limit=Infinity":  {"limit", "invalid_type", "Invalid input: expected number, received NaN"},
		"limit=0x10p0":    {"limit", "invalid_type", "Invalid input: expected number, received NaN"},
		"limit=1.5":       {"limit", "invalid_type", "Invalid input: expected int, received number"},
		"limit=1&limit=2": {"limit", "invalid_type", "Invalid input: expected string, received array"},
		"type=span": {"type", "invalid_value", `Invalid option: expected one of "GENERATION"|"SPAN"|"EVENT"|"AGENT"|"TOOL"|"CHAIN"|"RETRIEVER"|` +
			`"EVALUATOR"|"EMBEDDING"|"GUARDRAIL"`},
		"level=":                 {"level", "invalid_value", `Invalid option: expected one of "DEBUG"|"DEFAULT"|"WARNING"|"ERROR"`},
		"isRootObservation=1":    {"isRootObservation", "invalid_value", `Invalid option: expected one of "true"|"false"`},
		"isRootObservation=True": {"isRootObservation", "invalid_value", `Invalid option: expected one of "true"|"false"`},
		"parseIoAsJson=yes":      {"parseIoAsJson", "invalid_value", `Invalid option: expected one of "true"|"false"`},
		"parseIoAsJson=true": {"parseIoAsJson", "custom", "parseIoAsJson=true is no longer supported on the v2 observations endpoint. " +
			"Input/output fields are always returned as raw strings. Remove the parseIoAsJson parameter or set it to false."},
		"name=%zz": {"name", "custom", `The value cannot be read: invalid URL escape "%zz"`},
		"environment=" + strings.Repeat("a,", MaxConditionTexts): {"environment", "too_big", "Too big: expected array to have <=1000 items"},
		"userId=" + strings.Repeat("a", MaxTextLength+1):         {"userId", "too_big", "Too big: expected string to have <=32768 characters"},
	} {
		issues := issuesOf(t, rawQuery)
		require.Len(t, issues, 1, rawQuery)
		assert.Equal(t, []any{want[0]}, issues[0].Path, rawQuery)
		assert.Equal(t, want[1], issues[0].Code, rawQuery)
		assert.Equal(t, want[2], issues[0].Message, rawQuery)
	}
	for _, name := range []string{
		"name", "userId", "sessionId", "traceId", "version", "parentObservationId", "type", "level", "isRootObservation", "fromStartTime",
		"toStartTime", "filter", "cursor", "parseIoAsJson", "expandMetadata",
	} {
		assert.Equal(t, validation.Issues{{
			Code: "invalid_type", Expected: "string", Path: []any{name}, Message: "Invalid input: expected string, received array",
		}}, issuesOf(t, name+"=a&"+name+"=b"), name)
	}
}

func TestAllIssuesAtOnce(t *testing.T) {
	issues := issuesOf(t, withFilter(`[{"type":"string","column":"name","operator":"like","value":1},{"type":"x"}]`,
		"limit=5000", "level=x", "fromStartTime=x", "cursor=e30"))
	var paths [][]any
	for _, issue := range issues {
		paths = append(paths, issue.Path)
	}
	assert.ElementsMatch(t, [][]any{
		{"limit"},
		{"level"},
		{"fromStartTime"},
		{"filter", 0, "operator"},
		{"filter", 0, "value"},
		{"filter", 1, "type"},
		{"cursor", "v"},
		{"cursor", "list"},
		{"cursor", "project"},
		{"cursor", "lastStartTimeTo"},
		{"cursor", "lastTraceId"},
		{"cursor", "lastId"},
	}, paths)
	assert.Len(t, issuesOf(t, "filter=no+json&limit=x"), 1, "an issue goes before a refusal")
}

func TestPrecedence(t *testing.T) {
	condition := func(column, operator string) string {
		return `[{"type":"string","column":"` + column + `","operator":"` + operator + `","value":"f"}]`
	}
	for _, tc := range []struct {
		column, parameter string
		drops             bool
	}{
		{"userId", "userId", true},
		{"User ID", "userId", true},
		{"sessionId", "sessionId", true},
		{"traceId", "traceId", true},
		{"name", "name", true},
		{"parentObservationId", "parentObservationId", true},
		{"version", "version", true},
		{"environment", "environment", true},
		{"traceEnvironment", "environment", true},
		{"traceName", "name", false},
		{"userId", "sessionId", false},
		{"id", "traceId", false},
	} {
		where := parse(t, withFilter(condition(tc.column, "starts with"), tc.parameter+"=p")).Query.Where
		want := 2
		if tc.drops {
			want = 1
		}
		require.Len(t, where, want, tc)
		assert.Equal(t, OpStartsWith, where[want-1].Operator, tc)
	}
	where := parse(t, withFilter(`[{"type":"boolean","column":"isRootObservation","operator":"<>","value":true}]`, "isRootObservation=true")).Query.Where
	assert.Equal(t, []Condition{{Column: ColumnIsRootObservation, Operator: OpNotEqual, Bool: true}}, where)
	for column, parameter := range map[string]string{"type": "type=SPAN", "level": "level=ERROR"} {
		where := parse(t, withFilter(`[{"type":"stringOptions","column":"`+column+`","operator":"none of","value":["X"]}]`, parameter)).Query.Where
		assert.Equal(t, []Condition{{Column: Column(column), Operator: OpNoneOf, Texts: []string{"X"}}}, where)
	}
	where = parse(t, withFilter(`[{"type":"positionInTrace","column":"name","operator":"=","key":"last"}]`, "name=n")).Query.Where
	assert.Equal(t, []Condition{{Column: ColumnName, Operator: OpEqual, Text: "n"}}, where, "what is ignored drops nothing")
}

func TestStartTimeInTheFilter(t *testing.T) {
	const fixed = "fromStartTime=2020-01-01T00:00:00Z&toStartTime=2021-01-01T00:00:00Z"
	from, to := at("2026-08-22T00:00:00Z"), at("2026-08-23T00:00:00Z")
	condition := func(operator, value string) string {
		return `{"type":"datetime","column":"startTime","operator":"` + operator + `","value":` + value + `}`
	}
	for filter, want := range map[string][2]time.Time{
		condition(">=", `"2026-08-22"`):                                        {from},
		condition(">", `"2026-08-22"`):                                         {from},
		condition("<", `"2026-08-23"`):                                         {{}, to},
		condition("<=", `"2026-08-23"`):                                        {{}, to.Add(time.Millisecond)},
		condition(">", `"2026-08-22"`) + "," + condition("<", `"2026-08-23"`):  {from, to},
		condition(">", `"2026-08-01"`) + "," + condition(">", `"2026-08-22"`):  {from},
		condition("<", `"2026-08-23"`) + "," + condition("<=", `"2026-08-30"`): {{}, to},
		condition(">", "1787356800000"):                                        {time.UnixMilli(1787356800000).UTC()},
		`{"type":"null","column":"startTime","operator":"is not null"}`:        {},
	} {
		q := parse(t, withFilter("["+filter+"]", fixed)).Query
		assert.Equal(t, want, [2]time.Time{q.From, q.To}, filter)
		assert.NotEmpty(t, q.Where, "the conditions still decide")
	}
	q := parse(t, withFilter(`[{"type":"datetime","column":"endTime","operator":">","value":"2026-08-22"}]`, fixed)).Query
	assert.Equal(t, [2]time.Time{at("2020-01-01T00:00:00Z"), at("2021-01-01T00:00:00Z")}, [2]time.Time{q.From, q.To})
}

func TestCursorParameter(t *testing.T) {
	key := ObservationKey{Start: at("2026-08-22T10:11:12.123Z"), TraceID: "t", ID: "i"}
	assert.Equal(t, &key, parse(t, "cursor="+key.Cursor(project)).Query.After)
	assert.Equal(t, "Invalid cursor: it belongs to another project", refusalOf(t, "cursor="+key.Cursor("other")))
	assert.Equal(t, "Invalid cursor format", refusalOf(t, "cursor=x"))
}

func TestNoProject(t *testing.T) {
	_, err := ParseObservations("", "")
	require.ErrorContains(t, err, "a query needs a project")
}

func manyKeys(n int) string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	return strings.Join(keys, ",")
}
