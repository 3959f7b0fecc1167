// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// writes holds the store to what WriteObservations promises.
func writes(t *testing.T, s store.Store) {
	t.Run("are visible to the next read", func(t *testing.T) {
		f := newFixture(t, s)
		for range 20 {
			rows := f.rows.Observations(1 + f.rows.IntN(5))
			f.write(rows...)
			require.NotEmpty(t, f.same(where(ofTrace(rows[0].TraceID))))
		}
		f.same(query.Observations{})
	})
	t.Run("may be empty", func(t *testing.T) {
		f := newFixture(t, s)
		require.NoError(t, s.WriteObservations(t.Context(), f.project, nil))
		require.NoError(t, s.WriteObservations(t.Context(), f.project, []model.Observation{}))
		require.Empty(t, f.same(query.Observations{}))
	})
	t.Run("may come again", func(t *testing.T) {
		f := newFixture(t, s)
		rows := f.rows.Observations(30)
		for range 3 {
			f.write(rows...)
			require.Len(t, f.same(query.Observations{}), 30)
		}
	})
	t.Run("replace whatever the start time", func(t *testing.T) {
		f := newFixture(t, s)
		rows := f.rows.Observations(5)
		f.write(rows...)
		for i, shift := range []time.Duration{0, time.Millisecond, -time.Millisecond, 400 * 24 * time.Hour, -400 * 24 * time.Hour} {
			changed := f.rows.Plain(100)
			changed.TraceID, changed.ID, changed.Start = rows[i].TraceID, rows[i].ID, rows[i].Start.Add(shift)
			f.write(changed)
			require.Len(t, f.same(query.Observations{}), 5, "moved by %v", shift)
		}
	})
	t.Run("replace the whole row", func(t *testing.T) {
		f := newFixture(t, s)
		full := f.rows.Odd()
		bare := model.Observation{TraceID: full.TraceID, ID: full.ID, Start: full.Start}
		f.write(full)
		f.write(bare)
		require.Len(t, f.same(query.Observations{}), 1, "nothing of the first may be left")
	})
	t.Run("tell rows of other traces apart", func(t *testing.T) {
		f := newFixture(t, s)
		for i := range 3 {
			row := f.rows.Plain(100)
			row.TraceID, row.ID = fmt.Sprintf("trace %d", i), "the same id"
			f.write(row)
		}
		// Glued together, these are equal.
		for _, ids := range [][2]string{{"a", "bc"}, {"ab", "c"}, {"a ", "bc"}, {"a", " bc"}, {"A", "bc"}} {
			row := f.rows.Plain(100)
			row.TraceID, row.ID = ids[0], ids[1]
			f.write(row)
		}
		require.Len(t, f.same(query.Observations{}), 8)
	})
	t.Run("keep the later of two rows in a call", func(t *testing.T) {
		f := newFixture(t, s)
		first, other, later := f.rows.Plain(100), f.rows.Plain(100), f.rows.Odd()
		later.TraceID, later.ID = first.TraceID, first.ID
		f.write(first, other, later)
		require.Len(t, f.same(query.Observations{}), 2)
		f.write(later, other, first)
		require.Len(t, f.same(query.Observations{}), 2)
		f.write(first, first, first)
		require.Len(t, f.same(query.Observations{}), 2)
	})
	t.Run("keep the time of creation", func(t *testing.T) { createdAt(t, s) })
	t.Run("leave the rows to the caller", func(t *testing.T) {
		f := newFixture(t, s)
		row := f.rows.Odd()
		row.Tags, row.Usage, row.PromptVersion = []string{"mine"}, model.Usage{{Key: "input", Units: 1}}, new(1)
		f.write(row)
		row.Tags[0], row.Usage[0].Units, *row.PromptVersion = "changed later", 2, 2
		f.same(query.Observations{})
	})
	t.Run("are all or nothing", func(t *testing.T) { allOrNothing(t, s) })
}

func createdAt(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	before := time.Now()
	row := f.rows.Plain(100)
	f.write(row)
	first := f.list(query.Observations{}).Rows[0]
	// A store may keep whole milliseconds.
	assert.False(t, first.CreatedAt.Before(before.Add(-2*time.Millisecond)), "created at %v, before %v", first.CreatedAt, before)
	assert.False(t, first.CreatedAt.After(time.Now().Add(2*time.Millisecond)), "created at %v, in the future", first.CreatedAt)
	assert.False(t, first.UpdatedAt.Before(first.CreatedAt), "updated at %v, created at %v", first.UpdatedAt, first.CreatedAt)
	assert.Equal(t, time.UTC, first.CreatedAt.Location())

	// Two writes may fall into the same moment; not all that are made in five seconds do.
	for again := first; !again.UpdatedAt.After(first.UpdatedAt); {
		require.Less(t, time.Since(before), 5*time.Second, "the time of the update must change")
		row.Start = row.Start.Add(time.Millisecond)
		f.write(row)
		again = f.list(query.Observations{}).Rows[0]
		require.True(t, again.CreatedAt.Equal(first.CreatedAt), "created at %v, then at %v", first.CreatedAt, again.CreatedAt)
		require.False(t, again.UpdatedAt.Before(first.UpdatedAt), "updated at %v, then at %v", first.UpdatedAt, again.UpdatedAt)
	}
}

// allOrNothing gives the store batches that it cannot, or need not, store. A row that no engine must accept may be
// accepted; half of a batch may not.
func allOrNothing(t *testing.T, s store.Store) {
	t.Run("without a project", func(t *testing.T) {
		require.ErrorIs(t, s.WriteObservations(t.Context(), "", NewRows(1).Observations(3)), store.ErrInvalid)
	})
	t.Run("with a context that is done", func(t *testing.T) {
		f := newFixture(t, s)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.Error(t, s.WriteObservations(ctx, f.project, f.rows.Observations(40)))
		require.Empty(t, f.all(query.Observations{}))
	})
	for name, spoil := range map[string]func(*model.Observation){
		"no id":       func(o *model.Observation) { o.ID = "" },
		"no trace id": func(o *model.Observation) { o.TraceID = "" },
		"no start":    func(o *model.Observation) { o.Start = time.Time{} },
		"late start":  func(o *model.Observation) { o.Start = time.Date(300_000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"early end":   func(o *model.Observation) { o.End = time.Date(-300_000, 1, 1, 0, 0, 0, 0, time.UTC) },
		"no UTF-8":    func(o *model.Observation) { o.Name = "\xff\xfe" },
		"zero byte":   func(o *model.Observation) { o.Input = "a\x00b" },
		"bad JSON":    func(o *model.Observation) { o.ModelParameters = `{"unclosed":` },
	} {
		t.Run("with a row that has "+name, func(t *testing.T) {
			f := newFixture(t, s)
			rows := f.rows.Trace(21)
			spoil(&rows[10])
			err := s.WriteObservations(t.Context(), f.project, rows)
			stored := f.all(query.Observations{Groups: query.GroupBasic})
			if err != nil {
				require.ErrorIs(t, err, store.ErrInvalid)
				require.Empty(t, stored, "the batch was refused: %v", err)
			} else {
				require.Len(t, stored, len(rows), "the batch was accepted")
			}
		})
	}
}
