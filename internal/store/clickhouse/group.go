// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"errors"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/turns"
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
type work interface{ countRows() int }

// groups puts calls together that wait at the same time. Each of them fails or succeeds for itself: what is wrong with a
// call is found out before, so what is left is whether ClickHouse answers.
type groups[W work] struct {
	*turns.Queue[W]
	engine *engine
	write  func(context.Context, []W) error
}

func newGroups[W work](e *engine, write func(context.Context, []W) error) *groups[W] {
	return &groups[W]{Queue: turns.New[W](e.settings.WriteWait, maxWaiting, e.closing.Done()), engine: e, write: write}
}

// run takes calls until the engine closes.
func (g *groups[W]) run() {
	for {
		select {
		case first := <-g.Next():
			if first.Take() {
				g.finish(g.group(first))
			}
		case <-g.engine.closing.Done():
			return
		}
	}
}

// group adds to a call all others that wait, up to a limit.
func (g *groups[W]) group(first *turns.Turn[W]) []*turns.Turn[W] {
	group, rows, bytes := []*turns.Turn[W]{first}, first.Work.countRows(), first.Bytes
	for rows < maxGroupRows && bytes < maxGroupBytes {
		select {
		case next := <-g.Next():
			if next.Take() {
				group, rows, bytes = append(group, next), rows+next.Work.countRows(), bytes+next.Bytes
			}
		default:
			return group
		}
	}
	return group
}

// finish writes a group. The context of one caller must not end the work for the others.
func (g *groups[W]) finish(group []*turns.Turn[W]) {
	ctx, cancel := within(group[0].Context, writeTime)
	defer cancel()
	calls := make([]W, len(group))
	for i := range group {
		calls[i] = group[i].Work
	}
	err := g.write(ctx, calls)
	// What is wrong with one call must not fail the others. What is wrong with ClickHouse is so for each of them.
	if len(group) > 1 && (isWrong(err) || errors.Is(err, store.ErrInvalid)) {
		for i := range group {
			g.finish(group[i : i+1])
		}
		return
	}
	for _, t := range group {
		t.End(err)
	}
}
