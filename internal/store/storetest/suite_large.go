// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// large tries much of everything.
func large(t *testing.T, s store.Store) {
	t.Run("values of 10 MB", func(t *testing.T) {
		f := newFixture(t, s)
		row, small := f.rows.Plain(50), f.rows.Plain(50)
		text := strings.Repeat(f.rows.Text(1024)+"\n", 10<<10)
		row.Input, row.Output = text+" haystack", "[]"
		row.Metadata = `{"large":` + encodeJSON(text[:1<<20]) + `,"small":1}`
		require.NoError(t, s.WriteObservations(t.Context(), f.project, []model.Observation{row, small}))
		want := []store.StoredObservation{{Observation: row}}
		conditions := []query.Condition{
			{Column: query.ColumnInput, Operator: query.OpMatches, Text: "Haystack"},
			{Column: query.ColumnInput, Operator: query.OpEqual, Text: row.Input},
			{Column: query.ColumnMetadata, Key: "small", Operator: query.OpEqual, IsNumber: true, Number: 1},
			{Column: query.ColumnID, Operator: query.OpEqual, Text: row.ID},
		}
		requireRows(t, want, f.all(where(conditions...)), "a row of 20 MB")
	})
	t.Run("a trace of 10000", func(t *testing.T) {
		f := newFixture(t, s)
		trace := f.rows.Trace(10_000)
		for batch := range slices.Chunk(trace, 2000) {
			require.NoError(t, s.WriteObservations(t.Context(), f.project, batch))
		}
		stray := f.rows.Plain(50)
		require.NoError(t, s.WriteObservations(t.Context(), f.project, []model.Observation{stray}))

		q := where(ofTrace(trace[0].TraceID))
		q.Groups = query.GroupBasic
		got := f.all(q)
		require.Len(t, got, 10_000)
		require.True(t, slices.IsSortedFunc(got, newestFirst))
		parents := map[string]string{}
		for i := range trace {
			parents[trace[i].ID] = trace[i].ParentID
		}
		for i := range got {
			require.Equal(t, parents[got[i].ID], got[i].ParentID)
			delete(parents, got[i].ID)
		}
		require.Empty(t, parents)

		require.NoError(t, s.WriteObservations(t.Context(), f.project, trace), "all in one batch, again")
		require.Len(t, f.all(q), 10_000)
		require.NoError(t, s.DeleteTraces(t.Context(), f.project, []string{trace[0].TraceID}))
		require.Empty(t, f.all(q))
		require.Len(t, f.all(query.Observations{}), 1)
	})
	t.Run("many tags, keys and conditions", func(t *testing.T) {
		f := newFixture(t, s)
		row := f.rows.Plain(50)
		var members []string
		for i := range 1000 {
			row.Tags = append(row.Tags, fmt.Sprintf("tag %d", i))
			row.Usage = append(row.Usage, model.UsageEntry{Key: fmt.Sprintf("key %d", i), Units: int64(i)})
			members = append(members, fmt.Sprintf(`"key %d":%d`, i, i))
		}
		row.Metadata = "{" + strings.Join(members, ",") + "}"
		f.write(row)
		conditions := []query.Condition{
			{Column: query.ColumnTags, Operator: query.OpAllOf, Texts: row.Tags},
			{Column: query.ColumnName, Operator: query.OpNoneOf, Texts: row.Tags},
		}
		for i := range 50 {
			conditions = append(conditions, query.Condition{
				Column: query.ColumnMetadata, Key: fmt.Sprintf("key %d", i), Operator: query.OpEqual, IsNumber: true, Number: float64(i),
			})
		}
		require.Len(t, f.same(where(conditions...)), 1)
	})
	t.Run("no more than the reader can take", func(t *testing.T) {
		f := newFixture(t, s)
		for range 3 {
			row := f.rows.Plain(10)
			row.Input, row.Output, row.Metadata = strings.Repeat("i", 400), strings.Repeat("o", 500), `{"k":"`+strings.Repeat("m", 92)+`"}`
			f.write(row) // 1,000 bytes
		}
		list := func(limit int, groups query.Groups, most int64) (store.ObservationPage, error) {
			return s.ListObservations(t.Context(), query.Observations{Project: f.project, Limit: limit, Groups: groups, MaxBytes: most})
		}
		all := query.GroupIO | query.GroupMetadata
		for _, tc := range []struct {
			limit  int
			groups query.Groups
			most   int64
			rows   int // 0 when it is too much
		}{
			{3, all, 0, 3},
			{3, all, 3000, 3},
			{3, all, 2999, 0},
			{2, all, 2000, 2},
			{2, all, 1999, 0},
			{3, query.GroupMetadata, 300, 3},
			{3, query.GroupMetadata, 299, 0},
			{3, 0, 1, 3},
		} {
			page, err := list(tc.limit, tc.groups, tc.most)
			require.Len(t, page.Rows, tc.rows, "%+v", tc)
			if tc.rows == 0 {
				require.ErrorIs(t, err, store.ErrTooLarge)
				require.ErrorIs(t, err, store.ErrTooExpensive)
			} else {
				require.NoError(t, err)
			}
		}
	})
}
