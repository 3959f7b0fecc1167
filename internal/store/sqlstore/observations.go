// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListObservations reads a page. The query must be valid.
func ListObservations(ctx context.Context, db Querier, dialect Dialect, q *query.Observations) (store.ObservationPage, error) {
	var page store.ObservationPage
	if q.WithTotal {
		s := &Statement{}
		s.Write("SELECT count(*)\nFROM observations")
		whereObservations(s, dialect, q)
		if err := readOne(ctx, db, s, &page.Total); err != nil {
			return page, err
		}
	}
	if q.Limit == 0 {
		return page, nil
	}
	columns := readColumns(q.Groups)
	var bytes int64
	err := readRowsUntil(ctx, db, selectObservations(dialect, columns, q), columns, func(r *ObservationRecord) error {
		page.Rows = append(page.Rows, r.StoredObservation)
		if len(page.Rows) > q.Limit {
			return nil // it only tells that there is another page
		}
		if bytes += r.PayloadSize(); q.MaxBytes > 0 && bytes > q.MaxBytes {
			return store.ErrTooLarge
		}
		return nil
	})
	if err != nil {
		return store.ObservationPage{}, err
	}
	if len(page.Rows) > q.Limit {
		page.Rows = page.Rows[:q.Limit]
		last := page.Rows[q.Limit-1]
		page.Next = &query.ObservationKey{Start: last.Start, TraceID: last.TraceID, ID: last.ID}
	}
	return page, nil
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
	s := selectColumns(columns, "observations")
	whereObservations(s, dialect, q)
	if key := q.After; key != nil {
		// The first condition follows from the second, and lets the engine skip what is newer.
		s.Write("\n  AND start_time <= ").Arg(key.Start)
		s.Write("\n  AND (start_time < ").Arg(key.Start)
		s.Write(" OR trace_id < ").Arg(key.TraceID)
		s.Write(" OR trace_id = ").Arg(key.TraceID).Write(" AND id < ").Arg(key.ID).Write(")")
	}
	// One more than asked for tells whether there is a next page.
	return s.Write("\nORDER BY start_time DESC, trace_id DESC, id DESC\nLIMIT ").Arg(q.Limit + 1).Write(" OFFSET ").Arg(q.Offset)
}

// whereObservations asks for the rows on all pages.
func whereObservations(s *Statement, dialect Dialect, q *query.Observations) {
	s.Write("\nWHERE project = ").Arg(q.Project)
	bounded(s, "start_time", q.From, q.To)
	for i := range q.Where {
		s.Write("\n  AND ")
		conditions{s, dialect}.write(&q.Where[i])
	}
}
