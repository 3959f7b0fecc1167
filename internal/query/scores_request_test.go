// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

func TestScoreParameters(t *testing.T) {
	three := 3.0
	for rawQuery, want := range map[string]ScoresRequest{
		"": {},
		"fields=&limit=&cursor=&id=&name=,+,&source=&dataType=&value=&valueMin=&valueMax=&fromTimestamp=&toTimestamp=&userId=&traceTags=": {},
		"fields=core":                 {},
		"fields=details":              {Groups: ScoreGroupDetails},
		"fields=subject,+annotation,": {Groups: ScoreGroupSubject | ScoreGroupAnnotation},
		"limit=1":                     {Query: Scores{Limit: 1}},
		"limit=100":                   {Query: Scores{Limit: 100}},
		"id=a,+b+,,":                  {Query: Scores{IDs: []string{"a", "b"}}},
		"name=a":                      {Query: Scores{Names: []string{"a"}}},
		"environment=a":               {Query: Scores{Environments: []string{"a"}}},
		"configId=a":                  {Query: Scores{ConfigIDs: []string{"a"}}},
		"queueId=a":                   {Query: Scores{QueueIDs: []string{"a"}}},
		"authorUserId=a":              {Query: Scores{AuthorUserIDs: []string{"a"}}},
		"traceId=a&observationId=b,c": {Query: Scores{TraceIDs: []string{"a"}, ObservationIDs: []string{"b", "c"}}},
		"sessionId=a":                 {Query: Scores{SessionIDs: []string{"a"}}},
		"experimentId=a":              {Query: Scores{ExperimentIDs: []string{"a"}}},
		"source=api,Eval,ANNOTATION":  {Query: Scores{Sources: []model.ScoreSource{"API", "EVAL", "ANNOTATION"}}},
		"dataType=text,TEXT,Numeric":  {Query: Scores{DataTypes: []model.ScoreDataType{"TEXT", "NUMERIC"}}},
		"dataType=boolean,categorical,correction":           {Query: Scores{DataTypes: []model.ScoreDataType{"BOOLEAN", "CATEGORICAL", "CORRECTION"}}},
		"dataType=numeric&value=1,-2.5e1":                   {Query: Scores{DataTypes: []model.ScoreDataType{"NUMERIC"}, Numbers: []float64{1, -25}}},
		"dataType=NUMERIC,numeric&value=1":                  {Query: Scores{DataTypes: []model.ScoreDataType{"NUMERIC"}, Numbers: []float64{1}}},
		"dataType=BOOLEAN&value=true,false":                 {Query: Scores{DataTypes: []model.ScoreDataType{"BOOLEAN"}, Numbers: []float64{1, 0}}},
		"dataType=CATEGORICAL&value=good,1":                 {Query: Scores{DataTypes: []model.ScoreDataType{"CATEGORICAL"}, Texts: []string{"good", "1"}}},
		"dataType=NUMERIC&valueMin=3":                       {Query: Scores{DataTypes: []model.ScoreDataType{"NUMERIC"}, Min: &three}},
		"dataType=NUMERIC&valueMax=3.0":                     {Query: Scores{DataTypes: []model.ScoreDataType{"NUMERIC"}, Max: &three}},
		"fromTimestamp=2026-08-22&toTimestamp=Aug+23,+2026": {Query: Scores{From: at("2026-08-22T00:00:00Z"), To: at("2026-08-23T00:00:00Z")}},
		"fromTimestamp=2026-08-22T10:11:12.123456%2B02:00":  {Query: Scores{From: at("2026-08-22T08:11:12.123Z")}},
	} {
		want.Query.Project = project
		if want.Query.Limit == 0 {
			want.Query.Limit = 50
		}
		got, err := ParseScores(project, rawQuery)
		require.NoError(t, err, rawQuery)
		assert.Equal(t, want, got, rawQuery)
	}
}

// scoreIssues are the issues of a query that must have some, as path: message.
func scoreIssues(t *testing.T, rawQuery string) []string {
	t.Helper()
	_, err := ParseScores(project, rawQuery)
	var issues validation.Issues
	require.ErrorAs(t, err, &issues, rawQuery)
	texts := make([]string, len(issues))
	for i := range issues {
		texts[i] = validation.Issues{issues[i]}.Error()
	}
	return texts
}

