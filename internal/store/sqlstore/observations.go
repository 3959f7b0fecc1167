// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// Querier is what reads need of a connection.
type Querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
}

// ListObservations reads a page. The query must be valid.
func ListObservations(ctx context.Context, db Querier, dialect Dialect, q *query.Observations) (store.ObservationPage, error) {
	if q.Limit == 0 {
		return store.ObservationPage{}, nil
	}
	columns := readColumns(q.Groups)
	statement := selectObservations(dialect, columns, q)
	rows, err := db.QueryContext(ctx, statement.String(), statement.Args...)
	if err != nil {
		return store.ObservationPage{}, err
	}
	defer rows.Close()

	var page store.ObservationPage
	targets := make([]any, len(columns))
	for rows.Next() {
		var record ObservationRecord
		for i, column := range columns {
			targets[i] = column.Target(&record)
		}
		if err := rows.Scan(targets...); err != nil {
			return store.ObservationPage{}, err
		}
		page.Rows = append(page.Rows, record.StoredObservation)
	}
	if len(page.Rows) > q.Limit {
		page.Rows = page.Rows[:q.Limit]
		last := page.Rows[q.Limit-1]
		page.Next = &query.ObservationKey{Start: last.Start, TraceID: last.TraceID, ID: last.ID}
	}
	return page, rows.Err()
}

// readColumns are the columns that the groups need.
func readColumns(groups query.Groups) []observationColumn {
	var columns []observationColumn
	for _, column := range ObservationColumns {
		if column.Target != nil && (column.Group == 0 || groups.Has(column.Group)) {
			columns = append(columns, column)
		}
	}
	return columns
}

func selectObservations(dialect Dialect, columns []observationColumn, q *query.Observations) *Statement {
	s := &Statement{}
	s.Write("SELECT ")
	for i, column := range columns {
		if i > 0 {
			s.Write(", ")
		}
		s.Write(column.Name)
	}
	s.Write("\nFROM observations\nWHERE project = ").Arg(q.Project)
	if !q.From.IsZero() {
		s.Write("\n  AND start_time >= ").Arg(q.From)
	}
	if !q.To.IsZero() {
		s.Write("\n  AND start_time < ").Arg(q.To)
	}
	if key := q.After; key != nil {
		// The first condition follows from the second, and lets the engine skip what is newer.
		s.Write("\n  AND start_time <= ").Arg(key.Start)
		s.Write("\n  AND (start_time < ").Arg(key.Start)
		s.Write(" OR trace_id < ").Arg(key.TraceID)
		s.Write(" OR trace_id = ").Arg(key.TraceID).Write(" AND id < ").Arg(key.ID).Write(")")
	}
	for i := range q.Where {
		s.Write("\n  AND ")
		conditions{s, dialect}.write(&q.Where[i])
	}
	// One more than asked for tells whether there is a next page.
	return s.Write("\nORDER BY start_time DESC, trace_id DESC, id DESC\nLIMIT ").Arg(q.Limit + 1)
}
