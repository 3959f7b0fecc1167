// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// answer checks a query and reads what it asks for, within the limits of a read. An answer may take several statements; all
// of them see the same moment.
func answer[Q interface{ Validate() error }, A any](
	ctx context.Context, e *engine, q Q, read func(context.Context, sqlstore.Querier, sqlstore.Dialect, Q) (A, error),
) (A, error) {
	var found, nothing A
	if err := q.Validate(); err != nil {
		return nothing, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err := e.read(ctx, func(ctx context.Context) error {
		return e.atOneMoment(ctx, func(conn *sql.Conn) (err error) {
			found, err = read(ctx, conn, dialect{}, q)
			return err
		})
	})
	if err != nil {
		return nothing, err
	}
	return found, nil
}

// atOneMoment reads in a transaction. It is not one of package sql, which ends it in the background when the context is
// done: when a read returns, the connection must be free, because Close waits for reads only.
func (e *engine) atOneMoment(ctx context.Context, read func(*sql.Conn) error) error {
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.ExecContext(ctx, "BEGIN TRANSACTION READ ONLY"); err != nil {
		return err
	}
	defer func() {
		if _, err := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); err != nil {
			// Nobody else may get a connection that is in a transaction.
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
	}()
	return read(conn)
}

func (e *engine) ListScores(ctx context.Context, q query.Scores) (store.ScorePage, error) {
	return answer(ctx, e, &q, sqlstore.ListScores)
}

func (e *engine) ListExperiments(ctx context.Context, q query.Experiments) (store.ExperimentPage, error) {
	return answer(ctx, e, &q, sqlstore.ListExperiments)
}

func (e *engine) ListExperimentItems(ctx context.Context, q query.ExperimentItems) (store.ExperimentItemPage, error) {
	return answer(ctx, e, &q, sqlstore.ListExperimentItems)
}

func (e *engine) QueryMetrics(ctx context.Context, q query.Metrics) ([]store.MetricRow, error) {
	return answer(ctx, e, &q, sqlstore.QueryMetrics)
}

func (e *engine) ListTraces(ctx context.Context, q query.Traces) (store.TracePage, error) {
	return answer(ctx, e, &q, sqlstore.ListTraces)
}

func (e *engine) ListSessions(ctx context.Context, q query.Sessions) (store.SessionPage, error) {
	return answer(ctx, e, &q, sqlstore.ListSessions)
}

func (e *engine) ListDays(ctx context.Context, q query.Daily) (store.DayPage, error) {
	return answer(ctx, e, &q, sqlstore.ListDays)
}
