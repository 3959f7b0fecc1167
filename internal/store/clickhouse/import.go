// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

var _ sqlstore.Importer = (*engine)(nil)

func (e *engine) MissingObservations(ctx context.Context, rows []*sqlstore.ObservationRecord) ([]*sqlstore.ObservationRecord, error) {
	wanted, err := wantedKeys(rows)
	if err != nil {
		return nil, err
	}
	before, err := e.findKeys(ctx, wanted, true)
	if err != nil {
		return nil, e.writeError(ctx, err)
	}
	missing, _ := withoutStored(rows, before)
	return missing, nil
}

// withoutStored leaves out the rows that are there, and what is known of them.
func withoutStored(rows []*sqlstore.ObservationRecord, before []storedKey) (missing []*sqlstore.ObservationRecord, others []storedKey) {
	isThere := map[observationKey]bool{}
	for i := range before {
		if before[i].counts {
			isThere[before[i].key] = true
		}
	}
	for _, r := range rows {
		if !isThere[keyOf(r)] {
			missing = append(missing, r)
		}
	}
	for i := range before {
		if !isThere[before[i].key] {
			others = append(others, before[i])
		}
	}
	return missing, others
}

func (e *engine) ImportObservations(ctx context.Context, rows []*sqlstore.ObservationRecord) (int, error) {
	if err := allStorable(sqlstore.ObservationColumns, rows); err != nil {
		return 0, err
	}
	return e.importing(ctx, func(ctx context.Context, added *int) error {
		return e.replaceRecords(ctx, rows, func(rows []*sqlstore.ObservationRecord, before []storedKey) ([]*sqlstore.ObservationRecord, []storedKey) {
			missing, others := withoutStored(rows, before)
			*added = len(missing)
			return missing, others
		})
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

func (e *engine) MissingScores(ctx context.Context, rows []*sqlstore.ScoreRecord) (missing []*sqlstore.ScoreRecord, err error) {
	err = e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		missing, err = e.missingScores(ctx, m, rows)
		return err
	})
	return missing, err
}

func (e *engine) missingScores(ctx context.Context, m *moment, rows []*sqlstore.ScoreRecord) (missing []*sqlstore.ScoreRecord, err error) {
	keys := make([]scoreKey, len(rows))
	for i, r := range rows {
		keys[i] = scoreKey{r.Project, r.ID}
	}
	stored, err := e.storedScores(ctx, m, keys)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		if _, isThere := stored[keys[i]]; !isThere {
			missing = append(missing, r)
		}
	}
	return missing, nil
}

func (e *engine) ImportScores(ctx context.Context, rows []*sqlstore.ScoreRecord) (int, error) {
	if err := allStorable(sqlstore.ScoreColumns, rows); err != nil {
		return 0, err
	}
	return e.importing(ctx, func(ctx context.Context, added *int) error {
		return e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
			missing, err := e.missingScores(ctx, m, rows)
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

func (e *engine) MissingDocuments(ctx context.Context, rows []*sqlstore.DocumentRecord) (missing []*sqlstore.DocumentRecord, err error) {
	err = e.read(ctx, func(ctx context.Context, m *moment) (err error) {
		missing, err = missingDocuments(ctx, m, rows)
		return err
	})
	return missing, err
}

// missingDocuments are all versions of those of which no version is there.
func missingDocuments(ctx context.Context, m *moment, rows []*sqlstore.DocumentRecord) (missing []*sqlstore.DocumentRecord, err error) {
	byProject := map[string][]store.DocumentChange{}
	for _, r := range rows {
		byProject[r.Project] = append(byProject[r.Project], store.DocumentChange{Document: r.Document})
	}
	isThere := map[claimKey]bool{}
	for project, wanted := range byProject {
		stored, err := sqlstore.StoredVersions(ctx, m, project, wanted)
		if err != nil {
			return nil, err
		}
		for key := range stored {
			isThere[claimKey{project, key.Kind, key.ID}] = true
		}
	}
	for _, r := range rows {
		if !isThere[claimKey{r.Project, r.Kind, r.ID}] {
			missing = append(missing, r)
		}
	}
	return missing, nil
}

func (e *engine) ImportDocuments(ctx context.Context, rows []*sqlstore.DocumentRecord) (int, error) {
	return e.importing(ctx, func(ctx context.Context, added *int) error {
		return e.exclusively(ctx, func(ctx context.Context, m *moment) (*change, error) {
			missing, err := missingDocuments(ctx, m, rows)
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
