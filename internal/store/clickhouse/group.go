// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"github.com/weirhq/weir/internal/store"
)

const (
	// maxGroupRows is how many rows go into one batch. A batch costs several answers of the server, so all who wait share one.
	maxGroupRows = 8192
	// maxGroupBytes is the same for large rows: the first of a group waits until the last is written.
	maxGroupBytes = 16 << 20
	// maxWaiting bounds the bytes of the rows that wait to be written; who comes on top waits before handing them over.
	maxWaiting = 128 << 20
	// writingHands is how many batches of observations are on their way at the same time.
	writingHands = 4
)

// work is a call that waits for its turn.
type work interface {
	size() (rows int, bytes int64)
	state() *turn
}

// turn is how far a call has come.
type turn struct {
	ctx   context.Context
	taken atomic.Bool // by a hand, or by the caller who gives up
	done  chan error
}

func (t *turn) state() *turn { return t }

// groups puts calls together that wait at the same time. Each of them fails or succeeds for itself: what is wrong with a
// call is found out before, so what is left is whether ClickHouse answers.
type groups[W work] struct {
	engine *engine
	jobs   chan W
	budget *semaphore.Weighted
	write  func(context.Context, []W) error
}

func newGroups[W work](e *engine, write func(context.Context, []W) error) *groups[W] {
	return &groups[W]{engine: e, jobs: make(chan W), budget: semaphore.NewWeighted(maxWaiting), write: write}
}

var errBusy = fmt.Errorf("%w: more is written than it can take; send it again in a moment", store.ErrUnavailable)

// waiting is a context for who waits for its turn: not longer than its sender does.
func (e *engine) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, e.settings.WriteWait, errBusy)
}

// submit hands over a call and waits for its end. A caller whose context ends gives up only while the call still waits, so
// that what it handed over is never used after it returned.
func (g *groups[W]) submit(ctx context.Context, w W) error {
	_, bytes := w.size()
	bytes = min(bytes, maxWaiting)
	waiting, cancel := g.engine.waiting(ctx)
	defer cancel()
	if err := g.budget.Acquire(waiting, bytes); err != nil {
		return context.Cause(waiting)
	}
	defer g.budget.Release(bytes)
	t := w.state()
	t.ctx, t.done = ctx, make(chan error, 1)
	select {
	case g.jobs <- w:
	case <-waiting.Done():
		return context.Cause(waiting)
	case <-g.engine.closing.Done():
		return errClosed
	}
	select {
	case err := <-t.done:
		return err
	case <-ctx.Done():
		if t.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		return <-t.done
	}
}

// run takes calls until the engine closes.
func (g *groups[W]) run() {
	for {
		select {
		case first := <-g.jobs:
			if first.state().taken.CompareAndSwap(false, true) {
				g.finish(g.group(first))
			}
		case <-g.engine.closing.Done():
			return
		}
	}
}

// group adds to a call all others that wait, up to a limit.
func (g *groups[W]) group(first W) []W {
	group := []W{first}
	rows, bytes := first.size()
	for rows < maxGroupRows && bytes < maxGroupBytes {
		select {
		case w := <-g.jobs:
			if w.state().taken.CompareAndSwap(false, true) {
				moreRows, moreBytes := w.size()
				group, rows, bytes = append(group, w), rows+moreRows, bytes+moreBytes
			}
		default:
			return group
		}
	}
	return group
}

// finish writes a group. The context of one caller must not end the work for the others.
func (g *groups[W]) finish(group []W) {
	ctx, cancel := within(group[0].state().ctx, writeTime)
	defer cancel()
	err := g.write(ctx, group)
	if err != nil && len(group) > 1 && !isAway(err) && !errors.Is(err, context.DeadlineExceeded) {
		for i := range group {
			g.finish(group[i : i+1])
		}
		return
	}
	for _, w := range group {
		w.state().done <- err
	}
}
