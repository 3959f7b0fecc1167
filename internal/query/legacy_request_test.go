// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

func equalTo(column Column, text string) Condition {
	return Condition{Column: column, Operator: OpEqual, Text: text}
}

func TestTraceParameters(t *testing.T) {
	from, to := at("2026-08-22T00:00:00Z"), at("2026-08-23T00:00:00Z")
	for rawQuery, want := range map[string]Traces{
		"": {}, "fields=&orderBy=&filter=&name=&tags=&environment=&page=&limit=&unknown=1": {},
		"page=3&limit=10":                 {Limit: 10, Offset: 20},
		"fields=core":                     {Parts: 1 << 7}, // stands for none, see below
		"fields=io,metrics,unknown":       {Parts: TraceIO | TraceMetrics},
		"fields=observations,+scores":     {Parts: TraceObservations | TraceScores},
		"userId=u":                        {Where: []Condition{equalTo(ColumnUserID, "u")}},
		"name=a,b":                        {Where: []Condition{equalTo(ColumnName, "a,b")}},
		"sessionId=s&version=v&release=r": {Where: []Condition{equalTo(ColumnSessionID, "s"), equalTo(ColumnVersion, "v"), equalTo(ColumnRelease, "r")}},
		"environment=a&environment=b":     {Where: anyOfTexts(ColumnEnvironment, "a", "b")},
		"tags=a&tags=b":                   {Where: []Condition{{Column: ColumnTags, Operator: OpAllOf, Texts: []string{"a", "b"}}}},
		"fromTimestamp=2026-08-22T00:00:00Z&toTimestamp=2026-08-23T00:00:00Z": {From: from, To: to},
		"orderBy=timestamp.asc":  {OrderBy: []TraceOrder{{Column: ColumnStartTime}}},
		"orderBy=totalCost.desc": {OrderBy: []TraceOrder{{Column: ColumnTotalCost, Descending: true}}},
		"name=a&" + withFilter(`[{"type":"string","column":"traceName","operator":"=","value":"b"}]`): {Where: []Condition{equalTo(ColumnName, "b")}},
		"toTimestamp=2020-01-01T00:00:00Z&" + withFilter(`[{"type":"datetime","column":"Timestamp","operator":">=","value":"2026-08-22"}]`): {
			From: from, Where: []Condition{{Column: ColumnStartTime, Operator: OpGreaterOrEqual, Time: from}},
		},
	} {
		want.Project, want.WithTotal = project, true
		if want.Limit == 0 {
			want.Limit = 50
		}
		switch want.Parts {
		case 0:
			want.Parts = TraceAll
		case 1 << 7:
			want.Parts = 0
		}
		got, page, err := ParseTraces(project, rawQuery)
		require.NoError(t, err, rawQuery)
		assert.Equal(t, want, got, rawQuery)
		assert.Equal(t, validation.Page{Number: 1 + want.Offset/want.Limit, Limit: want.Limit}, page)
	}
	parts, err := ParseTraceParts("fields=io")
	require.NoError(t, err)
	assert.Equal(t, TraceIO, parts)
	for _, name := range []string{"nothing", "timestamp", "timestamp.up", "public.asc", ".asc", "timestamp.asc.asc"} {
		_, _, err := ParseTraces(project, "orderBy="+name)
		require.EqualError(t, err, "orderBy: Invalid orderBy: expected one of timestamp, id, name, userId, sessionId, release, version, environment, latency, totalCost followed by .asc or .desc")
	}
}

func TestLegacyObservationParameters(t *testing.T) {
	for rawQuery, want := range map[string]Observations{
		"": {}, "name=&type=&level=&parentObservationId=&environment=&filter=": {},
		"page=2&limit=7": {Limit: 7, Offset: 7},
		"name=n&userId=u&traceId=t&parentObservationId=p&version=v&type=SPAN&level=ERROR": {Where: []Condition{
			equalTo(ColumnName, "n"), equalTo(ColumnUserID, "u"), equalTo(ColumnTraceID, "t"), equalTo(ColumnParentObservationID, "p"),
			equalTo(ColumnVersion, "v"), equalTo(ColumnType, "SPAN"), equalTo(ColumnLevel, "ERROR"),
		}},
		"environment=a,b": {Where: anyOfTexts(ColumnEnvironment, "a,b")},
		"fromStartTime=2026-08-22T00:00:00Z&toStartTime=2026-08-23T00:00:00Z":                    {From: at("2026-08-22T00:00:00Z"), To: at("2026-08-23T00:00:00Z")},
		"name=n&" + withFilter(`[{"type":"string","column":"name","operator":"=","value":"b"}]`): {Where: []Condition{equalTo(ColumnName, "b")}},
	} {
		want.Project, want.WithTotal, want.Groups = project, true, GroupAll
		if want.Limit == 0 {
			want.Limit = 50
		}
		got, _, err := ParseLegacyObservations(project, rawQuery)
		require.NoError(t, err, rawQuery)
		assert.Equal(t, want, got, rawQuery)
	}
}

