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
	rows, err := db.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	targets := make([]any, len(columns))
	for rows.Next() {
		var row T
		for i := range columns {
			targets[i] = columns[i].Target(&row)
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		take(&row)
	}
	return rows.Err()
}
