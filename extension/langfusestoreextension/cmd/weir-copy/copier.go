// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// copier copies rows from one engine to another, and looks afterwards whether they are there.
type copier struct {
	from sqlstore.Exporter
	to   sqlstore.Importer
	out  io.Writer
	// retention is after what time collectors delete a row; 0 is never.
	retention time.Duration

	told time.Time // when something was last printed
}

// kind is how rows of one kind are copied.
type kind[T any] struct {
	*copier
	table
	total int64 // 0 where it is not known
	// since is the time from which on a row is kept for the retention; nil for what is kept for ever.
	since func(*T) time.Time
	add   func(context.Context, []*T) (int, error)
	look  func(context.Context, []*T) (missing []*T, found int, err error)
}

func (c *copier) copyAll(ctx context.Context, stats store.Stats) ([]table, error) {
	observations := &kind[sqlstore.ObservationRecord]{
		c,
		table{name: "observations"},
		stats.Observations, func(r *sqlstore.ObservationRecord) time.Time { return r.Start },
		c.to.ImportObservations, c.to.MissingObservations,
	}
	scores := &kind[sqlstore.ScoreRecord]{
		c,
		table{name: "scores"},
		stats.Scores, func(r *sqlstore.ScoreRecord) time.Time { return r.Timestamp },
		c.to.ImportScores, c.to.MissingScores,
	}
	documents := &kind[sqlstore.DocumentRecord]{c, table{name: "documents"}, 0, nil, c.to.ImportDocuments, c.to.MissingDocuments}
	err := errors.Join(
		c.from.ExportObservations(ctx, false, observations.copy(ctx)),
		c.from.ExportScores(ctx, scores.copy(ctx)),
		c.from.ExportDocuments(ctx, documents.copy(ctx)),
	)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(c.out, "All is copied; now it is looked for, row by row.")
	c.told = time.Time{}
	err = errors.Join(
		c.from.ExportObservations(ctx, true, observations.check(ctx)),
		c.from.ExportScores(ctx, scores.check(ctx)),
		c.from.ExportDocuments(ctx, documents.check(ctx)),
	)
	return []table{observations.table, scores.table, documents.table}, err
}

// copy hands rows over. Those that collectors would delete at once stay behind.
func (k *kind[T]) copy(ctx context.Context) func([]*T) error {
	return func(rows []*T) error {
		k.rows += len(rows)
		var kept []*T
		for _, r := range rows {
			if !k.isTooOld(r) {
				kept = append(kept, r)
			}
		}
		added := 0
		err := k.patiently(ctx, func() (err error) {
			if len(kept) > 0 {
				added, err = k.add(ctx, kept)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		k.copied += added
		k.before += len(kept) - added
		k.tell(k.rows)
		return nil
	}
}

// check looks for rows. One that is not there, and has become too old by now, may have been deleted since it was copied.
func (k *kind[T]) check(ctx context.Context) func([]*T) error {
	checked := 0
	return func(rows []*T) error {
		var missing []*T
		found := 0
		err := k.patiently(ctx, func() (err error) {
			missing, found, err = k.look(ctx, rows)
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		k.found += found
		for _, r := range missing {
			if k.isTooOld(r) {
				k.tooOld++
			} else {
				k.missing++
			}
		}
		checked += len(rows)
		k.tell(checked)
		return nil
	}
}

func (k *kind[T]) isTooOld(row *T) bool {
	return k.retention > 0 && k.since != nil && time.Since(k.since(row)) > k.retention
}

// tell says from time to time how far it is.
func (k *kind[T]) tell(rows int) {
	if time.Since(k.told) < time.Second {
		return
	}
	k.told = time.Now()
	if k.total > 0 {
		fmt.Fprintf(k.out, "%s: %d of %d\n", k.name, rows, k.total)
	} else {
		fmt.Fprintf(k.out, "%s: %d\n", k.name, rows)
	}
}

const (
	// patience is how long ClickHouse may be away, pause how long it is left alone before it is asked again.
	patience = time.Minute
	pause    = 500 * time.Millisecond
)

// patiently does something again while ClickHouse is away.
func (c *copier) patiently(ctx context.Context, do func() error) error {
	for began := time.Now(); ; {
		err := do()
		if !errors.Is(err, store.ErrUnavailable) || time.Since(began) > patience {
			return err
		}
		fmt.Fprintf(c.out, "It is tried again: %v\n", err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
