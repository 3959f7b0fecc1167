// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"slices"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

func (e *engine) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	// A score of a session has an empty trace id.
	traceIDs = slices.DeleteFunc(slices.Clone(traceIDs), func(id string) bool { return id == "" })
	return e.deleteRows(ctx, project, traceIDs, func(ctx context.Context, m *moment) (deleted []row, claims []claimKey, err error) {
		observations, err := m.rowsOf(ctx, "keys", "trace_id", project, traceIDs)
		if err != nil {
			return nil, nil, err
		}
		for _, rows := range observations {
			deleted = append(deleted, rows...)
		}
		ids, err := m.scoresOfTraces(ctx, project, traceIDs)
		if err != nil || len(ids) == 0 {
			return deleted, nil, err
		}
		scores, claims, err := m.rowsOfScores(ctx, project, ids)
		return append(deleted, scores...), claims, err
	})
}

func (e *engine) DeleteScores(ctx context.Context, project string, ids []string) error {
	return e.deleteRows(ctx, project, ids, func(ctx context.Context, m *moment) ([]row, []claimKey, error) {
		return m.rowsOfScores(ctx, project, ids)
	})
}

// deleteRows ends rows. What others put there meanwhile comes after the deletion, except that a score is not merged into one
// that is deleted: so those are claimed.
func (e *engine) deleteRows(
	ctx context.Context, project string, ids []string, find func(context.Context, *moment) ([]row, []claimKey, error),
) error {
	end, err := e.mayWrite(project)
	if err != nil {
		return err
	}
	defer end()
	if len(ids) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.writeError(ctx, e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
		rows, claims, err := find(ctx, m)
		if err != nil || len(rows) == 0 {
			return nil, err
		}
		c := &change{batch: e.clock.next(m.latest(), 0), claims: claims}
		c.write = func(ctx context.Context) error { return e.insertEnds(ctx, endsBy(c.batch, rows)) }
		return c, nil
	}))
}

func (m *moment) scoresOfTraces(ctx context.Context, project string, traceIDs []string) ([]string, error) {
	s := &sqlstore.Statement{}
	s.Write("SELECT id FROM scores WHERE project = ").Arg(project).Write(" AND trace_id IN ").List(traceIDs)
	rows, err := m.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

func (m *moment) rowsOfScores(ctx context.Context, project string, ids []string) (deleted []row, claims []claimKey, err error) {
	scores, err := m.rowsOf(ctx, "scores", "id", project, ids)
	for id, rows := range scores {
		deleted = append(deleted, rows...)
		claims = append(claims, claimKey{project, scoreClaims, id})
	}
	return deleted, claims, err
}
