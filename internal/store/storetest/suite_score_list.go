// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// walkScores follows a list of scores from page to page to its end.
func walkScores(ctx context.Context, s store.Store, q query.Scores) (rows []store.StoredScore, total int64, err error) {
	for {
		page, err := s.ListScores(ctx, q)
		if err != nil {
			return nil, 0, err
		}
		if len(page.Rows) > q.Limit || page.Next != nil && len(page.Rows) == 0 {
			return nil, 0, fmt.Errorf("a page of %d scores where the limit is %d", len(page.Rows), q.Limit)
		}
		rows, total = append(rows, page.Rows...), page.Total
		if page.Next == nil {
			return rows, total, nil
		}
		if q.After != nil && compareScoreKeys(*page.Next, *q.After) >= 0 {
			return nil, 0, fmt.Errorf("a page leads back: after %v comes %v", *q.After, *page.Next)
		}
		q.After, q.Offset = page.Next, 0
	}
}

// requireSameScoreLists ends the test when a list is not the same in two stores.
func requireSameScoreLists(ctx context.Context, tb testing.TB, s, naive store.Store, q query.Scores) []store.StoredScore {
	tb.Helper()
	want, wantTotal, err := walkScores(ctx, naive, q)
	require.NoError(tb, err)
	got, gotTotal, err := walkScores(ctx, s, q)
	require.NoError(tb, err, "%+v", q)
	if problems := compareScoreLists(want, got); len(problems) > 0 {
		tb.Fatalf("%+v:\n  %s", q, strings.Join(problems, "\n  "))
	}
	require.Equal(tb, wantTotal, gotTotal, "the number of scores of %+v", q)
	return got
}

func compareScoreLists(want, got []store.StoredScore) []string {
	var problems []string
	if len(want) != len(got) {
		problems = append(problems, fmt.Sprintf("%d scores, want %d", len(got), len(want)))
	}
	for i := range min(len(want), len(got)) {
		for _, difference := range compareScores(want[i].Score, got[i].Score) {
			problems = append(problems, fmt.Sprintf("score %d: %s", i, difference))
		}
		if len(problems) >= maxProblems {
			break
		}
	}
	return problems
}

func (f *fixture) sameScoreList(t *testing.T, q query.Scores) []store.StoredScore {
	t.Helper()
	q.Project = f.project
	if q.Limit == 0 {
		q.Limit = query.MaxLimit
	}
	return requireSameScoreLists(t.Context(), t, f.store, f.naive, q)
}

// scoreLists holds the store to the filters, the order and the pages of scores.
func scoreLists(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	var all []model.Score
	for i := range 120 {
		score := f.rows.Score(fmt.Sprintf("score %d", i))
		if i%3 == 0 {
			score.Timestamp = f.rows.Base.Add(time.Duration(i%4) * time.Millisecond)
		}
		all = append(all, score)
	}
	f.writeScores(all...)
	f.writeScores(all[:20]...)
	rows := f.rows.Observations(40)
	for i := range rows {
		rows[i].TraceID = f.rows.numbered("trace-", 8)
	}
	f.write(rows...)

	require.Len(t, f.sameScoreList(t, query.Scores{WithTotal: true}), len(all), "one row a score")
	for _, filter := range scoreFilters {
		t.Run(filter.name, func(t *testing.T) {
			telling := false
			for i := range 40 {
				var q query.Scores
				filter.add(f.rows, &q, &all[f.rows.IntN(len(all))], &rows[f.rows.IntN(len(rows))])
				q.WithTotal = i%2 == 0
				q.Limit = pick(f.rows, []int{query.MaxLimit, 7})
				found := len(f.sameScoreList(t, q))
				telling = telling || 0 < found && found < len(all)
				if telling && i > 8 {
					return
				}
			}
			require.True(t, telling, "a filter that holds for all scores or for none finds no fault")
		})
	}
	t.Run("in pages", func(t *testing.T) {
		whole := f.sameScoreList(t, query.Scores{})
		for _, limit := range []int{1, 7, 119, 120, 121} {
			require.Empty(t, compareScoreLists(whole, f.sameScoreList(t, query.Scores{Limit: limit})))
		}
		for _, offset := range []int{1, 60, 119, 120, 500} {
			got := f.sameScoreList(t, query.Scores{Limit: 7, Offset: offset, WithTotal: true})
			require.Empty(t, compareScoreLists(whole[min(offset, len(whole)):], got))
		}
	})
	t.Run("with a limit of nothing", func(t *testing.T) {
		page, err := s.ListScores(t.Context(), query.Scores{Project: f.project, WithTotal: true})
		require.NoError(t, err)
		require.Empty(t, page.Rows)
		require.Nil(t, page.Next)
		require.EqualValues(t, len(all), page.Total)
	})
	t.Run("errors", func(t *testing.T) { scoreListErrors(t, s) })
}

func scoreListErrors(t *testing.T, s store.Store) {
	for name, q := range map[string]query.Scores{
		"no project":      {},
		"limit too large": {Project: "p", Limit: query.MaxLimit + 1},
		"two beginnings":  {Project: "p", Offset: 1, After: &query.ScoreKey{}},
		"negative offset": {Project: "p", Offset: -1},
		"no such column":  {Project: "p", Where: []query.Condition{{Column: "1=1 OR name", Operator: query.OpEqual}}},
		"not UTF-8":       {Project: "p", Names: []string{"\xff"}},
		"not comparable":  {Project: "p", Compare: &query.ScoreComparison{Operator: "LIKE"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.ListScores(t.Context(), q)
			require.ErrorIs(t, err, store.ErrInvalid)
		})
	}
}
