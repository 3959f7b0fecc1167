// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"errors"
	"slices"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

var _ sqlstore.Importer = (*engine)(nil)

func (e *engine) MissingObservations(
	ctx context.Context, rows []*sqlstore.ObservationRecord,
) (missing []*sqlstore.ObservationRecord, found int, err error) {
	err = e.read(ctx, func(ctx context.Context, m *moment) error {
		stored, err := m.countObservations(ctx, rows)
		missing, found = without(rows, keyOf, stored)
		return err
	})
	return missing, found, err
}

// without gives the rows that are not stored, and how many those are that are.
func without[T any, K comparable](rows []*T, keyOf func(*T) K, stored map[K]int) (missing []*T, found int) {
	for _, r := range rows {
		if count := stored[keyOf(r)]; count > 0 {
			found += count
		} else {
			missing = append(missing, r)
		}
	}
	return missing, found
}

// countObservations counts what a reader would be given, by what makes observations the same.
func (m *moment) countObservations(ctx context.Context, rows []*sqlstore.ObservationRecord) (map[observationKey]int, error) {
	byProject := map[string][]*sqlstore.ObservationRecord{}
	for _, r := range rows {
		byProject[r.Project] = append(byProject[r.Project], r)
	}
	stored := make(map[observationKey]int, len(rows))
	for project, of := range byProject {
		if err := m.countOfProject(ctx, project, of, stored); err != nil {
			return nil, err
		}
	}
	return stored, nil
}

func (m *moment) countOfProject(ctx context.Context, project string, rows []*sqlstore.ObservationRecord, stored map[observationKey]int) error {
	traces := &ofTraces{project: project}
	s := &sqlstore.Statement{}
	s.Write("SELECT trace_id, id, count() FROM observations WHERE project = ").Arg(project).Write(" AND (trace_id, id) IN (")
	for i, r := range rows {
		traces.ids = append(traces.ids, r.TraceID)
		if i > 0 {
			s.Write(", ")
		}
		s.Write("(").Arg(r.TraceID).Write(", ").Arg(r.ID).Write(")")
	}
	s.Write(") GROUP BY trace_id, id")
	if err := m.narrow(ctx, traces); err != nil {
		return err
	}
	defer func() { m.within = "" }()
	found, err := m.QueryContext(ctx, s.String(), s.Args...)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		key, count := observationKey{project: project}, 0
		if err := found.Scan(&key.traceID, &key.id, &count); err != nil {
			return err
		}
		stored[key] = count
	}
	return found.Err()
}

func (e *engine) ImportObservations(ctx context.Context, rows []*sqlstore.ObservationRecord) (int, error) {
	if err := allStorable(sqlstore.ObservationColumns, rows); err != nil {
		return 0, err
	}
	return e.importing(ctx, func(ctx context.Context, added *int) error {
		var stored map[observationKey]int
		var lookErr error
		err := e.replaceRecords(ctx, rows, func(rows []*sqlstore.ObservationRecord, before []storedKey) ([]*sqlstore.ObservationRecord, []storedKey) {
			// Only of rows with a key there can be more.
			if slices.ContainsFunc(before, func(k storedKey) bool { return k.counts }) {
				lookErr = atOneMoment(ctx, e.momentBefore, func(ctx context.Context, m *moment) (err error) {
					stored, err = m.countObservations(ctx, rows)
					return err
				})
				if lookErr != nil {
					return nil, nil
				}
			}
			missing, _ := without(rows, keyOf, stored)
			*added = len(missing)
			return missing, slices.DeleteFunc(before, func(k storedKey) bool { return stored[k.key] > 0 })
		})
		return errors.Join(lookErr, err)
	})
}

func allStorable[T any](columns []sqlstore.Column[T], rows []*T) error {
	for _, r := range rows {
		if err := storable(columns, r); err != nil {
			return err
		}
	}
	return nil
}

// importing does a write that may tell how many rows it added.
func (e *engine) importing(ctx context.Context, write func(ctx context.Context, added *int) error) (added int, err error) {
	end, err := e.begin()
	if err != nil {
		return 0, err
	}
	defer end()
	limited, cancel := within(ctx, writeTime)
	defer cancel()
	if err := write(limited, &added); err != nil {
		return 0, e.writeError(ctx, err)
	}
	return added, nil
}

