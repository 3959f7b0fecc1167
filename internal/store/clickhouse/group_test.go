// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"golang.org/x/sync/semaphore"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// Who would wait for its turn longer than its sender waits is told so, whatever it writes.
func TestBusy(t *testing.T) {
	busy := &engine{settings: Settings{WriteWait: time.Millisecond}, closing: context.Background(), documents: semaphore.NewWeighted(0)}
	busy.observations = newGroups(busy, busy.writeObservations) // of which nobody takes anything
	busy.scores = newGroups(busy, busy.writeScores)
	for name, err := range map[string]error{
		"observations": busy.WriteObservations(t.Context(), "p", []model.Observation{{TraceID: "t", ID: "i", Start: time.Now()}}),
		"scores": busy.WriteScores(t.Context(), "p", []model.Score{{
			ID: "i", Name: "n", DataType: model.ScoreNumeric, SessionID: "s", Source: model.ScoreFromAPI, Environment: "default",
		}}),
		"documents": busy.WriteDocuments(t.Context(), "p", []store.DocumentChange{{Document: store.Document{Kind: "k", ID: "i"}, Expect: store.AnyRevision}}),
	} {
		assert.ErrorIs(t, err, store.ErrUnavailable, name)
		assert.ErrorContains(t, err, "more is written than it can take", name)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	err := busy.WriteObservations(gone, "p", []model.Observation{{TraceID: "t", ID: "i", Start: time.Now()}})
	assert.ErrorIs(t, err, context.Canceled)
}
