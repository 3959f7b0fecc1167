// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// deletes holds the store to what DeleteTraces promises.
func deletes(t *testing.T, s store.Store) {
	t.Run("take observations and scores", func(t *testing.T) {
		f := newFixture(t, s)
		for i := range 6 {
			trace := f.rows.Trace(10)
			for j := range trace {
				trace[j].TraceID = fmt.Sprintf("trace-%d", i)
			}
			f.write(trace...)
			score := f.rows.Score(fmt.Sprintf("score-%d-b", i))
			score.TraceID, score.SessionID, score.ExperimentID = trace[0].TraceID, "", ""
			score.ObservationID = trace[i].ID
			f.writeScores(score)
		}
		bySession, byExperiment := f.rows.Score("of a session d"), f.rows.Score("of an experiment e")
		require.NotEmpty(t, bySession.SessionID)
		require.NotEmpty(t, byExperiment.ExperimentID)
		f.writeScores(bySession, byExperiment)

		f.deleteTraces("trace-2")
		require.Len(t, f.same(query.Observations{}), 50)
		f.sameScores()
		f.deleteTraces("trace-0", "trace-5", "no such trace", "trace-2", "trace-0")
		require.Len(t, f.same(query.Observations{}), 30)
		f.sameScores()
	})
	t.Run("of unknown and odd ids", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(f.rows.Observations(10)...)
		bySession := f.rows.Score("of a session d")
		f.writeScores(bySession)
		f.deleteTraces()
		f.deleteTraces("no such trace")
		f.deleteTraces("%", "_", "*", "' OR 1=1 --", "")
		require.Len(t, f.same(query.Observations{}), 10)
		f.sameScores()
	})
	t.Run("of 1000 ids", func(t *testing.T) {
		f := newFixture(t, s)
		var rows []model.Observation
		var ids []string
		for i := range 1100 {
			row := f.rows.Plain(20)
			row.TraceID = fmt.Sprintf("trace-%d", i)
			rows = append(rows, row)
			if i < 1000 {
				ids = append(ids, row.TraceID)
			}
		}
		f.write(rows...)
		// The other project has more rows than one page by now.
		f.same(query.Observations{Groups: query.GroupBasic})
		f.deleteTraces(ids...)
		require.Len(t, f.same(query.Observations{}), 100)
	})
	t.Run("leave room for the same rows", func(t *testing.T) {
		f := newFixture(t, s)
		rows := f.rows.Trace(20)
		for range 3 {
			f.write(rows...)
			require.Len(t, f.same(query.Observations{}), 20)
			f.deleteTraces(rows[0].TraceID)
			require.Empty(t, f.same(query.Observations{}))
		}
	})
	t.Run("without a project", func(t *testing.T) {
		require.ErrorIs(t, s.DeleteTraces(t.Context(), "", []string{"t"}), store.ErrInvalid)
	})
}
