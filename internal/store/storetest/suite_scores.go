// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// scores holds the store to what it promises of scores, merging aside.
func scores(t *testing.T, s store.Store) {
	t.Run("come back as they were", func(t *testing.T) {
		f := newFixture(t, s)
		for i := range 60 {
			f.writeScores(f.rows.Score(fmt.Sprintf("score %d", i)))
		}
		f.sameScores()
	})
	t.Run("of every data type", func(t *testing.T) {
		f := newFixture(t, s)
		for i, score := range []model.Score{
			{DataType: model.ScoreNumeric, Number: 0},
			{DataType: model.ScoreNumeric, Number: -1.5e-300},
			{DataType: model.ScoreNumeric, Number: 0.1},
			{DataType: model.ScoreNumeric, Number: 1<<53 + 2},
			{DataType: model.ScoreBoolean, Number: 1},
			{DataType: model.ScoreBoolean},
			{DataType: model.ScoreCategorical, Text: ""},
			{DataType: model.ScoreCategorical, Text: "1"},
			{DataType: model.ScoreText, Text: "ünï 😀\n"},
			{DataType: model.ScoreCorrection, Text: `{"a":1}`},
		} {
			score.ID, score.Name, score.TraceID, score.Source = strconv.Itoa(i), "n", "t", model.ScoreFromAPI
			score.Environment, score.Timestamp = "default", f.rows.Base
			f.writeScores(score)
			require.Empty(t, compareScores(score, f.score(score.ID).Score))
		}
	})
	t.Run("by id", func(t *testing.T) {
		f := newFixture(t, s)
		ids := append([]string{"A", "a", "it's", "%"}, oddTexts[1:10]...)
		for _, id := range ids {
			f.writeScores(f.rows.Score(id))
		}
		for _, asked := range [][]string{nil, {"no such id"}, {"a"}, {"a", "a", "no such id", "%"}, ids} {
			requireSameScores(t.Context(), t, s, f.naive, f.project, asked)
		}
	})
	t.Run("many at once", func(t *testing.T) {
		f := newFixture(t, s)
		var batch []model.Score
		for i := range 1200 {
			batch = append(batch, f.rows.Score(fmt.Sprintf("score %d", i)))
		}
		f.writeScores(batch...)
		f.sameScores()
		f.writeScores(batch[100:900]...)
		f.sameScores()
	})
	t.Run("deleted", func(t *testing.T) {
		f := newFixture(t, s)
		for i := range 10 {
			f.writeScores(f.rows.Score(fmt.Sprintf("score %d", i)))
		}
		for _, ids := range [][]string{nil, {"no such id", "%"}, {"score 3"}, {"score 1", "score 3", "score 1", "no such id"}} {
			for _, each := range []store.Store{s, f.naive} {
				require.NoError(t, each.DeleteScores(t.Context(), f.project, ids))
			}
			f.sameScores()
		}
		again := f.rows.Score("score 3")
		f.writeScores(again)
		require.Empty(t, compareScores(again, f.score("score 3").Score), "nothing of a deleted score may come back")
	})
	t.Run("all or nothing", func(t *testing.T) {
		f := newFixture(t, s)
		batch := []model.Score{f.rows.Score("a"), f.rows.Score("b"), f.rows.Score("c")}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.Error(t, s.WriteScores(ctx, f.project, batch))
		batch[1].ID = ""
		err := s.WriteScores(t.Context(), f.project, batch)
		found, readErr := s.ScoresByID(t.Context(), f.project, []string{"a", "b", "", "c"})
		require.NoError(t, readErr)
		if err != nil {
			require.ErrorIs(t, err, store.ErrInvalid)
			require.Empty(t, found)
		} else {
			require.Len(t, found, 3)
		}
	})
	t.Run("without a project", func(t *testing.T) {
		require.ErrorIs(t, s.WriteScores(t.Context(), "", []model.Score{NewRows(1).Score("a")}), store.ErrInvalid)
		_, err := s.ScoresByID(t.Context(), "", []string{"a"})
		require.ErrorIs(t, err, store.ErrInvalid)
		require.ErrorIs(t, s.DeleteScores(t.Context(), "", []string{"a"}), store.ErrInvalid)
	})
	t.Run("keep the time of creation", func(t *testing.T) {
		f := newFixture(t, s)
		before := time.Now()
		score := f.rows.Score("s")
		f.writeScores(score)
		first := f.score("s")
		assert.WithinRange(t, first.CreatedAt, before.Add(-2*time.Millisecond), time.Now().Add(2*time.Millisecond))
		assert.False(t, first.UpdatedAt.Before(first.CreatedAt))
		for again := first; !again.UpdatedAt.After(first.UpdatedAt); {
			require.Less(t, time.Since(before), 5*time.Second, "the time of the update must change")
			score.Comment += "."
			f.writeScores(score)
			again = f.score("s")
			require.True(t, again.CreatedAt.Equal(first.CreatedAt), "created at %v, then at %v", first.CreatedAt, again.CreatedAt)
		}
	})
}
