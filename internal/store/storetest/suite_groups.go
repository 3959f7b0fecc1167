// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// groups holds the store to giving the fields of the groups that were asked for, and no others.
func groups(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	f.write(f.rows.Observations(60)...)
	asked := []query.Groups{0, query.GroupAll, query.GroupBasic | query.GroupUsage, query.GroupAll &^ query.GroupIO}
	for group := query.Groups(1); group <= query.GroupAll; group <<= 1 {
		asked = append(asked, group)
	}
	for range 10 {
		asked = append(asked, query.Groups(f.rows.IntN(int(query.GroupAll)+1)))
	}
	for _, group := range asked {
		t.Run(fmt.Sprintf("%011b", group), func(t *testing.T) {
			for _, conditions := range [][]query.Condition{
				nil,
				// A condition on a field that was not asked for.
				{{Column: query.ColumnHasInput, Operator: query.OpEqual, Bool: true}, {Column: query.ColumnTotalTokens, Operator: query.OpIsNotNull}},
			} {
				q := query.Observations{Project: f.project, Groups: group, Limit: 60, Where: conditions}
				want, err := f.naive.ListObservations(t.Context(), q)
				require.NoError(t, err)
				got, err := s.ListObservations(t.Context(), q)
				require.NoError(t, err)
				requireRows(t, want.Rows, got.Rows, "%s", describe(q))
				for _, row := range got.Rows {
					require.Equal(t, group.Has(query.GroupTime), !row.CreatedAt.IsZero(), "created at %v", row.CreatedAt)
					require.Equal(t, group.Has(query.GroupTime), !row.UpdatedAt.IsZero(), "updated at %v", row.UpdatedAt)
				}
			}
		})
	}
}