func (e *engine) MissingScores(ctx context.Context, rows []*sqlstore.ScoreRecord) (missing []*sqlstore.ScoreRecord, found int, err error) {
	err = e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		missing, found, err = missingScores(ctx, m, rows)
		return err
	})
	return missing, found, err
}

func missingScores(ctx context.Context, m *moment, rows []*sqlstore.ScoreRecord) (missing []*sqlstore.ScoreRecord, found int, err error) {
	ids := map[string][]string{}
	for _, r := range rows {
		ids[r.Project] = append(ids[r.Project], r.ID)
	}
	stored := make(map[scoreKey]int, len(rows))
	for project, of := range ids {
		found, err := m.rowsOf(ctx, "scores", "id", project, of)
		if err != nil {
			return nil, 0, err
		}
		for id, rows := range found {
			stored[scoreKey{project, id}] = len(rows)
		}
	}
	missing, found = without(rows, func(r *sqlstore.ScoreRecord) scoreKey { return scoreKey{r.Project, r.ID} }, stored)
	return missing, found, nil
}

func (e *engine) ImportScores(ctx context.Context, rows []*sqlstore.ScoreRecord) (int, error) {
	if err := allStorable(sqlstore.ScoreColumns, rows); err != nil {
		return 0, err
	}
	return e.importing(ctx, func(ctx context.Context, added *int) error {
		return e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
			missing, _, err := missingScores(ctx, m, rows)
			if *added = len(missing); err != nil || len(missing) == 0 {
				return nil, err
			}
			c := &change{batch: e.clock.next(m.latest(), 0)}
			for _, r := range missing {
				c.claims = append(c.claims, claimKey{r.Project, scoreClaims, r.ID})
			}
			c.write = func(ctx context.Context) error {
				return insertRecords(ctx, e, "scores", sqlstore.ScoreColumns, missing, row{batch: c.batch, place: firstPlace()})
			}
			return c, nil
		})
	})
}

func (e *engine) MissingDocuments(ctx context.Context, rows []*sqlstore.DocumentRecord) (missing []*sqlstore.DocumentRecord, found int, err error) {
	err = e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		missing, found, err = missingDocuments(ctx, m, rows)
		return err
	})
	return missing, found, err
}

// missingDocuments are all versions of those of which no version is there. Of the others there may be more or fewer by now.
func missingDocuments(ctx context.Context, m *moment, rows []*sqlstore.DocumentRecord) (missing []*sqlstore.DocumentRecord, found int, err error) {
	byProject := map[string][]store.DocumentChange{}
	for _, r := range rows {
		byProject[r.Project] = append(byProject[r.Project], store.DocumentChange{Document: r.Document})
	}
	isThere := map[claimKey]int{}
	for project, wanted := range byProject {
		stored, err := sqlstore.StoredVersions(ctx, m, project, wanted)
		if err != nil {
			return nil, 0, err
		}
		for key := range stored {
			isThere[claimKey{project, key.Kind, key.ID}] = 1
		}
	}
	missing, found = without(rows, func(r *sqlstore.DocumentRecord) claimKey { return claimKey{r.Project, r.Kind, r.ID} }, isThere)
	return missing, found, nil
}

func (e *engine) ImportDocuments(ctx context.Context, rows []*sqlstore.DocumentRecord) (int, error) {
	return e.importing(ctx, func(ctx context.Context, added *int) error {
		return e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
			missing, _, err := missingDocuments(ctx, m, rows)
			if *added = len(missing); err != nil || len(missing) == 0 {
				return nil, err
			}
			c := &change{batch: e.clock.next(m.latest(), 0)}
			claimed := map[claimKey]bool{}
			for _, r := range missing {
				if key := (claimKey{r.Project, documentClaims(r.Kind), r.ID}); !claimed[key] {
					claimed[key] = true
					c.claims = append(c.claims, key)
				}
			}
			c.write = func(ctx context.Context) error {
				return insertRecords(ctx, e, "documents", sqlstore.DocumentColumns, missing, row{batch: c.batch, place: firstPlace()})
			}
			return c, nil
		})
	})
}
