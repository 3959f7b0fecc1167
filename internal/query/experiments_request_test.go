// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/validation"
)

const fromTime = "fromStartTime=2026-08-22T00:00:00Z"

func anyOfTexts(column Column, texts ...string) []Condition {
	return []Condition{{Column: column, Operator: OpAnyOf, Texts: texts}}
}

func TestExperimentParameters(t *testing.T) {
	for rawQuery, want := range map[string]Experiments{
		"": {},
		"fields=&limit=&scoreLimit=&id=&filter=&cursor=&unknown=1": {},
		"fields=core":                          {},
		"fields=metadata":                      {WithMetadata: true},
		"fields=scores":                        {ScoreLimit: 50},
		"fields=scores,+metadata&scoreLimit=3": {WithMetadata: true, ScoreLimit: 3},
		"scoreLimit=3":                         {},
		"limit=100":                            {Limit: 100},
		"toStartTime=2026-08-23T00:00:00Z":     {To: at("2026-08-23T00:00:00Z")},
		"id=a,b":                               {Where: anyOfTexts(ColumnExperimentID, "a", "b")},
		"name=a":                               {Where: anyOfTexts(ColumnExperimentName, "a")},
		"datasetId=a":                          {Where: anyOfTexts(ColumnExperimentDatasetID, "a")},
		"name=a&" + withFilter(`[{"type":"string","column":"name","operator":"contains","value":"f"}]`): {
			Where: []Condition{{Column: ColumnExperimentName, Operator: OpContains, Text: "f"}},
		},
		"id=a&" + withFilter(`[{"type":"null","column":"datasetId","operator":"is null"}]`): {
			Where: append(anyOfTexts(ColumnExperimentID, "a"), Condition{Column: ColumnExperimentDatasetID, Operator: OpIsNull}),
		},
	} {
		want.Project, want.From = project, at("2026-08-22T00:00:00Z")
		if want.Limit == 0 {
			want.Limit = 50
		}
		got, err := ParseExperiments(project, fromTime+"&"+rawQuery)
		require.NoError(t, err, rawQuery)
		assert.Equal(t, want, got, rawQuery)
	}
}

func TestExperimentItemParameters(t *testing.T) {
	for rawQuery, want := range map[string]ExperimentItemsRequest{
		"":                          {Groups: ItemGroupDataset},
		"fields=":                   {Groups: ItemGroupDataset},
		"fields=core":               {},
		"fields=dataset":            {Groups: ItemGroupDataset},
		"fields=io":                 {Groups: ItemGroupIO, Query: ExperimentItems{Groups: GroupBasic | GroupIO}},
		"fields=metadata":           {Groups: ItemGroupMetadata, Query: ExperimentItems{Groups: GroupBasic | GroupMetadata}},
		"fields=itemMetadata":       {Groups: ItemGroupItemMetadata},
		"fields=experimentMetadata": {Groups: ItemGroupExperimentMetadata},
		"fields=scores":             {Groups: ItemGroupScores, Query: ExperimentItems{ScoreLimit: 50}},
		"fields=io,scores&scoreLimit=1": {
			Groups: ItemGroupIO | ItemGroupScores, Query: ExperimentItems{Groups: GroupBasic | GroupIO, ScoreLimit: 1},
		},
		"limit=7":            {Groups: ItemGroupDataset, Query: ExperimentItems{Limit: 7}},
		"experimentId=a":     {Groups: ItemGroupDataset, Query: ExperimentItems{Where: anyOfTexts(ColumnExperimentID, "a")}},
		"experimentName=a,b": {Groups: ItemGroupDataset, Query: ExperimentItems{Where: anyOfTexts(ColumnExperimentName, "a", "b")}},
		"experimentItemId=a": {Groups: ItemGroupDataset, Query: ExperimentItems{Where: anyOfTexts(ColumnExperimentItemID, "a")}},
		"datasetId=a":        {Groups: ItemGroupDataset, Query: ExperimentItems{Where: anyOfTexts(ColumnExperimentDatasetID, "a")}},
		"datasetId=a&" + withFilter(`[{"type":"stringOptions","column":"datasetId","operator":"none of","value":["b"]}]`): {
			Groups: ItemGroupDataset,
			Query:  ExperimentItems{Where: []Condition{{Column: ColumnExperimentDatasetID, Operator: OpNoneOf, Texts: []string{"b"}}}},
		},
	} {
		want.Query.Project, want.Query.From = project, at("2026-08-22T00:00:00Z")
		if want.Query.Limit == 0 {
			want.Query.Limit = 50
		}
		want.Query.Groups |= GroupBasic
		got, err := ParseExperimentItems(project, fromTime+"&"+rawQuery)
		require.NoError(t, err, rawQuery)
		assert.Equal(t, want, got, rawQuery)
	}
}

