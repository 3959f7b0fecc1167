// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"

	"github.com/weirhq/weir/internal/store"
)

// ScoreRecord is a row of the table of scores.
type ScoreRecord struct {
	Project string
	store.StoredScore
}

type scoreColumn = Column[ScoreRecord]

// ScoreColumns are all columns of the table of scores, in the order of the schema.
var ScoreColumns = []scoreColumn{
	{"project", 0, func(r *ScoreRecord) Value { return ofText(r.Project) }, func(r *ScoreRecord) any { return &r.Project }},
	scoreText("id", func(r *ScoreRecord) *string { return &r.ID }),
	scoreText("name", func(r *ScoreRecord) *string { return &r.Name }),
	scoreText("data_type", func(r *ScoreRecord) *string { return (*string)(&r.DataType) }),
	{"number", 0, func(r *ScoreRecord) Value { return ofFloat(r.Number) }, func(r *ScoreRecord) any { return &r.Number }},
	scoreText("text", func(r *ScoreRecord) *string { return &r.Text }),
	scoreText("trace_id", func(r *ScoreRecord) *string { return &r.TraceID }),
	scoreText("observation_id", func(r *ScoreRecord) *string { return &r.ObservationID }),
	scoreText("session_id", func(r *ScoreRecord) *string { return &r.SessionID }),
	scoreText("experiment_id", func(r *ScoreRecord) *string { return &r.ExperimentID }),
	scoreText("source", func(r *ScoreRecord) *string { return (*string)(&r.Source) }),
	scoreText("comment", func(r *ScoreRecord) *string { return &r.Comment }),
	scoreText("config_id", func(r *ScoreRecord) *string { return &r.ConfigID }),
	scoreText("queue_id", func(r *ScoreRecord) *string { return &r.QueueID }),
	scoreText("author_user_id", func(r *ScoreRecord) *string { return &r.AuthorUserID }),
	scoreText("environment", func(r *ScoreRecord) *string { return &r.Environment }),
	scoreText("metadata", func(r *ScoreRecord) *string { return &r.Metadata }),
	{"timestamp", 0, func(r *ScoreRecord) Value { return ofTime(r.Timestamp) }, func(r *ScoreRecord) any { return (*moment)(&r.Timestamp) }},
	{"created_at", 0, func(r *ScoreRecord) Value { return ofTime(r.CreatedAt) }, func(r *ScoreRecord) any { return (*moment)(&r.CreatedAt) }},
	{"updated_at", 0, func(r *ScoreRecord) Value { return ofTime(r.UpdatedAt) }, func(r *ScoreRecord) any { return (*moment)(&r.UpdatedAt) }},
}

func scoreText(name string, field func(*ScoreRecord) *string) scoreColumn {
	return scoreColumn{
		name, 0,
		func(r *ScoreRecord) Value { return ofText(*field(r)) },
		func(r *ScoreRecord) any { return field(r) },
	}
}

// ScoresByID reads the scores with the given ids.
func ScoresByID(ctx context.Context, db Querier, project string, ids []string) ([]store.StoredScore, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	s := selectColumns(ScoreColumns, "scores")
	s.Write("\nWHERE project = ").Arg(project).Write(" AND id IN ").List(ids)
	var scores []store.StoredScore
	err := readRows(ctx, db, s, ScoreColumns, func(r *ScoreRecord) { scores = append(scores, r.StoredScore) })
	return scores, err
}
