// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
	"github.com/weirhq/weir/internal/store/turns"
)

var errTimeout = errors.New("query timeout")

// Look asks a question that costs next to nothing, over the connections of those who write: a store that is read a lot takes data
// all the same.
func (e *engine) Look(ctx context.Context) error {
	return e.readAt(ctx, e.momentBefore, func(ctx context.Context, m *moment) error {
		_, err := sqlstore.ListDocuments(ctx, m, &query.Documents{Project: "weir", Kind: "weir", Limit: 1})
		return err
	})
}

func (e *engine) read(ctx context.Context, query func(context.Context, *moment) error) error {
	return e.readAt(ctx, e.momentNow, query)
}

// readAt runs a query within its limits, at one moment, and tells a limit that was hit from everything else.
func (e *engine) readAt(
	ctx context.Context, now func(context.Context) (*moment, error), query func(context.Context, *moment) error,
) error {
	end, err := e.begin()
	if err != nil {
		return err
	}
	defer end()
	limited, cancel := context.WithTimeoutCause(ctx, e.settings.QueryTimeout, errTimeout)
	defer cancel()
	// Close must not wait for a long query.
	stop := context.AfterFunc(e.closing, cancel) //nolint:contextcheck // two contexts can end a query
	defer stop()

	err = atOneMoment(withoutDeadline{limited}, now, query) //nolint:contextcheck // it ends with the one that it hides
	switch {
	case err == nil:
		return nil
	case e.closing.Err() != nil:
		return turns.ErrClosed
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, store.ErrTooLarge):
		return err
	case errors.Is(context.Cause(limited), errTimeout), hasCode(err, codeTimeout, codeTooSlow):
		return fmt.Errorf("%w: it took longer than %s; ask for a shorter range of time or fewer rows", store.ErrTooExpensive, e.settings.QueryTimeout)
	case hasCode(err, codeMemory, codeTooManyRows, codeTooManyBytes):
		return fmt.Errorf("%w: it needs more memory than ClickHouse allows; ask for a shorter range of time or fewer fields", store.ErrTooExpensive)
	case isAway(err):
		return fmt.Errorf("%w: ClickHouse: %w", store.ErrUnavailable, err)
	default:
		return fmt.Errorf("failed to read from the store: %w", err)
	}
}

// atOneMoment runs a query, and once more when the connection turns out to be a stale one.
func atOneMoment(
	ctx context.Context, now func(context.Context) (*moment, error), query func(context.Context, *moment) error,
) error {
	once := func() error {
		m, err := now(ctx)
		if err != nil {
			return err
		}
		return query(ctx, m)
	}
	err := once()
	if err != nil && isAway(err) && ctx.Err() == nil {
		err = once()
	}
	return err
}

// answer checks a query and reads what it asks for.
func answer[Q interface{ Validate() error }, A any](
	ctx context.Context, e *engine, q Q, read func(context.Context, sqlstore.Querier, sqlstore.Dialect, Q) (A, error),
) (A, error) {
	return answerNarrowed(ctx, e, q, read, nil)
}

// answerNarrowed does the same for a query that says which traces it is about.
func answerNarrowed[Q interface{ Validate() error }, A any](
	ctx context.Context, e *engine, q Q, read func(context.Context, sqlstore.Querier, sqlstore.Dialect, Q) (A, error), traces *ofTraces,
) (A, error) {
	var found, nothing A
	if err := q.Validate(); err != nil {
		return nothing, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err := e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		if err := m.narrow(ctx, traces); err != nil {
			return err
		}
		found, err = read(ctx, m, dialect{}, q)
		return err
	})
	if err != nil {
		return nothing, err
	}
	return found, nil
}

// ofTraces are traces of a project.
type ofTraces struct {
	project string
	ids     []string
}

// narrow looks up when the observations of some traces start: observations are stored by time, and so need not be looked
// through. Keys that do not count yet, or any more, do no harm.
func (m *moment) narrow(ctx context.Context, traces *ofTraces) error {
	if traces == nil || len(traces.ids) == 0 {
		return nil
	}
	s := &sqlstore.Statement{}
	s.Write("SELECT min(start_time), max(start_time) FROM keys WHERE project = ").Arg(traces.project).Write(" AND trace_id IN ").List(traces.ids)
	rows, err := m.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var first, last sql.NullTime
	for rows.Next() {
		if err := rows.Scan(&first, &last); err != nil {
			return err
		}
	}
	switch {
	case rows.Err() != nil:
		return rows.Err()
	case first.Valid && last.Valid:
		m.within = between(first.Time, last.Time)
	default:
		m.within = "FALSE"
	}
	return nil
}

// tracesOf are the traces that conditions ask for; nil where they do not.
func tracesOf(project string, conditions []query.Condition) *ofTraces {
	for i := range conditions {
		c := &conditions[i]
		if c.Column != query.ColumnTraceID {
			continue
		}
		switch c.Operator {
		case query.OpEqual:
			return &ofTraces{project, []string{c.Text}}
		case query.OpAnyOf:
			return &ofTraces{project, c.Texts}
		}
	}
	return nil
}

func (e *engine) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	return answerNarrowed(ctx, e, &q, sqlstore.ListObservations, tracesOf(q.Project, q.Where))
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
	return answerNarrowed(ctx, e, &q, sqlstore.ListTraces, &ofTraces{q.Project, q.IDs})
}

func (e *engine) ListSessions(ctx context.Context, q query.Sessions) (store.SessionPage, error) {
	return answer(ctx, e, &q, sqlstore.ListSessions)
}

func (e *engine) ListDays(ctx context.Context, q query.Daily) (store.DayPage, error) {
	return answer(ctx, e, &q, sqlstore.ListDays)
}

func (e *engine) Stats(ctx context.Context) (store.Stats, error) {
	var stats store.Stats
	err := e.read(ctx, func(ctx context.Context, m *moment) error {
		rows, err := m.QueryContext(ctx, "SELECT (SELECT count() FROM observations), (SELECT count() FROM scores)")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := rows.Scan(&stats.Observations, &stats.Scores); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, replicas := range e.shards {
			bytes, err := e.bytesOf(ctx, replicas)
			if err != nil {
				return err
			}
			stats.Bytes += int64(bytes)
		}
		return nil
	})
	return stats, err
}

// bytesOf asks the first replica of a shard that answers what its disk has of the store.
func (e *engine) bytesOf(ctx context.Context, replicas []driver.Conn) (bytes uint64, err error) {
	for _, replica := range replicas {
		err = replica.QueryRow(ctx, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = "+quote(e.settings.Database)).Scan(&bytes)
		if !isAway(err) {
			break
		}
	}
	return bytes, err
}
