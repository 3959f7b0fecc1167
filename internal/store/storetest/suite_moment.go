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

// answersOfOneMoment holds the store to answers whose parts fit together while others write and delete.
func answersOfOneMoment(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	written := make(chan error, 1)
	go func() { written <- writeAndDelete(ctx, s, f.project, NewRows(1)) }()
	// Answers count only once there is something to count wrongly.
	for counted, began := 0, time.Now(); counted < 60; {
		require.Less(t, time.Since(began), 10*patience, "the writer writes too little")
		traces, err := s.ListTraces(t.Context(), query.Traces{Project: f.project, Limit: query.MaxLimit, Parts: query.TraceAll, WithTotal: true})
		require.NoError(t, err)
		if len(traces.Rows) > 1 {
			counted++
		}
		assert.Len(t, traces.Rows, int(traces.Total), "traces and their total")
		for _, trace := range traces.Rows {
			assert.False(t, trace.Timestamp.IsZero(), "a trace that was found is put together")
			assert.Len(t, trace.ObservationIDs, momentSpans)
		}
		scores, err := s.ListScores(t.Context(), query.Scores{Project: f.project, Limit: query.MaxLimit, WithTotal: true})
		require.NoError(t, err)
		assert.Len(t, scores.Rows, int(scores.Total), "scores and their total")
		days, err := s.ListDays(t.Context(), query.Daily{Project: f.project, Limit: query.MaxLimit, WithTotal: true})
		require.NoError(t, err)
		assert.Len(t, days.Rows, int(days.Total), "days and their total")
		for _, day := range days.Rows {
			var observations int64
			for _, m := range day.Models {
				observations += m.Observations
			}
			assert.Equal(t, day.Observations, observations, "a day is all its models")
		}
	}
	cancel()
	require.NoError(t, <-written)
}

// momentSpans is how many observations a trace of writeAndDelete has.
const momentSpans = 3

// writeAndDelete does both until the context is done.
func writeAndDelete(ctx context.Context, s store.Store, project string, r *Rows) error {
	var ids []string
	for i := 0; ctx.Err() == nil; i++ {
		trace := r.Trace(momentSpans)
		score := r.Score(fmt.Sprintf("score %d", i))
		score.TraceID, score.ObservationID, score.SessionID, score.ExperimentID = trace[0].TraceID, "", "", ""
		ids = append(ids, trace[0].TraceID)
		// A write that has begun is finished, so that the last one leaves no doubt.
		whole := context.WithoutCancel(ctx)
		if err := s.WriteObservations(whole, project, trace); err != nil {
			return err
		}
		if err := s.WriteScores(whole, project, []model.Score{score}); err != nil {
			return err
		}
		if len(ids) > 20 {
			if err := s.DeleteTraces(whole, project, ids[:15]); err != nil {
				return err
			}
			ids = ids[15:]
		}
	}
	return nil
}
