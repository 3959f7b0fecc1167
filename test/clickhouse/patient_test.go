// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// patient calls again what failed because a connection did, until the store is closed. The library of which the servers are made
// gives up when another shard leaves it in the middle of a query, and is started again; no other error is passed over.
type patient struct {
	store.Store
	closed atomic.Bool
}

func (p *patient) Close(ctx context.Context) error {
	p.closed.Store(true)
	return p.Store.Close(ctx)
}

func (p *patient) do(ctx context.Context, call func() error) error {
	for began := time.Now(); ; {
		err := call()
		if !errors.Is(err, store.ErrUnavailable) || !lostConnection(err) || p.closed.Load() || ctx.Err() != nil || time.Since(began) > patience {
			return err
		}
	}
}

// lostConnection tells an error of a connection, ours or one between servers.
func lostConnection(err error) bool {
	var network net.Error
	if exception, ok := errors.AsType[*clickhouse.Exception](err); ok {
		return slices.Contains([]int32{codeEOF, codeSocketTimeout, codeNetwork, codeNotAllServers}, exception.Code)
	}
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn)
}

// What ClickHouse calls such errors.
const (
	codeEOF           = 32
	codeSocketTimeout = 209
	codeNetwork       = 210
	codeNotAllServers = 279
)

func ask[A any](ctx context.Context, p *patient, call func() (A, error)) (answer A, _ error) {
	err := p.do(ctx, func() (err error) {
		answer, err = call()
		return err
	})
	return answer, err
}

func (p *patient) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	return p.do(ctx, func() error { return p.Store.WriteObservations(ctx, project, rows) })
}

func (p *patient) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	return ask(ctx, p, func() (store.ObservationPage, error) { return p.Store.ListObservations(ctx, q) })
}

func (p *patient) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	return p.do(ctx, func() error { return p.Store.DeleteTraces(ctx, project, traceIDs) })
}

func (p *patient) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	return p.do(ctx, func() error { return p.Store.WriteScores(ctx, project, scores) })
}

func (p *patient) ScoresByID(ctx context.Context, project string, ids []string) ([]store.StoredScore, error) {
	return ask(ctx, p, func() ([]store.StoredScore, error) { return p.Store.ScoresByID(ctx, project, ids) })
}

func (p *patient) DeleteScores(ctx context.Context, project string, ids []string) error {
	return p.do(ctx, func() error { return p.Store.DeleteScores(ctx, project, ids) })
}

func (p *patient) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	return ask(ctx, p, func() (store.DocumentPage, error) { return p.Store.ListDocuments(ctx, q) })
}

func (p *patient) DocumentProjects(ctx context.Context, kind string) ([]string, error) {
	return ask(ctx, p, func() ([]string, error) { return p.Store.DocumentProjects(ctx, kind) })
}

func (p *patient) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	return p.do(ctx, func() error { return p.Store.WriteDocuments(ctx, project, changes) })
}

func (p *patient) ListScores(ctx context.Context, q query.Scores) (store.ScorePage, error) {
	return ask(ctx, p, func() (store.ScorePage, error) { return p.Store.ListScores(ctx, q) })
}

func (p *patient) ListExperiments(ctx context.Context, q query.Experiments) (store.ExperimentPage, error) {
	return ask(ctx, p, func() (store.ExperimentPage, error) { return p.Store.ListExperiments(ctx, q) })
}

func (p *patient) ListExperimentItems(ctx context.Context, q query.ExperimentItems) (store.ExperimentItemPage, error) {
	return ask(ctx, p, func() (store.ExperimentItemPage, error) { return p.Store.ListExperimentItems(ctx, q) })
}

func (p *patient) QueryMetrics(ctx context.Context, q query.Metrics) ([]store.MetricRow, error) {
	return ask(ctx, p, func() ([]store.MetricRow, error) { return p.Store.QueryMetrics(ctx, q) })
}

func (p *patient) ListTraces(ctx context.Context, q query.Traces) (store.TracePage, error) {
	return ask(ctx, p, func() (store.TracePage, error) { return p.Store.ListTraces(ctx, q) })
}

func (p *patient) ListSessions(ctx context.Context, q query.Sessions) (store.SessionPage, error) {
	return ask(ctx, p, func() (store.SessionPage, error) { return p.Store.ListSessions(ctx, q) })
}

func (p *patient) ListDays(ctx context.Context, q query.Daily) (store.DayPage, error) {
	return ask(ctx, p, func() (store.DayPage, error) { return p.Store.ListDays(ctx, q) })
}

func (p *patient) Stats(ctx context.Context) (store.Stats, error) {
	return ask(ctx, p, func() (store.Stats, error) { return p.Store.Stats(ctx) })
}
