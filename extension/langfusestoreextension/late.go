// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
)

// lateStore is a store that may come after the start. Until then all methods give ErrUnavailable.
type lateStore struct {
	mu     sync.RWMutex
	engine clickhouse.Store
	err    error // why there is none
}

var _ clickhouse.Store = (*lateStore)(nil)

var errClosed = fmt.Errorf("%w: it is closed", store.ErrUnavailable)

func (l *lateStore) isThere(engine clickhouse.Store) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.engine, l.err = engine, nil
}

func (l *lateStore) isAway(err error) {
	if !errors.Is(err, store.ErrUnavailable) {
		err = fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.err = err
}

func (l *lateStore) get() (clickhouse.Store, error) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.engine, l.err
}

// Close closes what was opened. Nobody opens it any more.
func (l *lateStore) Close(ctx context.Context) error {
	l.mu.Lock()
	engine := l.engine
	if engine == nil {
		l.err = errClosed
	}
	l.mu.Unlock()
	if engine == nil {
		return nil
	}
	return engine.Close(ctx)
}

// Look asks the store whether it takes data, if it is there.
func (l *lateStore) Look(ctx context.Context) error {
	engine, err := l.get()
	if err != nil {
		return err
	}
	return engine.Look(ctx)
}

// ask reads from the store, if it is there.
func ask[Q, A any](ctx context.Context, l *lateStore, q Q, read func(store.Store, context.Context, Q) (A, error)) (A, error) {
	engine, err := l.get()
	if err != nil {
		var nothing A
		return nothing, err
	}
	return read(engine, ctx, q)
}

// tell writes to the store, if it is there.
func tell[R any](ctx context.Context, l *lateStore, project string, rows R, write func(store.Store, context.Context, string, R) error) error {
	engine, err := l.get()
	if err != nil {
		return err
	}
	return write(engine, ctx, project, rows)
}

func (l *lateStore) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	return tell(ctx, l, project, rows, store.Store.WriteObservations)
}

func (l *lateStore) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	return tell(ctx, l, project, traceIDs, store.Store.DeleteTraces)
}

func (l *lateStore) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	return tell(ctx, l, project, scores, store.Store.WriteScores)
}

func (l *lateStore) DeleteScores(ctx context.Context, project string, ids []string) error {
	return tell(ctx, l, project, ids, store.Store.DeleteScores)
}

func (l *lateStore) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	return tell(ctx, l, project, changes, store.Store.WriteDocuments)
}

func (l *lateStore) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	return ask(ctx, l, q, store.Store.ListObservations)
}

func (l *lateStore) ListScores(ctx context.Context, q query.Scores) (store.ScorePage, error) {
	return ask(ctx, l, q, store.Store.ListScores)
}

func (l *lateStore) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	return ask(ctx, l, q, store.Store.ListDocuments)
}

func (l *lateStore) DocumentProjects(ctx context.Context, kind string) ([]string, error) {
	return ask(ctx, l, kind, store.Store.DocumentProjects)
}

func (l *lateStore) ListExperiments(ctx context.Context, q query.Experiments) (store.ExperimentPage, error) {
	return ask(ctx, l, q, store.Store.ListExperiments)
}

func (l *lateStore) ListExperimentItems(ctx context.Context, q query.ExperimentItems) (store.ExperimentItemPage, error) {
	return ask(ctx, l, q, store.Store.ListExperimentItems)
}

func (l *lateStore) QueryMetrics(ctx context.Context, q query.Metrics) ([]store.MetricRow, error) {
	return ask(ctx, l, q, store.Store.QueryMetrics)
}

func (l *lateStore) ListTraces(ctx context.Context, q query.Traces) (store.TracePage, error) {
	return ask(ctx, l, q, store.Store.ListTraces)
}

func (l *lateStore) ListSessions(ctx context.Context, q query.Sessions) (store.SessionPage, error) {
	return ask(ctx, l, q, store.Store.ListSessions)
}

func (l *lateStore) ListDays(ctx context.Context, q query.Daily) (store.DayPage, error) {
	return ask(ctx, l, q, store.Store.ListDays)
}

func (l *lateStore) ScoresByID(ctx context.Context, project string, ids []string) ([]store.StoredScore, error) {
	engine, err := l.get()
	if err != nil {
		return nil, err
	}
	return engine.ScoresByID(ctx, project, ids)
}

func (l *lateStore) Stats(ctx context.Context) (store.Stats, error) {
	engine, err := l.get()
	if err != nil {
		return store.Stats{}, err
	}
	return engine.Stats(ctx)
}
