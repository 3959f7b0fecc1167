// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package turns has callers wait for their turn at an engine, within bounds of memory and time.
package turns // import "github.com/weirhq/weir/internal/store/turns"

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/weirhq/weir/internal/store"
)

var (
	// ErrBusy says that a turn did not come in time. Who is told so soon sends again; who is kept gives up by itself, and
	// does so too, while the same is still being written.
	ErrBusy = fmt.Errorf("%w: more is written than it can take; send it again in a moment", store.ErrUnavailable)
	// ErrClosed says that no turn will come any more.
	ErrClosed = fmt.Errorf("%w: it is closed", store.ErrUnavailable)
)

// DefaultWait is how long to wait for a turn. Senders give up after a few seconds and send the same again; who is told before that
// comes back when there is room.
const DefaultWait = 4 * time.Second

// Turn is a piece of work that waits for somebody to do it.
type Turn[W any] struct {
	Work W
	// Bytes is what it takes of the bound.
	Bytes int64
	// Context is that of the caller.
	Context context.Context //nolint:containedctx // it goes with the work

	taken atomic.Bool // by who does it, or by the caller who gives up
	done  chan error
}

// Take tells whether the work is to be done; its caller may have given up. Whoever takes it ends it.
func (t *Turn[W]) Take() bool { return t.taken.CompareAndSwap(false, true) }

// End tells the caller what came of it.
func (t *Turn[W]) End(err error) { t.done <- err }

// Queue is where callers wait.
type Queue[W any] struct {
	turns   chan *Turn[W]
	wait    time.Duration
	closing <-chan struct{}
	most    int64
	budget  *semaphore.Weighted
}

// New makes a queue in which nobody waits for longer than wait until the work begins, and in which there is work of at most
// so many bytes together, waiting or under way. Nobody is let in once closing is closed.
func New[W any](wait time.Duration, most int64, closing <-chan struct{}) *Queue[W] {
	return &Queue[W]{turns: make(chan *Turn[W]), wait: wait, closing: closing, most: most, budget: semaphore.NewWeighted(most)}
}

// Next is where those who do the work get it from.
func (q *Queue[W]) Next() <-chan *Turn[W] { return q.turns }

// Submit hands over work and waits for its end. A caller whose context ends gives up only while the work still waits, so that
// what it handed over is never used after it returned.
func (q *Queue[W]) Submit(ctx context.Context, work W, bytes int64) error {
	bytes = min(bytes, q.most)
	waiting, cancel := context.WithTimeoutCause(ctx, q.wait, ErrBusy)
	defer cancel()
	if err := q.budget.Acquire(waiting, bytes); err != nil {
		return context.Cause(waiting)
	}
	defer q.budget.Release(bytes)
	t := &Turn[W]{Work: work, Bytes: bytes, Context: ctx, done: make(chan error, 1)}
	select {
	case q.turns <- t:
	case <-waiting.Done():
		return context.Cause(waiting)
	case <-q.closing:
		return ErrClosed
	}
	select {
	case err := <-t.done:
		return err
	case <-ctx.Done():
		if t.Take() {
			return ctx.Err()
		}
		return <-t.done
	}
}