func TestLegacyScoreParameters(t *testing.T) {
	for rawQuery, want := range map[string]LegacyScoresRequest{
		"": {WithTrace: true}, "source=&dataType=&operator=&value=&fields=&scoreIds=": {WithTrace: true},
		"fields=score":        {},
		"fields=score,trace":  {WithTrace: true},
		"operator=!=&value=1": {WithTrace: true, Query: Scores{Compare: &ScoreComparison{OpNotEqual, 1}}},
		"operator=<&value=-1": {WithTrace: true, Query: Scores{Compare: &ScoreComparison{OpLess, -1}}},
		"operator=<":          {WithTrace: true},
		"source=EVAL&dataType=TEXT": {WithTrace: true, Query: Scores{
			Sources: []model.ScoreSource{model.ScoreFromEval}, DataTypes: []model.ScoreDataType{model.ScoreText},
		}},
		"scoreIds=a,+b&name=n&userId=u&configId=c&queueId=q&environment=e&traceTags=x&traceTags=y": {WithTrace: true, Query: Scores{
			IDs: []string{"a", "b"}, Names: []string{"n"}, UserIDs: []string{"u"}, ConfigIDs: []string{"c"}, QueueIDs: []string{"q"},
			Environments: []string{"e"}, TraceTags: []string{"x", "y"},
		}},
		"traceId=t&sessionId=s&datasetRunId=e&observationId=o,p": {WithTrace: true, Query: Scores{
			TraceIDs: []string{"t"}, SessionIDs: []string{"s"}, ExperimentIDs: []string{"e"}, ObservationIDs: []string{"o", "p"},
		}},
		withFilter(`[{"type":"number","column":"value","operator":">","value":1}]`): {WithTrace: true, Query: Scores{
			Where: []Condition{{Column: ColumnValue, Operator: OpGreater, Number: 1}},
		}},
	} {
		want.Page = validation.Page{Number: 1, Limit: 50}
		want.Query.Project, want.Query.Limit, want.Query.WithTotal = project, 50, true
		got, err := ParseLegacyScores(project, rawQuery, 2)
		require.NoError(t, err, rawQuery)
		assert.Equal(t, want, got, rawQuery)
	}
	first, err := ParseLegacyScores(project, "traceId=t", 1)
	require.NoError(t, err)
	assert.True(t, first.Query.OnlyOfTraces)
	assert.Equal(t, []model.ScoreDataType{model.ScoreCorrection}, first.Query.ExceptDataTypes)
	assert.Empty(t, first.Query.TraceIDs, "a parameter of the second version")
}

func TestSessionAndDailyParameters(t *testing.T) {
	from, to := at("2026-08-22T00:00:00Z"), at("2026-08-23T00:00:00Z")
	const times = "fromTimestamp=2026-08-22T00:00:00Z&toTimestamp=2026-08-23T00:00:00Z"
	sessions, page, err := ParseSessions(project, times+"&environment=a&environment=b&page=2&limit=3")
	require.NoError(t, err)
	assert.Equal(t, Sessions{Project: project, From: from, To: to, Environments: []string{"a", "b"}, Limit: 3, Offset: 3, WithTotal: true}, sessions)
	assert.Equal(t, validation.Page{Number: 2, Limit: 3}, page)
	daily, _, err := ParseDaily(project, times+"&traceName=n&userId=u&tags=x&tags=y&environment=e")
	require.NoError(t, err)
	assert.Equal(t, Daily{
		Project: project, From: from, To: to, TraceNames: []string{"n"}, UserIDs: []string{"u"}, Tags: []string{"x", "y"}, Environments: []string{"e"},
		Limit: 50, WithTotal: true,
	}, daily)
}

