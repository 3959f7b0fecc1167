// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"sync/atomic"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// failing is a store all of whose methods fail once it is told to.
type failing struct {
	store.Store
	err atomic.Pointer[error]
}

func (f *failing) fail() error {
	if err := f.err.Load(); err != nil {
		return *err
	}
	return nil
}

func orFail[Q, P any](ctx context.Context, f *failing, q Q, read func(context.Context, Q) (P, error)) (P, error) {
	if err := f.fail(); err != nil {
		var none P
		return none, err
	}
	return read(ctx, q)
}

func (f *failing) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	return orFail(ctx, f, q, f.Store.ListObservations)
}

func (f *failing) ListScores(ctx context.Context, q query.Scores) (store.ScorePage, error) {
	return orFail(ctx, f, q, f.Store.ListScores)
}

func (f *failing) ListExperiments(ctx context.Context, q query.Experiments) (store.ExperimentPage, error) {
	return orFail(ctx, f, q, f.Store.ListExperiments)
}

func (f *failing) ListExperimentItems(ctx context.Context, q query.ExperimentItems) (store.ExperimentItemPage, error) {
	return orFail(ctx, f, q, f.Store.ListExperimentItems)
}

func (f *failing) ListTraces(ctx context.Context, q query.Traces) (store.TracePage, error) {
	return orFail(ctx, f, q, f.Store.ListTraces)
}

func (f *failing) ListSessions(ctx context.Context, q query.Sessions) (store.SessionPage, error) {
	return orFail(ctx, f, q, f.Store.ListSessions)
}

func (f *failing) ListDays(ctx context.Context, q query.Daily) (store.DayPage, error) {
	return orFail(ctx, f, q, f.Store.ListDays)
}

func (f *failing) QueryMetrics(ctx context.Context, q query.Metrics) ([]store.MetricRow, error) {
	return orFail(ctx, f, q, f.Store.QueryMetrics)
}

func (f *failing) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	return orFail(ctx, f, q, f.Store.ListDocuments)
}

func (f *failing) ScoresByID(ctx context.Context, project string, ids []string) ([]store.StoredScore, error) {
	return orFail(ctx, f, ids, func(ctx context.Context, ids []string) ([]store.StoredScore, error) {
		return f.Store.ScoresByID(ctx, project, ids)
	})
}

func (f *failing) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Store.WriteObservations(ctx, project, rows)
}

func (f *failing) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Store.WriteScores(ctx, project, scores)
}

func (f *failing) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Store.WriteDocuments(ctx, project, changes)
}

func (f *failing) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Store.DeleteTraces(ctx, project, traceIDs)
}

func (f *failing) DeleteScores(ctx context.Context, project string, ids []string) error {
	if err := f.fail(); err != nil {
		return err
	}
	return f.Store.DeleteScores(ctx, project, ids)
}
