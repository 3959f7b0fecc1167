// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// readings holds conditions that can be read in two ways to the one that is meant. The naive store could be wrong in
// the same way as an engine, so here the answers are written down.
func readings(t *testing.T, s store.Store) {
	t.Run("an empty text", func(t *testing.T) { emptyText(t, s) })
	t.Run("in no time", func(t *testing.T) { inNoTime(t, s) })
	t.Run("null", func(t *testing.T) { nulls(t, s) })
	t.Run("words of input", func(t *testing.T) { wordsOfInput(t, s) })
	t.Run("words of metadata", func(t *testing.T) { wordsOfMetadata(t, s) })
	t.Run("ways to write a number", func(t *testing.T) { waysToWriteANumber(t, s) })
	t.Run("evaluators", func(t *testing.T) { evaluators(t, s) })
}

// finder writes rows and gives a function that finds the ids of those that fulfil a condition, in both stores.
func finder(t *testing.T, s store.Store, rows map[string]model.Observation) func(query.Condition) []string {
	t.Helper()
	f := newFixture(t, s)
	for id, row := range rows {
		row.TraceID, row.ID, row.Start = "t", id, f.rows.Base
		if !row.End.IsZero() {
			row.End = row.Start.Add(row.End.Sub(time.Unix(0, 0)))
		}
		f.write(row)
	}
	return func(c query.Condition) []string {
		found := []string{}
		for _, row := range f.same(where(c)) {
			found = append(found, row.ID)
		}
		return found
	}
}

// after is an end that many milliseconds after the start, for finder.
func after(ms int64) time.Time { return time.UnixMilli(ms) }

func emptyText(t *testing.T, s store.Store) {
	find := finder(t, s, map[string]model.Observation{
		"full":  {Release: "v1", ParentID: "p", Experiment: model.Experiment{ID: "e"}, UserID: "u"},
		"empty": {},
	})
	for _, column := range []query.Column{query.ColumnRelease, query.ColumnParentObservationID, query.ColumnExperimentID} {
		for _, operator := range []query.Operator{query.OpEqual, query.OpContains, query.OpStartsWith, query.OpEndsWith} {
			require.Equal(t, []string{"empty"}, find(query.Condition{Column: column, Operator: operator}), "%s %s", column, operator)
		}
		require.Empty(t, find(query.Condition{Column: column, Operator: query.OpNotContains}), column)
		require.Equal(t, []string{"full"}, find(query.Condition{Column: column, Operator: query.OpNotContains, Text: "x"}), column)
		require.Equal(t, []string{"full"}, find(query.Condition{Column: column, Operator: query.OpNoneOf, Texts: []string{"x"}}), column)
	}
	require.Equal(t, []string{"empty"}, find(query.Condition{Column: query.ColumnUserID, Operator: query.OpEqual}))
	require.Equal(t, []string{"full", "empty"}, find(query.Condition{Column: query.ColumnUserID, Operator: query.OpContains}))
	require.Equal(t, []string{"full", "empty"}, find(query.Condition{Column: query.ColumnUserID, Operator: query.OpNotContains, Text: "x"}))
	require.Equal(t, []string{"full", "empty"}, find(query.Condition{Column: query.ColumnUserID, Operator: query.OpNoneOf, Texts: []string{"x"}}))
}

func inNoTime(t *testing.T, s store.Store) {
	output := model.Usage{{Key: "output", Units: 10}}
	find := finder(t, s, map[string]model.Observation{
		"instant":   {End: after(0), Usage: output},
		"no tokens": {End: after(0)},
		"second":    {End: after(1000), Usage: output},
		"no end":    {Usage: output},
	})
	perSecond := func(operator query.Operator, number float64) []string {
		return find(query.Condition{Column: query.ColumnTokensPerSecond, Operator: operator, Number: number})
	}
	require.Equal(t, []string{"instant"}, perSecond(query.OpGreater, math.MaxFloat64))
	require.Equal(t, []string{"second", "instant"}, perSecond(query.OpGreaterOrEqual, 10))
	require.Equal(t, []string{"no tokens"}, perSecond(query.OpLess, 10))
	require.Equal(t, []string{"no tokens"}, perSecond(query.OpEqual, 0))
	require.Equal(t, []string{"no end"}, perSecond(query.OpIsNull, 0))
}

func nulls(t *testing.T, s store.Store) {
	find := finder(t, s, map[string]model.Observation{
		"full":  {Metadata: `{"k":1}`, Name: "n", UserID: "u", Tags: []string{"a"}, Usage: model.Usage{{Key: "total"}}, PromptVersion: new(0)},
		"empty": {Metadata: `{}`},
		"none":  {},
	})
	isNull := func(column query.Column) []string {
		found := find(query.Condition{Column: column, Operator: query.OpIsNull})
		require.Len(t, find(query.Condition{Column: column, Operator: query.OpIsNotNull}), 3-len(found), column)
		return found
	}
	for _, column := range []query.Column{
		query.ColumnUserID, query.ColumnTags, query.ColumnTotalTokens, query.ColumnPromptVersion, query.ColumnMetadata, query.ColumnTraceName,
	} {
		require.Equal(t, []string{"none", "empty"}, isNull(column), column)
	}
	for _, column := range []query.Column{
		query.ColumnIsRootObservation, query.ColumnHasInput, query.ColumnInputTokens, query.ColumnOutputCost, query.ColumnStartTime, query.ColumnToolCalls,
	} {
		require.Empty(t, isNull(column), column)
	}
}

