// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListSessions reads a page. The query must be valid.
func ListSessions(ctx context.Context, db Querier, dialect Dialect, q *query.Sessions) (store.SessionPage, error) {
	var page store.SessionPage
	if q.WithTotal {
		s := &Statement{}
		s.Write("SELECT count(*)")
		fromSessions(s, dialect, q)
		if err := readOne(ctx, db, s, &page.Total); err != nil {
			return page, err
		}
	}
	if q.Limit == 0 {
		return page, nil
	}
	s := &Statement{}
	s.Write("SELECT session_id, first_start, environment")
	fromSessions(s, dialect, q)
	s.Write("\nORDER BY first_start DESC, session_id DESC\nLIMIT ").Arg(q.Limit).Write(" OFFSET ").Arg(q.Offset)
	err := readEach(ctx, db, s, func(rows *sql.Rows) error {
		var session store.Session
		err := rows.Scan(&session.ID, (*moment)(&session.CreatedAt), &session.Environment)
		page.Rows = append(page.Rows, session)
		return err
	})
	return page, err
}

func fromSessions(s *Statement, dialect Dialect, q *query.Sessions) {
	s.Write("\nFROM (SELECT session_id, min(start_time) AS first_start, ")
	dialect.FirstText(s, func() { s.Write("environment") })
	s.Write(" AS environment FROM observations WHERE project = ").Arg(q.Project).Write(" AND session_id <> ''")
	anyOf(s, "session_id", q.IDs)
	s.Write(" GROUP BY session_id) AS sessions\nWHERE TRUE")
	bounded(s, "first_start", q.From, q.To)
	anyOf(s, "environment", q.Environments)
}
