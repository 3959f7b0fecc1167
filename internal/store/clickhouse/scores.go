// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"fmt"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// scoreJob is one call of WriteScores.
type scoreJob struct {
	project string
	scores  []model.Score
}

func (j *scoreJob) countRows() int { return len(j.scores) }

func (e *engine) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	end, err := e.mayWrite(project)
	if err != nil {
		return err
	}
	defer end()
	if len(scores) == 0 {
		return nil
	}
	var bytes int64
	j := &scoreJob{project: project, scores: scores}
	for i := range scores {
		if scores[i].ID == "" {
			return fmt.Errorf("%w: a score needs an id", store.ErrInvalid)
		}
		if err := scores[i].Validate(); err != nil {
			return fmt.Errorf("%w: %w", store.ErrInvalid, err)
		}
		if err := storable(sqlstore.ScoreColumns, &sqlstore.ScoreRecord{StoredScore: store.StoredScore{Score: scores[i]}}); err != nil {
			return err
		}
		bytes += int64(1024 + len(scores[i].Text) + len(scores[i].Comment) + len(scores[i].Metadata))
	}
	return e.writeError(ctx, e.scores.Submit(ctx, j, bytes))
}

// scoreKey is what makes a score the same as another one.
type scoreKey struct{ project, id string }

// writeScores merges the scores of all calls of a group into those that are there.
func (e *engine) writeScores(ctx context.Context, group []*scoreJob) error {
	sent := map[scoreKey][]model.Score{}
	var keys []scoreKey // in the order in which they came
	for _, j := range group {
		for i := range j.scores {
			key := scoreKey{j.project, j.scores[i].ID}
			if sent[key] == nil {
				keys = append(keys, key)
			}
			sent[key] = append(sent[key], j.scores[i])
		}
	}
	return e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
		stored, err := e.storedScores(ctx, m, keys)
		if err != nil {
			return nil, err
		}
		now := time.Now().UTC().Truncate(time.Millisecond)
		var changed []*sqlstore.ScoreRecord
		var replaced []row
		c := &change{}
		for _, key := range keys {
			record := &sqlstore.ScoreRecord{Project: key.project, StoredScore: store.StoredScore{CreatedAt: now, UpdatedAt: now}}
			later := sent[key]
			if old, ok := stored[key]; ok {
				if record.Score = sqlstore.MergeScores(old.Score, later...); record.Score == old.Score {
					continue // sent again
				}
				record.CreatedAt = old.CreatedAt
				replaced = append(replaced, old.row)
			} else {
				record.Score = sqlstore.MergeScores(later[0], later[1:]...)
			}
			if record.Timestamp.IsZero() {
				record.Timestamp = now
			}
			changed = append(changed, record)
			c.claims = append(c.claims, claimKey{key.project, scoreClaims, key.id})
		}
		if len(changed) == 0 {
			return nil, nil //nolint:nilnil // there is nothing to change
		}
		c.batch = e.clock.next(m.latest(), 0)
		c.write = func(ctx context.Context) error {
			return together(ctx,
				func(ctx context.Context) error {
					return insertRecords(ctx, e, "scores", sqlstore.ScoreColumns, changed, row{batch: c.batch, place: firstPlace()})
				},
				func(ctx context.Context) error { return e.insertEnds(ctx, endsBy(c.batch, replaced)) })
		}
		return c, nil
	})
}

func endsBy(batch batchNumber, rows []row) []end {
	ends := make([]end, len(rows))
	for i := range rows {
		ends[i] = end{rows[i], batch}
	}
	return ends
}

// placedScore is a score and the row that it is.
type placedScore struct {
	store.StoredScore
	row
}

func (e *engine) storedScores(ctx context.Context, m *moment, keys []scoreKey) (map[scoreKey]placedScore, error) {
	ids := map[string][]string{}
	for _, key := range keys {
		ids[key.project] = append(ids[key.project], key.id)
	}
	stored := make(map[scoreKey]placedScore, len(keys))
	for project, of := range ids {
		scores, err := sqlstore.ScoresByID(ctx, m, project, of)
		if err != nil {
			return nil, err
		}
		if len(scores) == 0 {
			continue
		}
		rows, err := m.rowsOf(ctx, "scores", "id", project, of)
		if err != nil {
			return nil, err
		}
		for i := range scores {
			stored[scoreKey{project, scores[i].ID}] = placedScore{scores[i], rows[scores[i].ID][0]}
		}
	}
	return stored, nil
}

// rowsOf finds the rows of a project at a moment by the column by which they are spread.
func (m *moment) rowsOf(ctx context.Context, table, column, project string, values []string) (map[string][]row, error) {
	s := &sqlstore.Statement{}
	s.Write("SELECT ", column, ", batch, place FROM ", table, " WHERE project = ").Arg(project).Write(" AND ", column, " IN ").List(values)
	rows, err := m.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string][]row{}
	for rows.Next() {
		var value string
		var r row
		if err := rows.Scan(&value, &r.batch, &r.place); err != nil {
			return nil, err
		}
		r.home = homeOf(value)
		found[value] = append(found[value], r)
	}
	return found, rows.Err()
}

func (e *engine) ScoresByID(ctx context.Context, project string, ids []string) ([]store.StoredScore, error) {
	if project == "" {
		return nil, fmt.Errorf("%w: a read needs a project", store.ErrInvalid)
	}
	var scores []store.StoredScore
	err := e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		scores, err = sqlstore.ScoresByID(ctx, m, project, ids)
		return err
	})
	return scores, err
}
