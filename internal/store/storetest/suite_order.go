// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// crowd are rows of which many start at the same time, and many have the same trace id or the same id.
func crowd(r *Rows, n int) []model.Observation {
	ids := []string{"", "a", "ab", "abc", "b", "B", "é", "z", "Z", "😀", "10", "9"}
	rows := make([]model.Observation, 0, n)
	for i := range n {
		row := r.Plain(50)
		row.Start = r.Base.Add(time.Duration(i%3) * time.Millisecond)
		row.TraceID = fmt.Sprintf("trace%s", ids[i%len(ids)])
		row.ID = fmt.Sprintf("%s%d", ids[(i/len(ids))%len(ids)], i/7)
		rows = append(rows, row)
	}
	r.Shuffle(n, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// order holds the store to the order of lists and to its pages.
func order(t *testing.T, s store.Store) {
	t.Run("is total", func(t *testing.T) {
		f := newFixture(t, s)
		rows := crowd(f.rows, 200)
		for batch := range slices.Chunk(rows, 33) {
			f.write(batch...)
		}
		first := f.same(query.Observations{})
		require.Len(t, first, 200)
		require.True(t, slices.IsSortedFunc(first, newestFirst))
		f.write(rows[:50]...)
		requireRows(t, first, f.all(query.Observations{}), "rows that came again stay where they are")
	})
	t.Run("in pages", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(crowd(f.rows, 40)...)
		f.write(f.rows.Observations(30)...)
		whole := f.list(query.Observations{})
		require.Len(t, whole.Rows, 70)
		require.Nil(t, whole.Next)
		for _, limit := range []int{1, 2, 7, 35, 69, 70, 71, query.MaxLimit} {
			for _, groups := range []query.Groups{query.GroupAll, query.GroupPrompt} {
				q := query.Observations{Limit: limit, Groups: groups}
				requireRows(t, f.same(query.Observations{Groups: groups}), f.all(q), "pages of %d", limit)
			}
		}
		f.same(query.Observations{Limit: 3, Where: []query.Condition{{Column: query.ColumnLevel, Operator: query.OpEqual, Text: string(model.LevelError)}}})
	})
	t.Run("ends with the last row", func(t *testing.T) {
		f := newFixture(t, s)
		require.Nil(t, f.list(query.Observations{Limit: 1}).Next, "an empty list")
		f.write(f.rows.Observations(4)...)
		page := f.list(query.Observations{Limit: 2})
		require.NotNil(t, page.Next)
		page = f.list(query.Observations{Limit: 2, After: page.Next})
		require.Len(t, page.Rows, 2)
		require.Nil(t, page.Next, "the last page is full")
	})
	t.Run("with a limit of nothing", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(f.rows.Observations(3)...)
		page, err := s.ListObservations(t.Context(), query.Observations{Project: f.project})
		require.NoError(t, err)
		require.Empty(t, page.Rows)
		require.Nil(t, page.Next)
	})
	t.Run("counted in pages", func(t *testing.T) { countedPages(t, s) })
	t.Run("goes on behind a row that is gone", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(f.rows.Observations(20)...)
		whole := f.list(query.Observations{}).Rows
		page := f.list(query.Observations{Limit: 5})
		f.deleteTraces(whole[4].TraceID)
		requireRows(t, whole[5:], f.all(query.Observations{After: page.Next}), "after the fifth row, which was deleted")
		moved := whole[9].Observation
		moved.Start = moved.Start.Add(-1000 * 24 * time.Hour)
		key := keyOf(&whole[9].Observation)
		f.write(moved)
		f.same(query.Observations{After: &key})
	})
	t.Run("goes on behind any position", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(crowd(f.rows, 60)...)
		for _, key := range []query.ObservationKey{
			{Start: f.rows.Base.Add(time.Hour)},
			{Start: f.rows.Base.Add(-time.Hour), TraceID: "z", ID: "z"},
			{Start: f.rows.Base.Add(time.Millisecond)},
			{Start: f.rows.Base.Add(time.Millisecond), TraceID: "zzz"},
			{Start: f.rows.Base, TraceID: "trace"},
			{Start: f.rows.Base, TraceID: "traceab", ID: "m"},
			{Start: f.rows.Base, TraceID: "it's", ID: `"`},
		} {
			f.same(query.Observations{After: &key})
		}
	})
	t.Run("between two times", func(t *testing.T) { bounds(t, s) })
}

// countedPages begins lists behind a number of rows, and counts all.
func countedPages(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	f.write(crowd(f.rows, 30)...)
	whole := f.same(query.Observations{})
	isError := query.Condition{Column: query.ColumnLevel, Operator: query.OpEqual, Text: string(model.LevelError)}
	errors := f.same(where(isError))
	require.NotEmpty(t, errors)
	for _, offset := range []int{0, 1, 7, 29, 30, 31} {
		page := f.list(query.Observations{Limit: 7, Offset: offset, WithTotal: true})
		requireRows(t, whole[min(offset, 30):min(offset+7, 30)], page.Rows, "behind %d rows", offset)
		require.EqualValues(t, 30, page.Total)
		require.Equal(t, offset+7 < 30, page.Next != nil)
		page = f.list(query.Observations{Limit: 7, Offset: offset, WithTotal: true, Where: []query.Condition{isError}})
		requireRows(t, errors[min(offset, len(errors)):min(offset+7, len(errors))], page.Rows, "errors behind %d rows", offset)
		require.EqualValues(t, len(errors), page.Total)
	}
	page, err := s.ListObservations(t.Context(), query.Observations{Project: f.project, WithTotal: true})
	require.NoError(t, err)
	require.EqualValues(t, 30, page.Total, "with a limit of nothing")
	page = f.list(query.Observations{Limit: 7, WithTotal: true, After: f.list(query.Observations{Limit: 7}).Next})
	require.EqualValues(t, 30, page.Total, "behind a row")
	_, err = s.ListObservations(t.Context(), query.Observations{Project: f.project, Offset: 1, After: &query.ObservationKey{}})
	require.ErrorIs(t, err, store.ErrInvalid)
}

// bounds tries From, which is in, and To, which is out.
func bounds(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	for i := range 10 {
		row := f.rows.Plain(50)
		row.Start = f.rows.Base.Add(time.Duration(i) * time.Millisecond)
		f.write(row)
	}
	at := func(ms int) time.Time { return f.rows.Base.Add(time.Duration(ms) * time.Millisecond) }
	berlin := time.FixedZone("", 7200)
	for _, tc := range []struct {
		from, to time.Time
		want     int
	}{
		{want: 10},
		{from: at(3), want: 7},
		{to: at(3), want: 3},
		{from: at(3), to: at(4), want: 1},
		{from: at(3), to: at(3), want: 0},
		{from: at(5), to: at(2), want: 0},
		{from: at(-10_000), to: at(10_000), want: 10},
		{from: at(3).In(berlin), to: at(5).In(berlin), want: 2},
		{from: at(10), want: 0},
	} {
		q := query.Observations{From: tc.from, To: tc.to}
		require.Len(t, f.same(q), tc.want, "%s", describe(q))
		q.Limit = 2
		require.Len(t, f.same(q), tc.want, "%s", describe(q))
	}
}
