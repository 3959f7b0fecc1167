// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// copier copies rows from one engine to another, and looks afterwards whether they are there.
type copier struct {
	from sqlstore.Exporter
	to   sqlstore.Importer
	out  io.Writer

	told time.Time // when something was last printed
}

// table is what became of the rows of one kind.
type table struct {
	name                  string
	rows, copied, missing int
}

func (c *copier) copyAll(ctx context.Context, stats store.Stats) ([]table, error) {
	observations, scores, documents := table{name: "observations"}, table{name: "scores"}, table{name: "documents"}
	err := errors.Join(
		c.from.ExportObservations(ctx, false, copyRows(ctx, c, &observations, stats.Observations, c.to.ImportObservations)),
		c.from.ExportScores(ctx, copyRows(ctx, c, &scores, stats.Scores, c.to.ImportScores)),
		c.from.ExportDocuments(ctx, copyRows(ctx, c, &documents, 0, c.to.ImportDocuments)),
	)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(c.out, "All is copied; now it is looked for, row by row.")
	err = errors.Join(
		c.from.ExportObservations(ctx, true, checkRows(ctx, &observations, c.to.MissingObservations)),
		c.from.ExportScores(ctx, checkRows(ctx, &scores, c.to.MissingScores)),
		c.from.ExportDocuments(ctx, checkRows(ctx, &documents, c.to.MissingDocuments)),
	)
	return []table{observations, scores, documents}, err
}

// copyRows hands rows over and says from time to time how far it is.
func copyRows[T any](ctx context.Context, c *copier, t *table, total int64, add func(context.Context, []T) (int, error)) func([]T) error {
	return func(rows []T) error {
		added, err := add(ctx, rows)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		t.rows += len(rows)
		t.copied += added
		if time.Since(c.told) > time.Second {
			c.told = time.Now()
			if total > 0 {
				fmt.Fprintf(c.out, "%s: %d of %d\n", t.name, t.rows, total)
			} else {
				fmt.Fprintf(c.out, "%s: %d\n", t.name, t.rows)
			}
		}
		return nil
	}
}

func checkRows[T any](ctx context.Context, t *table, missing func(context.Context, []T) ([]T, error)) func([]T) error {
	return func(rows []T) error {
		found, err := missing(ctx, rows)
		t.missing += len(found)
		return err
	}
}

// report prints the tables, and fails when the counts differ.
func report(out io.Writer, tables []table, stats store.Stats) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tin the file\tcopied\tthere before\tin ClickHouse\tmissing\t")
	var errs []error
	counted := map[string]int64{"observations": stats.Observations, "scores": stats.Scores}
	for _, t := range tables {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t\n", t.name, t.rows, t.copied, t.rows-t.copied, t.rows-t.missing, t.missing)
		if t.missing > 0 {
			errs = append(errs, fmt.Errorf("%d of %d %s are not there: run it again", t.missing, t.rows, t.name))
		}
		if want, isKnown := counted[t.name]; isKnown && want != int64(t.rows) {
			errs = append(errs, fmt.Errorf("the file has %d %s, but %d were read", want, t.name, t.rows))
		}
	}
	return errors.Join(append([]error{w.Flush()}, errs...)...)
}
