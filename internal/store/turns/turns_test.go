// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package turns

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
)

const never = time.Hour

func TestWorkIsHandedOverAndAnswered(t *testing.T) {
	q := New[string](never, 10, nil)
	failed := errors.New("failed")
	answered := make(chan error)
	go func() { answered <- q.Submit(t.Context(), "a", 100) }()
	turn := <-q.Next()
	assert.Equal(t, "a", turn.Work)
	assert.Equal(t, int64(10), turn.Bytes, "more than there is would wait for ever")
	require.True(t, turn.Take())
	assert.False(t, turn.Take())
	turn.End(failed)
	require.Equal(t, failed, <-answered)
}

// Who cannot be served soon is told so, instead of being kept until it gives up by itself and sends the same again.
func TestNobodyWaitsForLong(t *testing.T) {
	q := New[string](time.Millisecond, 10, nil)
	err := q.Submit(t.Context(), "a", 1)
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorIs(t, err, ErrBusy)
	require.NoError(t, q.budget.Acquire(t.Context(), 10), "what was refused takes no room")
	require.ErrorIs(t, q.Submit(t.Context(), "a", 1), ErrBusy)
}

func TestACallerMayGiveUpWhileItWaits(t *testing.T) {
	q := New[string](never, 10, nil)
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.ErrorIs(t, q.Submit(gone, "a", 1), context.Canceled, "before somebody has it")

	gone, leave = context.WithCancel(t.Context())
	answered := make(chan error)
	go func() { answered <- q.Submit(gone, "a", 1) }()
	turn := <-q.Next()
	leave()
	require.ErrorIs(t, <-answered, context.Canceled, "before somebody takes it up")
	assert.False(t, turn.Take())
}

// What somebody works on is awaited: it must not be used after its caller has returned.
func TestACallerWaitsForWorkThatWasTaken(t *testing.T) {
	q := New[string](never, 10, nil)
	gone, leave := context.WithCancel(t.Context())
	answered := make(chan error, 1)
	go func() { answered <- q.Submit(gone, "a", 1) }()
	turn := <-q.Next()
	require.True(t, turn.Take())
	leave()
	<-turn.Context.Done()
	assert.Empty(t, answered)
	turn.End(nil)
	require.NoError(t, <-answered)
}

func TestNobodyIsLetInAfterTheEnd(t *testing.T) {
	closing := make(chan struct{})
	close(closing)
	err := New[string](never, 10, closing).Submit(t.Context(), "a", 1)
	require.ErrorIs(t, err, ErrClosed)
	require.ErrorIs(t, err, store.ErrUnavailable)
}
