// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// pagesWhileOthersWrite reads a list page by page while another writer puts rows before, behind and between those that
// were there, and sends these again.
func pagesWhileOthersWrite(t *testing.T, s store.Store) {
	for _, limit := range []int{1, 2, 7, query.MaxLimit} {
		t.Run(fmt.Sprintf("%d a page", limit), func(t *testing.T) {
			f := newFixture(t, s)
			rows := append(crowd(f.rows, 40), f.rows.Observations(20)...)
			f.write(rows...)
			there := map[rowID]bool{}
			for i := range rows {
				there[rowID{rows[i].TraceID, rows[i].ID}] = true
			}

			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			written := make(chan error, 1)
			first := make(chan struct{})
			go func() { written <- disturb(ctx, s, f.project, rows, first) }()
			<-first
			list := f.all(query.Observations{Limit: limit, Groups: query.GroupBasic})
			// A write that is cut off has done all or nothing, and this test does not care which.
			cancel()
			if err := <-written; !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrUnavailable) {
				require.NoError(t, err)
			}

			require.True(t, slices.IsSortedFunc(list, newestFirst))
			seen := map[rowID]int{}
			for i := range list {
				seen[rowID{list[i].TraceID, list[i].ID}]++
			}
			for id := range there {
				require.Equal(t, 1, seen[id], "how often the row %q came, which was there all the time", id)
			}
			for id, times := range seen {
				require.Equal(t, 1, times, "how often the row %q came", id)
			}
		})
	}
}

// disturb writes into a project until the context is done, but not for ever: a reader of single rows could not keep up.
func disturb(ctx context.Context, s store.Store, project string, existing []model.Observation, first chan<- struct{}) error {
	r := NewRows(2)
	for i := range 100 {
		newer, older, between, again := r.Plain(50), r.Plain(50), r.Plain(50), clone(pick(r, existing))
		newer.Start = r.Base.Add(time.Hour * 24 * 365)
		older.Start = r.Base.Add(-time.Hour * 24 * 365)
		between.Start = pick(r, existing).Start
		again.Name = fmt.Sprintf("again %d", i)
		err := s.WriteObservations(ctx, project, []model.Observation{newer, older, between, again})
		if i == 0 {
			close(first)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