func TestExperimentMistakes(t *testing.T) {
	parseRuns := func(rawQuery string) error { _, err := ParseExperiments(project, rawQuery); return err }
	parseItems := func(rawQuery string) error { _, err := ParseExperimentItems(project, rawQuery); return err }
	condition := func(kind, column string) string {
		return fromTime + "&" + withFilter(`[{"type":"`+kind+`","column":"`+column+`","operator":"=","value":"x"}]`)
	}
	const mismatch = `[{"type":"boolean","column":"datasetId","operator":"=","value":true}]`
	for _, tc := range []struct{ rawQuery, runs, items string }{
		{"", "fromStartTime: Invalid input: expected string, received undefined", ""},
		{"fromStartTime=", "fromStartTime: Invalid ISO datetime", ""},
		{"fromStartTime=2026-08-22", "fromStartTime: Invalid ISO datetime", ""},
		{fromTime + "&toStartTime=x", "toStartTime: Invalid ISO datetime", ""},
		{fromTime + "&limit=0", "limit: Too small: expected number to be >=1", ""},
		{fromTime + "&limit=101", "limit: Too big: expected number to be <=100", ""},
		{fromTime + "&scoreLimit=0", "scoreLimit: Too small: expected number to be >=1", ""},
		{fromTime + "&scoreLimit=51", "scoreLimit: Too big: expected number to be <=50", ""},
		{
			fromTime + "&fields=core,x", `fields.1: Invalid option: expected one of "core"|"metadata"|"scores"`,
			`fields.1: Invalid option: expected one of "core"|"dataset"|"io"|"metadata"|"itemMetadata"|"experimentMetadata"|"scores"`,
		},
		{
			condition("string", "foo"), `filter.0.column: Invalid option: expected one of "id"|"name"|"datasetId"`,
			`filter.0.column: Invalid option: expected one of "experimentId"|"experimentName"|"experimentItemId"|"datasetId"`,
		},
		{condition("unknown", "id"), "filter.0.type: Invalid input", ""},
		{fromTime + "&" + withFilter(mismatch), "Invalid filter type 'boolean' for column 'datasetId'. Expected filter type 'stringOptions'.", ""},
		{fromTime + "&filter=x", "Invalid JSON in filter parameter", ""},
		{fromTime + "&cursor=x", "Invalid cursor format", ""},
		{
			"limit=x&fields=x&scoreLimit=x", "limit: Invalid input: expected number, received NaN; fromStartTime: Invalid input: expected string, received undefined; " +
				"scoreLimit: Invalid input: expected number, received NaN; " + `fields.0: Invalid option: expected one of "core"|"metadata"|"scores"`,
			"limit: Invalid input: expected number, received NaN; fromStartTime: Invalid input: expected string, received undefined; " +
				`fields.0: Invalid option: expected one of "core"|"dataset"|"io"|"metadata"|"itemMetadata"|"experimentMetadata"|"scores"; ` +
				"scoreLimit: Invalid input: expected number, received NaN",
		},
	} {
		if tc.items == "" {
			tc.items = tc.runs
		}
		require.EqualError(t, parseRuns(tc.rawQuery), tc.runs, tc.rawQuery)
		require.EqualError(t, parseItems(tc.rawQuery), tc.items, tc.rawQuery)
	}
	err := parseRuns(condition("string", "foo"))
	var issues validation.Issues
	require.ErrorAs(t, err, &issues)
	assert.Equal(t, []any{"filter", 0, "column"}, issues[0].Path)
}

func TestExperimentCursors(t *testing.T) {
	position := Position{Time: at("2026-08-22T10:11:12.123Z"), TraceID: "t", ID: "i", ExperimentID: "e"}
	runs, err := ParseExperiments(project, fromTime+"&cursor="+EncodeCursor(ListExperiments, project, position))
	require.NoError(t, err)
	assert.Equal(t, &ExperimentKey{LastStart: position.Time, ID: "e"}, runs.After)
	items, err := ParseExperimentItems(project, fromTime+"&cursor="+EncodeCursor(ListExperimentItems, project, position))
	require.NoError(t, err)
	assert.Equal(t, &ObservationKey{Start: position.Time, TraceID: "t", ID: "i"}, items.Query.After)
	_, err = ParseExperiments(project, fromTime+"&cursor="+EncodeCursor(ListExperimentItems, project, position))
	require.EqualError(t, err, "Invalid cursor: it belongs to another list")
	_, err = ParseExperimentItems(project, fromTime+"&cursor="+EncodeCursor(ListExperimentItems, "other", position))
	require.EqualError(t, err, "Invalid cursor: it belongs to another project")
}

func FuzzExperiments(f *testing.F) {
	for _, rawQuery := range []string{
		"", fromTime, fromTime + "&fields=scores,io&scoreLimit=5&limit=7", fromTime + "&name=a,b&experimentName=%ff",
		fromTime + "&filter=" + url.QueryEscape(`[{"type":"null","column":"datasetId","operator":"is null"},{"type":"string","column":"id","operator":"=","value":"x"}]`),
		fromTime + "&cursor=" + EncodeCursor(ListExperiments, project, Position{Time: time.UnixMilli(1), ExperimentID: "e"}),
	} {
		f.Add(rawQuery)
	}
	f.Fuzz(func(t *testing.T, rawQuery string) {
		if q, err := ParseExperiments(project, rawQuery); err != nil {
			requireKnownError(t, err)
		} else {
			require.NoError(t, q.Validate())
			requireTexts(t, q.Where)
		}
		if request, err := ParseExperimentItems(project, rawQuery); err != nil {
			requireKnownError(t, err)
		} else {
			require.NoError(t, request.Query.Validate())
			requireTexts(t, request.Query.Where)
		}
	})
}
