// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidateCondition(t *testing.T) {
	for _, c := range []Condition{
		{Column: ColumnName, Operator: OpEqual},
		{Column: ColumnHasInput, Operator: OpIsNull},
		{Column: ColumnMetadata, Operator: OpIsNull},
		{Column: ColumnMetadata, Operator: OpIsNotNull, IsNumber: true},
		{Column: ColumnMetadata, Key: "k", Operator: OpLess, IsNumber: true},
		{Column: ColumnInput, Operator: OpMatches, Text: "1"},
		{Column: ColumnStartTime, Operator: OpEqual},
	} {
		require.NoError(t, c.Validate(), c)
	}
	for _, tc := range []struct {
		c    Condition
		want string
	}{
		{Condition{Column: "x", Operator: OpEqual}, `there is no column "x"`},
		{Condition{Column: ColumnName, Operator: OpLess}, `column name does not take the operator "<"`},
		{Condition{Column: ColumnName, Operator: OpMatches, Text: "a"}, `column name does not take the operator "matches"`},
		{Condition{Column: ColumnInput, Operator: OpContains, Text: "a"}, `column input does not take the operator "contains"`},
		{Condition{Column: ColumnMetadata, Key: "k", Operator: OpLess}, `column metadata does not take the operator "<"`},
		{Condition{Column: ColumnMetadata, Operator: OpEqual}, "a condition on metadata needs a key"},
		{Condition{Column: ColumnInput, Operator: OpMatches, Text: "%_"}, "matches needs a text with at least one letter or digit"},
	} {
		require.EqualError(t, tc.c.Validate(), tc.want)
	}
}

func TestValidateObservations(t *testing.T) {
	q := Observations{Project: "p", Limit: MaxLimit}
	require.NoError(t, q.Validate())
	q.Limit++
	require.EqualError(t, q.Validate(), "a page has 0 to 1000 rows, not 1001")
	q = Observations{Project: "p", Where: []Condition{{}}}
	require.EqualError(t, q.Validate(), `there is no column ""`)
}

func TestAsksForEmpty(t *testing.T) {
	for column := range kinds {
		special := column == ColumnRelease || column == ColumnParentObservationID || column == ColumnExperimentID
		for operator, empty := range map[Operator]bool{
			OpEqual: true, OpContains: true, OpStartsWith: true, OpEndsWith: true, OpNotContains: false, OpAnyOf: false, OpIsNull: false,
		} {
			assert.Equal(t, special && empty, (&Condition{Column: column, Operator: operator}).AsksForEmpty(), "%s %s", column, operator)
			assert.False(t, (&Condition{Column: column, Operator: operator, Text: "x"}).AsksForEmpty())
		}
	}
}

func TestDecimal(t *testing.T) {
	for text, want := range map[string]float64{"1.50": 1.5, "1e5": 100000, "-1E-7": -1e-7, "-0": 0, "0.0": 0} {
		got, ok := (&Condition{Text: text}).Decimal()
		assert.True(t, ok, text)
		assert.InDelta(t, want, got, 0, text)
	}
	for _, text := range []string{"", "1", "-1", "0", "1e999", "01.5", ".5", "1.", "+1.5", "0x1p4", "NaN", "Infinity", "1.5 ", "9007199254740993"} {
		_, ok := (&Condition{Text: text}).Decimal()
		assert.False(t, ok, text)
	}
}

func TestWords(t *testing.T) {
	assert.Equal(t, []string{"needle", "gmail", "com", "straße", "東京", "42"}, Words("Needle@gmail.com, needle Straße_東京 42!"))
	assert.Equal(t, []string{"Needle", "needle"}, ExactWords("Needle needle Needle"))
	assert.Empty(t, Words("%_ -!"))
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "w%d ", i)
	}
	assert.Len(t, Words(many.String()), 64)
}

func TestOpenWords(t *testing.T) {
	for search, want := range map[string][]string{
		"needle": {"needle"}, "alpha beta": {"alpha", "beta"}, "alpha gap beta": {"alpha", "beta"}, "a b a": {"a"}, "ü-東": {"ü", "東"},
		" a b c ": {}, "(a b": {"b"}, "a b)": {"a"}, "%": nil, "": nil, "\"a\"": {},
	} {
		assert.Equal(t, want, OpenWords(search), search)
	}
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "w%d ", i)
	}
	assert.Equal(t, []string{"w0"}, OpenWords(many.String()+"last"), "words beyond the 64th are not looked at")
}

func TestMetadataKey(t *testing.T) {
	for column := range kinds {
		want := map[Column]string{ColumnEvaluatorID: "evaluator_id", ColumnRuleID: "evaluation_rule_id"}[column]
		assert.Equal(t, want, column.MetadataKey(), column)
	}
}
