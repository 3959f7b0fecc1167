// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

func (e *engine) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	if err := e.mayWrite(project); err != nil || len(scores) == 0 {
		return err
	}
	for i := range scores {
		if scores[i].ID == "" {
			return fmt.Errorf("%w: a score needs an id", store.ErrInvalid)
		}
		if err := scores[i].Validate(); err != nil {
			return fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
	}
	return e.writeError(ctx, e.writer.Submit(ctx, &job{run: func(ctx context.Context, tx *sql.Tx, conn *sql.Conn) error {
		return e.mergeScores(ctx, tx, conn, project, scores)
	}}, weighScores(scores)))
}

func (e *engine) mergeScores(ctx context.Context, tx *sql.Tx, conn *sql.Conn, project string, scores []model.Score) error {
	ids := make([]string, len(scores))
	for i := range scores {
		ids[i] = scores[i].ID
	}
	existing, err := sqlstore.ScoresByID(ctx, tx, project, ids)
	if err != nil {
		return err
	}
	stored := make(map[string]store.StoredScore, len(existing))
	for _, score := range existing {
		stored[score.ID] = score
	}
	sent := make(map[string][]model.Score, len(scores))
	for i := range scores {
		sent[scores[i].ID] = append(sent[scores[i].ID], scores[i])
	}
	now := e.settings.Now().UTC().Truncate(time.Millisecond)
	var changed []*sqlstore.ScoreRecord
	var replaced []string
	for id, later := range sent {
		record := &sqlstore.ScoreRecord{Project: project, StoredScore: store.StoredScore{CreatedAt: now, UpdatedAt: now}}
		if old, ok := stored[id]; ok {
			if record.Score = sqlstore.MergeScores(old.Score, later...); record.Score == old.Score {
				continue // sent again
			}
			record.CreatedAt = old.CreatedAt
			replaced = append(replaced, id)
		} else {
			record.Score = sqlstore.MergeScores(later[0], later[1:]...)
		}
		if record.Timestamp.IsZero() {
			record.Timestamp = now
		}
		changed = append(changed, record)
	}
	if len(replaced) > 0 {
		if err := deleteScores(ctx, tx, project, replaced); err != nil {
			return err
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return appendTo(conn, "scores", sqlstore.ScoreColumns, slices.Values(changed))
}

func deleteScores(ctx context.Context, tx *sql.Tx, project string, ids []string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM scores WHERE project = ? AND id IN (SELECT unnest(?::VARCHAR[]))", project, ids)
	return err
}

func (e *engine) ScoresByID(ctx context.Context, project string, ids []string) ([]store.StoredScore, error) {
	if project == "" {
		return nil, fmt.Errorf("%w: a read needs a project", store.ErrInvalid)
	}
	var scores []store.StoredScore
	err := e.read(ctx, func(ctx context.Context) (err error) {
		scores, err = sqlstore.ScoresByID(ctx, e.db, project, ids)
		return err
	})
	return scores, err
}

func (e *engine) DeleteScores(ctx context.Context, project string, ids []string) error {
	if err := e.mayDelete(project); err != nil || len(ids) == 0 {
		return err
	}
	return e.writeError(ctx, e.writer.Submit(ctx, &job{run: func(ctx context.Context, tx *sql.Tx, _ *sql.Conn) error {
		return deleteScores(ctx, tx, project, ids)
	}}, 0))
}
