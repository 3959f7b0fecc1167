// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/turns"
)

var (
	errTimeout = errors.New("query timeout")
	errMemory  = fmt.Errorf("%w: it needs more memory than `memory_limit` allows; ask for a shorter range of time or fewer fields", store.ErrTooExpensive)
	errNoTurn  = fmt.Errorf("%w: too many others read at the same time", store.ErrUnavailable)
)

// read runs a query within its limits and tells a limit that was hit from everything else.
func (e *engine) read(ctx context.Context, query func(context.Context) error) error {
	return e.readAdvised(ctx, advice{"ask for a shorter range of time or fewer rows", errMemory}, query)
}

// advice tells what to do about a query that takes too much time, and is the error of one that needs too much memory.
type advice struct {
	time   string
	memory error
}

func (e *engine) readAdvised(ctx context.Context, advice advice, query func(context.Context) error) error {
	e.reading.RLock()
	defer e.reading.RUnlock()
	if e.closing.Err() != nil {
		return turns.ErrClosed
	}
	limited, cancel := context.WithTimeoutCause(ctx, e.settings.QueryTimeout, errTimeout)
	defer cancel()
	// Close must not wait for a long query.
	stop := context.AfterFunc(e.closing, cancel) //nolint:contextcheck // two contexts can end a query
	defer stop()

	err := e.inTurn(limited, query)
	e.noteInvalidation(err)
	switch {
	case err == nil:
		return nil
	case e.closing.Err() != nil:
		return turns.ErrClosed
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errNoTurn), errors.Is(err, store.ErrTooLarge):
		return err
	case errors.Is(context.Cause(limited), errTimeout):
		return fmt.Errorf("%w: it took longer than %s; %s", store.ErrTooExpensive, e.settings.QueryTimeout, advice.time)
	case strings.Contains(err.Error(), "Out of Memory"):
		return advice.memory
	default:
		return fmt.Errorf("failed to read from the store: %w", err)
	}
}

// inTurn runs a query when one of the places for reads is free. More of them at a time than there are cores would not be
// done sooner, and would leave nothing for writers.
func (e *engine) inTurn(ctx context.Context, query func(context.Context) error) error {
	select {
	case e.reads <- struct{}{}:
	default:
		select {
		case e.reads <- struct{}{}:
		case <-ctx.Done():
			return errNoTurn
		}
	}
	defer func() { <-e.reads }()
	return query(ctx)
}

// readsAtATime is how many reads are worked on: two a core, so that a long one does not keep all others waiting.
func readsAtATime(settings Settings) int { return 2 * settings.Threads }

// writeError makes the error of a write one that its caller can go by. What DuckDB itself cannot do now, such as
// writing to a full disk, it may do later.
func (e *engine) writeError(ctx context.Context, err error) error {
	e.noteInvalidation(err)
	switch {
	case err == nil, errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrInvalid), errors.Is(err, store.ErrConflict):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case e.closing.Err() != nil:
		return turns.ErrClosed
	default:
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
}

func (e *engine) Stats(ctx context.Context) (store.Stats, error) {
	stats := store.Stats{Bytes: fileSize(e.path) + fileSize(e.walPath())}
	err := e.read(ctx, func(ctx context.Context) error {
		return e.db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM observations), (SELECT count(*) FROM scores)").
			Scan(&stats.Observations, &stats.Scores)
	})
	return stats, err
}