func TestLegacyIssues(t *testing.T) {
	parsers := map[string]func(string) error{
		"traces":       func(q string) error { _, _, err := ParseTraces(project, q); return err },
		"observations": func(q string) error { _, _, err := ParseLegacyObservations(project, q); return err },
		"scores":       func(q string) error { _, err := ParseLegacyScores(project, q, 2); return err },
		"sessions":     func(q string) error { _, _, err := ParseSessions(project, q); return err },
		"daily":        func(q string) error { _, _, err := ParseDaily(project, q); return err },
	}
	for name, parse := range parsers {
		for rawQuery, want := range map[string]string{
			"page=0":    "page: Too small: expected number to be >=1",
			"limit=101": "limit: Too big: expected number to be <=100",
			"limit=1.5": "limit: Invalid input: expected int, received number",
			"environment=" + strings.Repeat("a", MaxTextLength+1):          "environment: Too big: expected string to have <=32768 characters",
			strings.Repeat("environment=a&", MaxConditionTexts+1):          "environment: Too big: expected array to have <=1000 items",
			"page=x&limit=x&fromTimestamp=x&fromStartTime=x&toTimestamp=x": "",
		} {
			err := parse(rawQuery)
			var issues validation.Issues
			require.ErrorAs(t, err, &issues, "%s %s", name, rawQuery)
			if want == "" {
				assert.GreaterOrEqual(t, len(issues), 3, name)
				continue
			}
			assert.EqualError(t, err, want, name)
		}
	}
	for rawQuery, want := range map[string]string{
		"operator=~":    `operator: Invalid option: expected one of "<"|">"|"<="|">="|"!="|"="`,
		"source=api":    `source: Invalid option: expected one of "API"|"EVAL"|"ANNOTATION"`,
		"dataType=text": `dataType: Invalid option: expected one of "NUMERIC"|"CATEGORICAL"|"BOOLEAN"|"CORRECTION"|"TEXT"`,
		"fields=x":      `fields.0: Invalid option: expected one of "score"|"trace"`,
		"value=x":       "value: Invalid input: expected number, received NaN",
		withFilter(`[{"type":"string","column":"foo","operator":"=","value":"x"}]`):           "Column foo does not match a UI / CH table mapping.",
		withFilter(`[{"type":"string","column":"value","operator":"=","value":"x"}]`):         "Invalid filter type 'string' for column 'value'. Expected filter type 'number'.",
		withFilter(`[{"type":"string","column":"comment","operator":"matches","value":"x"}]`): "`matches` is only supported for input, output, and metadata filters.",
	} {
		require.EqualError(t, parsers["scores"](rawQuery), want)
	}
}

func FuzzLegacy(f *testing.F) {
	for _, rawQuery := range []string{
		"", "page=2&limit=7&orderBy=timestamp.asc&fields=io&tags=a&tags=b", "operator=>&value=1&scoreIds=a,b&source=API&traceTags=x",
		"filter=" + url.QueryEscape(`[{"type":"stringObject","column":"metadata","key":"k","operator":"matches","value":"x"},{"type":"null","column":"value","operator":"is null"}]`),
		"filter=" + url.QueryEscape(`[{"type":"datetime","column":"timestamp","operator":"<","value":0}]`) + "&toTimestamp=2026-08-22T10:11:12Z", "name=%ff&page=1e9&limit=100",
	} {
		f.Add(rawQuery)
	}
	f.Fuzz(func(t *testing.T, rawQuery string) {
		check := func(err error, validate func() error) {
			if err != nil {
				requireKnownError(t, err)
				return
			}
			require.NoError(t, validate())
		}
		traces, _, err := ParseTraces(project, rawQuery)
		check(err, traces.Validate)
		observations, _, err := ParseLegacyObservations(project, rawQuery)
		check(err, observations.Validate)
		scores, err := ParseLegacyScores(project, rawQuery, 2)
		check(err, scores.Query.Validate)
		sessions, _, err := ParseSessions(project, rawQuery)
		check(err, sessions.Validate)
		daily, _, err := ParseDaily(project, rawQuery)
		check(err, daily.Validate)
	})
}
