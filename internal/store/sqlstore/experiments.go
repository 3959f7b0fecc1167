// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListExperiments reads a page. The query must be valid.
func ListExperiments(ctx context.Context, db Querier, dialect Dialect, q *query.Experiments) (store.ExperimentPage, error) {
	var page store.ExperimentPage
	if q.Limit == 0 {
		return page, nil
	}
	err := readEach(ctx, db, selectExperiments(dialect, q), func(rows *sql.Rows) error {
		var e store.Experiment
		err := rows.Scan(&e.ID, &e.Name, &e.DatasetID, (*moment)(&e.Start), (*moment)(&e.LastStart), (*moment)(&e.End), &e.ItemCount)
		page.Rows = append(page.Rows, e)
		return err
	})
	if err != nil {
		return store.ExperimentPage{}, err
	}
	if len(page.Rows) > q.Limit {
		page.Rows = page.Rows[:q.Limit]
		last := page.Rows[q.Limit-1]
		page.Next = &query.ExperimentKey{LastStart: last.LastStart, ID: last.ID}
	}
	if len(page.Rows) == 0 {
		return page, nil
	}
	if err := describeExperiments(ctx, db, dialect, q, page.Rows); err != nil {
		return store.ExperimentPage{}, err
	}
	if q.ScoreLimit > 0 {
		if err := scoreExperiments(ctx, db, q, page.Rows); err != nil {
			return store.ExperimentPage{}, err
		}
	}
	return page, nil
}

// selectExperiments looks at the columns that decide which experiments are on the page.
func selectExperiments(dialect Dialect, q *query.Experiments) *Statement {
	s := &Statement{}
	lastText := func(column string) {
		dialect.LastText(s, func() { s.Write(column) })
		s.Write(" AS ", column)
	}
	s.Write("SELECT experiment_id, experiment_name, experiment_dataset_id, first_start, last_start, last_end, items\nFROM (SELECT experiment_id, ")
	lastText("experiment_name")
	s.Write(", ")
	lastText("experiment_dataset_id")
	s.Write(`, min(start_time) AS first_start, max(start_time) AS last_start, max(greatest(start_time, coalesce(end_time, start_time))) AS last_end,
  CAST(sum(CASE WHEN experiment_item_root_id = id AND experiment_item_id <> '' THEN 1 ELSE 0 END) AS BIGINT) AS items`)
	fromExperiments(s, q)
	s.Write(" GROUP BY experiment_id) AS experiments\nWHERE TRUE")
	for i := range q.Where {
		s.Write("\n  AND ")
		conditions{s, dialect}.write(&q.Where[i])
	}
	if key := q.After; key != nil {
		s.Write("\n  AND (last_start < ").Arg(key.LastStart)
		s.Write(" OR last_start = ").Arg(key.LastStart).Write(" AND experiment_id < ").Arg(key.ID).Write(")")
	}
	return s.Write("\nORDER BY last_start DESC, experiment_id DESC\nLIMIT ").Arg(q.Limit + 1)
}

func fromExperiments(s *Statement, q *query.Experiments) {
	s.Write("\nFROM observations\nWHERE project = ").Arg(q.Project).Write(" AND experiment_id <> ''")
	bounded(s, "start_time", q.From, q.To)
}

// bounded appends the bounds of a time, as far as there are any.
func bounded(s *Statement, column string, from, to time.Time) {
	if !from.IsZero() {
		s.Write("\n  AND ", column, " >= ").Arg(from)
	}
	if !to.IsZero() {
		s.Write("\n  AND ", column, " < ").Arg(to)
	}
}

// describeExperiments reads what is bundled in one column, and so is looked at only for the experiments of the page.
func describeExperiments(ctx context.Context, db Querier, dialect Dialect, q *query.Experiments, experiments []store.Experiment) error {
	s := &Statement{}
	detail := func(name string) {
		s.Write(", ")
		dialect.LastText(s, func() { dialect.ObjectText(s, "experiment_details", name) })
	}
	s.Write("SELECT experiment_id")
	detail("description")
	if q.WithMetadata {
		detail("metadata")
	} else {
		s.Write(", ''")
	}
	byID := make(map[string]*store.Experiment, len(experiments))
	ids := make([]string, len(experiments))
	for i := range experiments {
		ids[i] = experiments[i].ID
		byID[ids[i]] = &experiments[i]
	}
	fromExperiments(s, q)
	anyOf(s, "experiment_id", ids)
	s.Write("\nGROUP BY experiment_id")
	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		var found store.Experiment
		if err := rows.Scan(&found.ID, &found.Description, &found.Metadata); err != nil {
			return err
		}
		if e := byID[found.ID]; e != nil {
			e.Description, e.Metadata = found.Description, found.Metadata
		}
		return nil
	})
}

// scoreExperiments adds the scores of the runs themselves.
func scoreExperiments(ctx context.Context, db Querier, q *query.Experiments, experiments []store.Experiment) error {
	wanted := attached{project: q.Project, limit: q.ScoreLimit, column: "experiment_id"}
	for i := range experiments {
		wanted.add(experiments[i].ID, experiments[i].Start, experiments[i].End)
	}
	scores, err := wanted.read(ctx, db)
	for i := range experiments {
		experiments[i].Scores = scores[subject{id: experiments[i].ID}]
	}
	return err
}