func wordsOfInput(t *testing.T, s store.Store) {
	find := finder(t, s, map[string]model.Observation{
		"word":    {Input: "Needle in a haystack", Output: "alpha beta"},
		"address": {Input: "needle@gmail.com", Output: "beta alpha"},
		"part":    {Input: "foobarneedle", Output: "alpha gap beta"},
		"percent": {Input: "100% of it", Output: "xalpha betax alpha, beta"},
		"none":    {},
	})
	matches := func(column query.Column, text string) []string {
		return find(query.Condition{Column: column, Operator: query.OpMatches, Text: text})
	}
	require.Equal(t, []string{"word", "address"}, matches(query.ColumnInput, "needle"))
	require.Equal(t, []string{"address"}, matches(query.ColumnInput, "NEEDLE@"))
	require.Equal(t, []string{"address"}, matches(query.ColumnInput, "@gmail."))
	require.Equal(t, []string{"percent"}, matches(query.ColumnInput, "100%"))
	require.Empty(t, matches(query.ColumnInput, "1_0"))
	// The words need not stand where the text does: that is how the service has it.
	require.Equal(t, []string{"word", "percent"}, matches(query.ColumnOutput, "Alpha Beta"))
}

func wordsOfMetadata(t *testing.T, s store.Store) {
	find := finder(t, s, map[string]model.Observation{
		"word":     {Metadata: `{"k":"the needle, found"}`},
		"part":     {Metadata: `{"k":"a foobarneedle"}`},
		"part too": {Metadata: `{"k":"a foobarneedle","other":["needle"]}`},
		"upper":    {Metadata: `{"k":"the Needle"}`},
		"other":    {Metadata: `{"k":"nothing","other":"needle"}`},
		"none":     {},
	})
	matches := func(text string) []string {
		return find(query.Condition{Column: query.ColumnMetadata, Key: "k", Operator: query.OpMatches, Text: text})
	}
	require.Equal(t, []string{"word", "part too"}, matches("needle"))
	require.Equal(t, []string{"upper"}, matches("Needle"))
	require.Equal(t, []string{"word"}, matches("needle, found"))
	require.Empty(t, matches("found needle"))
	require.Equal(t, []string{"word"}, matches(" needle,"), "between other characters")
	require.Equal(t, []string{"part too", "part"}, matches("a foobarneedle"))
	require.Empty(t, matches("a foo"))
}

// Engines may forget how a number was written, so equality goes by its value.
func waysToWriteANumber(t *testing.T, s store.Store) {
	rows := map[string]model.Observation{"text": {Metadata: `{"k":"1.50"}`}}
	for _, number := range exactNumbers {
		rows[number] = model.Observation{Metadata: `{"k":` + number + `}`}
	}
	find := finder(t, s, rows)
	equals := func(text string) []string {
		return find(query.Condition{Column: query.ColumnMetadata, Key: "k", Operator: query.OpEqual, Text: text})
	}
	for _, number := range exactNumbers {
		require.Contains(t, equals(number), number)
	}
	require.Equal(t, []string{"text", "1.50"}, equals("1.50"))
	require.Equal(t, []string{"1.50"}, equals("1.5"))
	require.Equal(t, []string{"1e5"}, equals("100000.0"))
	require.Empty(t, equals("340282366920938463463374607431768211454"), "the one before has the same float")
}

func evaluators(t *testing.T, s store.Store) {
	find := finder(t, s, map[string]model.Observation{
		"judged": {Metadata: `{"evaluator_id":"ev-1","evaluation_rule_id":"rule-1"}`},
		"other":  {Metadata: `{"evaluator_id":"ev-2"}`},
		"plain":  {Metadata: `{"k":"ev-1"}`},
	})
	require.Equal(t, []string{"judged"}, find(query.Condition{Column: query.ColumnEvaluatorID, Operator: query.OpEqual, Text: "ev-1"}))
	require.Equal(t, []string{"plain", "other"}, find(query.Condition{Column: query.ColumnEvaluatorID, Operator: query.OpNoneOf, Texts: []string{"ev-1"}}))
	require.Equal(t, []string{"judged"}, find(query.Condition{Column: query.ColumnRuleID, Operator: query.OpStartsWith, Text: "rule"}))
	require.Equal(t, []string{"plain", "other"}, find(query.Condition{Column: query.ColumnRuleID, Operator: query.OpIsNull}))
}