func TestScoreRules(t *testing.T) {
	const (
		single  = "value filter requires a single dataType from: NUMERIC, BOOLEAN, CATEGORICAL"
		numeric = "valueMin and valueMax require dataType=NUMERIC as a single value"
		scoped  = "observationId filter requires traceId — observation IDs are scoped to a trace"
		oneOf   = "At most one of traceId, sessionId, experimentId may be specified"
		enum    = `Invalid option: expected one of "core"|"details"|"subject"|"annotation"`
	)
	for rawQuery, want := range map[string][]string{
		"value=1":                             {single},
		"value=1&dataType=NUMERIC,BOOLEAN":    {single},
		"value=1&dataType=TEXT":               {`value filter requires dataType to be NUMERIC, BOOLEAN, or CATEGORICAL (got "TEXT")`},
		"value=1&dataType=correction":         {`value filter requires dataType to be NUMERIC, BOOLEAN, or CATEGORICAL (got "CORRECTION")`},
		"value=1,x&dataType=NUMERIC":          {`value filter with dataType=NUMERIC requires each value to be a finite number (got "x")`},
		"value=Infinity&dataType=NUMERIC":     {`value filter with dataType=NUMERIC requires each value to be a finite number (got "Infinity")`},
		"value=1&dataType=BOOLEAN":            {`value filter with dataType=BOOLEAN requires each value to be "true" or "false" (got "1")`},
		"value=True&dataType=BOOLEAN":         {`value filter with dataType=BOOLEAN requires each value to be "true" or "false" (got "True")`},
		"valueMin=1":                          {numeric},
		"valueMax=1&dataType=BOOLEAN":         {numeric},
		"valueMax=1&dataType=NUMERIC,BOOLEAN": {numeric},
		"observationId=o":                     {scoped},
		"observationId=o&sessionId=s":         {scoped},
		"traceId=t&sessionId=s":               {oneOf},
		"sessionId=s&experimentId=e":          {oneOf},
		"traceId=t&experimentId=e":            {oneOf},
		"userId=u":                            {"userId filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter"},
		"traceTags=a":                         {"traceTags filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter"},
		"source=API,foo":                      {`source: Invalid source value: "FOO". Allowed: API, EVAL, ANNOTATION`},
		"dataType=x":                          {`dataType: Invalid dataType value: "X". Allowed: NUMERIC, CATEGORICAL, BOOLEAN, CORRECTION, TEXT`},
		"fields=core,x":                       {"fields.1: " + enum},
		"fields=io":                           {"fields.0: " + enum},
		"foo=1":                               {`Unrecognized key: "foo"`},
		"foo=1&bar=":                          {`Unrecognized keys: "bar", "foo"`},
		"page=1":                              {`Unrecognized key: "page"`},
		"limit=0":                             {"limit: Too small: expected number to be >=1"},
		"limit=101":                           {"limit: Too big: expected number to be <=100"},
		"limit=1.5":                           {"limit: Invalid input: expected int, received number"},
		"limit=abc":                           {"limit: Invalid input: expected number, received NaN"},
		"valueMin=Infinity&dataType=NUMERIC":  {"valueMin: Invalid input: expected number, received NaN"},
		"valueMax=NaN&dataType=NUMERIC":       {"valueMax: Invalid input: expected number, received NaN"},
		"fromTimestamp=soon":                  {"fromTimestamp: Invalid input: expected date, received Date"},
		"toTimestamp=2026-02-30T00:00:00Z":    {"toTimestamp: Invalid input: expected date, received Date"},
		"name=a&name=b":                       {"name: Invalid input: expected string, received array"},
		"cursor=e30":                          {"cursor.v: Invalid input: expected number, received undefined", "cursor.list: Invalid input: expected string, received undefined", "cursor.project: Invalid input: expected string, received undefined", "cursor.lastTimestamp: Invalid input: expected string, received undefined", "cursor.lastId: Invalid input: expected string, received undefined"},
		"id=" + strings.Repeat("a,", 1001):    {"id: Too big: expected array to have <=1000 items"},
		"name=" + strings.Repeat("a", 32769):  {"name: Too big: expected string to have <=32768 characters"},
		"value=x&valueMin=1&observationId=o&sessionId=s&experimentId=e&userId=u&foo=1&fields=x&limit=0&source=x": {
			"fields.0: " + enum, "limit: Too small: expected number to be >=1", `source: Invalid source value: "X". Allowed: API, EVAL, ANNOTATION`,
			single, numeric, scoped, oneOf, "userId filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter", `Unrecognized key: "foo"`,
		},
	} {
		assert.Equal(t, want, scoreIssues(t, rawQuery), rawQuery)
	}
}

func TestScoreCursor(t *testing.T) {
	key := Position{Time: at("2026-08-22T10:11:12.123Z"), ID: "s"}
	got, err := ParseScores(project, "cursor="+EncodeCursor(ListScores, project, key))
	require.NoError(t, err)
	assert.Equal(t, &ScoreKey{Timestamp: key.Time, ID: "s"}, got.Query.After)
	for cursor, want := range map[string]string{
		"x": "Invalid cursor format", EncodeCursor(ListScores, "other", key): "Invalid cursor: it belongs to another project",
		EncodeCursor(ListObservations, project, key): "Invalid cursor: it belongs to another list",
	} {
		_, err := ParseScores(project, "cursor="+cursor)
		require.EqualError(t, err, want)
	}
}

func FuzzScores(f *testing.F) {
	for _, rawQuery := range []string{
		"", "limit=7&fields=details,subject&dataType=numeric&value=1,2&valueMin=-1e3", "source=api&name=a,b&traceId=t&observationId=o",
		"fromTimestamp=2026-08-22&toTimestamp=Sat,+22+Aug+2026+10:11:12+GMT", "foo=%ff&value=%ff&dataType=BOOLEAN",
		"cursor=" + EncodeCursor(ListScores, project, Position{Time: time.UnixMilli(1), ID: "i"}),
	} {
		f.Add(rawQuery)
	}
	f.Fuzz(func(t *testing.T, rawQuery string) {
		request, err := ParseScores(project, rawQuery)
		if err != nil {
			requireKnownError(t, err)
			return
		}
		q := &request.Query
		require.NoError(t, q.Validate())
		for _, texts := range [][]string{q.IDs, q.Names, q.Environments, q.ConfigIDs, q.QueueIDs, q.AuthorUserIDs, q.TraceIDs, q.ObservationIDs, q.SessionIDs, q.ExperimentIDs, q.Texts} {
			for _, text := range texts {
				require.True(t, utf8.ValidString(text) && text != "")
			}
		}
	})
}
