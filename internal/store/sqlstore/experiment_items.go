// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListExperimentItems reads a page. The query must be valid.
func ListExperimentItems(ctx context.Context, db Querier, dialect Dialect, q *query.ExperimentItems) (store.ExperimentItemPage, error) {
	observations := q.Observations()
	found, err := ListObservations(ctx, db, dialect, &observations)
	if err != nil {
		return store.ExperimentItemPage{}, err
	}
	page := store.ExperimentItemPage{Next: found.Next}
	for _, row := range found.Rows {
		page.Rows = append(page.Rows, store.ExperimentItem{StoredObservation: row})
	}
	if q.ScoreLimit == 0 || len(page.Rows) == 0 {
		return page, nil
	}
	wanted := attached{project: q.Project, limit: q.ScoreLimit, column: "trace_id"}
	for i := range page.Rows {
		row := &page.Rows[i]
		wanted.add(row.TraceID, row.Start, row.End)
		wanted.observations = append(wanted.observations, row.ID)
	}
	scores, err := wanted.read(ctx, db)
	for i := range page.Rows {
		row := &page.Rows[i]
		row.Scores = slices.Concat(scores[subject{id: row.TraceID}], scores[subject{row.TraceID, row.ID}])
		slices.SortFunc(row.Scores, func(a, b store.StoredScore) int {
			return cmp.Or(b.Timestamp.Compare(a.Timestamp), strings.Compare(b.ID, a.ID))
		})
		row.Scores = row.Scores[:min(len(row.Scores), q.ScoreLimit)]
	}
	return page, err
}

// attached asks for the scores that come with the rows of a page, all of them at once.
type attached struct {
	project string
	limit   int
	// column has the ids: experiment_id for runs, trace_id for items.
	column string
	ids    []string
	// observations are the items; a trace may have scores of many others.
	observations []string
	from, to     time.Time
}

// subject is what a score judges: a run, a trace, or an observation of a trace.
type subject struct{ id, observationID string }

func (a *attached) add(id string, start, end time.Time) {
	a.ids = append(a.ids, id)
	if a.from.IsZero() || start.Before(a.from) {
		a.from = start
	}
	for _, t := range []time.Time{start, end} {
		if t.After(a.to) {
			a.to = t
		}
	}
}

// read gives the newest scores of each subject, newest first.
func (a *attached) read(ctx context.Context, db Querier) (map[subject][]store.StoredScore, error) {
	s := selectColumns(ScoreColumns, "(SELECT *, row_number() OVER (PARTITION BY "+a.column+", observation_id ORDER BY timestamp DESC, id DESC) AS place")
	s.Write("\nFROM scores\nWHERE project = ").Arg(a.project)
	anyOf(s, a.column, a.ids)
	if a.column == "trace_id" {
		s.Write("\n  AND observation_id IN ").List(append([]string{""}, a.observations...))
	}
	s.Write("\n  AND data_type <> ").Arg(string(model.ScoreCorrection))
	s.Write("\n  AND timestamp >= ").Arg(a.from.Add(-query.ScoreWindow)).Write(" AND timestamp <= ").Arg(a.to.Add(query.ScoreWindow))
	s.Write(") AS newest\nWHERE place <= ").Arg(a.limit).Write("\nORDER BY timestamp DESC, id DESC")

	scores := make(map[subject][]store.StoredScore)
	err := readRows(ctx, db, s, ScoreColumns, func(r *ScoreRecord) {
		of := subject{r.TraceID, r.ObservationID}
		if a.column != "trace_id" {
			of = subject{id: r.ExperimentID}
		}
		scores[of] = append(scores[of], r.StoredScore)
	})
	return scores, err
}
