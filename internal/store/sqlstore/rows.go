// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"
)

// Querier is what reads need of a connection.
type Querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
}

// selectColumns begins a statement that reads columns of a table.
func selectColumns[T any](columns []Column[T], table string) *Statement {
	s := &Statement{}
	s.Write("SELECT ")
	for i, column := range columns {
		if i > 0 {
			s.Write(", ")
		}
		s.Write(column.Name)
	}
	return s.Write("\nFROM ", table)
}

// readRows runs a statement that selectColumns began with the same columns, and hands over each row.
func readRows[T any](ctx context.Context, db Querier, s *Statement, columns []Column[T], take func(*T)) error {
	return readRowsUntil(ctx, db, s, columns, func(row *T) error {
		take(row)
		return nil
	})
}

// readRowsUntil does the same until an error.
func readRowsUntil[T any](ctx context.Context, db Querier, s *Statement, columns []Column[T], take func(*T) error) error {
	targets := make([]any, len(columns))
	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		var row T
		for i := range columns {
			targets[i] = columns[i].Target(&row)
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		return take(&row)
	})
}

// readOne runs a statement that gives one row.
func readOne(ctx context.Context, db Querier, s *Statement, targets ...any) error {
	return readEach(ctx, db, s, func(rows *sql.Rows) error { return rows.Scan(targets...) })
}

// readEach runs a statement and hands over each row.
func readEach(ctx context.Context, db Querier, s *Statement, take func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
