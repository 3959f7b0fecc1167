// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// conditionsEach is how many conditions are tried for each operator of each column. With the fixed seed of a fixture
// they are the same ones in every run.
const conditionsEach = 5

// columnRows are the rows that conditions look at: all sorts, and for some columns rows that decide between two readings.
func columnRows(r *Rows) []model.Observation {
	rows := r.Observations(100)
	for _, own := range []string{"", "own name"} {
		for _, trace := range []string{"", "trace name"} {
			for _, parent := range []string{"", "parent"} {
				for _, appRoot := range []bool{false, true} {
					row := r.Plain(50)
					row.Name, row.TraceName, row.ParentID, row.IsAppRoot = own, trace, parent, appRoot
					rows = append(rows, row)
				}
			}
		}
	}
	for _, ms := range []int{0, 1, 500, 2000, -1000} {
		row := r.Plain(50)
		row.End = row.Start.Add(time.Duration(ms) * time.Millisecond)
		row.CompletionStart = row.End
		row.Usage = model.Usage{{Key: "output", Units: 10}}
		rows = append(rows, row)
	}
	bare := r.Plain(50)
	bare.Input, bare.Output = "", ""
	return append(rows, bare)
}

// conditionsOn are some conditions with an operator on a column, none if they do not go together. One of them at least
// holds for some rows and not for others, if there can be such a one: all others could be answered blindly.
func conditionsOn(r *Rows, rows []model.Observation, column query.Column, operator query.Operator, isNumber bool) []query.Condition {
	if !takes(column, operator, isNumber) {
		return nil
	}
	var conditions []query.Condition
	telling := false
	for i := 0; i < conditionsEach || !telling && i < 500; i++ {
		c := r.conditionOn(column, operator, isNumber, &rows[r.IntN(len(rows))])
		tells := isTelling(c, rows)
		if i < conditionsEach || tells {
			conditions = append(conditions, c)
		}
		if tells && !telling {
			conditions = append(conditions, variants(c)...)
		}
		telling = telling || tells
	}
	return conditions
}

// variants are what a condition must not be taken for: the same in another letter case, or with a wildcard.
func variants(c query.Condition) []query.Condition {
	var others []query.Condition
	for _, change := range []func(string) string{
		strings.ToUpper, strings.ToLower,
		func(text string) string { return strings.Repeat("_", utf8.RuneCountInString(text)) },
		func(text string) string { return text + "%" },
	} {
		other := c
		other.Text, other.Texts = change(c.Text), nil
		for _, text := range c.Texts {
			other.Texts = append(other.Texts, change(text))
		}
		if (other.Text != c.Text || !slices.Equal(other.Texts, c.Texts)) && other.Validate() == nil {
			others = append(others, other)
		}
	}
	return others
}

func isTelling(c query.Condition, rows []model.Observation) bool {
	holding := 0
	for i := range rows {
		if holds(&c, &rows[i]) {
			holding++
		}
	}
	return 0 < holding && holding < len(rows)
}

// columns tries every operator that a column takes on every column, and compares with the naive store.
func columns(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	rows := columnRows(f.rows)
	f.write(rows...)
	f.same(query.Observations{})
	for _, column := range allColumns {
		t.Run(string(column), func(t *testing.T) {
			for _, isNumber := range []bool{false, true} {
				if isNumber && column.Kind() != query.KindObject {
					continue
				}
				for _, operator := range allOperators {
					for _, c := range conditionsOn(f.rows, rows, column, operator, isNumber) {
						f.sameAnswer(t, c)
					}
				}
			}
		})
	}
	t.Run("letter case", func(t *testing.T) {
		for _, name := range []string{"answer", "Answer"} { // rows have both; chance may pass them by
			f.sameAnswer(t, query.Condition{Column: query.ColumnName, Operator: query.OpEqual, Text: name})
		}
	})
	t.Run("several", func(t *testing.T) {
		for range 50 {
			row := &rows[f.rows.IntN(len(rows))]
			f.sameAnswer(t, f.rows.condition(row), f.rows.condition(row))
		}
	})
	t.Run("twice the same", func(t *testing.T) {
		for range 10 {
			c := f.rows.condition(&rows[f.rows.IntN(len(rows))])
			f.sameAnswer(t, c, c)
		}
	})
}

// condition is any condition that Validate accepts.
func (r *Rows) condition(o *model.Observation) query.Condition {
	for {
		column, operator, isNumber := pick(r, allColumns), pick(r, allOperators), r.chance(2)
		if takes(column, operator, isNumber) {
			return r.conditionOn(column, operator, isNumber && column.Kind() == query.KindObject, o)
		}
	}
}

// sameAnswer asks both stores for the rows that fulfil all conditions.
func (f *fixture) sameAnswer(t *testing.T, conditions ...query.Condition) {
	t.Helper()
	q := query.Observations{Project: f.project, Where: conditions, Limit: query.MaxLimit}
	want, err := f.naive.ListObservations(t.Context(), q)
	require.NoError(t, err, "%s", describe(q))
	got, err := f.store.ListObservations(t.Context(), q)
	require.NoError(t, err, "%s", describe(q))
	if problem := f.explain(want.Rows, got.Rows); problem != "" {
		t.Errorf("%s: %d rows, want %d; %s", describe(q), len(got.Rows), len(want.Rows), problem)
	}
}

// explain names the first row that is in one of the answers only, or out of order; "" when they are the same. Only the
// ids count: what else is in a row is not what conditions decide.
func (f *fixture) explain(want, got []store.StoredObservation) string {
	wanted, found := idsOf(want), idsOf(got)
	if slices.Equal(wanted, found) {
		return ""
	}
	show := func(id rowID) string {
		row, err := walk(f.Context(), f.naive, f.complete(where(
			ofTrace(id.traceID), query.Condition{Column: query.ColumnID, Operator: query.OpEqual, Text: id.id})))
		return fmt.Sprintf("%q %v %s", id, err, short(row))
	}
	for _, id := range found {
		if !slices.Contains(wanted, id) {
			return "should not be there: " + show(id)
		}
	}
	for _, id := range wanted {
		if !slices.Contains(found, id) {
			return "should be there: " + show(id)
		}
	}
	return "the order differs, or a row comes twice"
}

func idsOf(rows []store.StoredObservation) []rowID {
	ids := make([]rowID, len(rows))
	for i := range rows {
		ids[i] = rowID{rows[i].TraceID, rows[i].ID}
	}
	return ids
}
