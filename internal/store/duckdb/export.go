// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"slices"
	"strings"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

var _ sqlstore.Exporter = (*engine)(nil)

const (
	// exportedRows is how many rows are handed out at a time, exportedDocuments the same for documents, which are larger.
	exportedRows      = 2000
	exportedDocuments = 100
)

func (e *engine) ExportObservations(ctx context.Context, keysOnly bool, take func([]*sqlstore.ObservationRecord) error) error {
	return exportInParts(ctx, e, "observations", func(ctx context.Context, condition string, args ...any) ([]*sqlstore.ObservationRecord, error) {
		return sqlstore.ExportObservations(ctx, e.db, keysOnly, condition, args...)
	}, take)
}

func (e *engine) ExportScores(ctx context.Context, take func([]*sqlstore.ScoreRecord) error) error {
	return exportInParts(ctx, e, "scores", func(ctx context.Context, condition string, args ...any) ([]*sqlstore.ScoreRecord, error) {
		return sqlstore.ExportScores(ctx, e.db, condition, args...)
	}, take)
}

// exportInParts goes through a table in the order in which it lies in the file.
func exportInParts[T any](
	ctx context.Context, e *engine, table string,
	read func(ctx context.Context, condition string, args ...any) ([]*T, error), take func([]*T) error,
) error {
	var end int64
	err := e.read(ctx, func(ctx context.Context) error {
		return e.db.QueryRowContext(ctx, "SELECT coalesce(max(rowid) + 1, 0) FROM "+table).Scan(&end)
	})
	for first := int64(0); err == nil && first < end; first += exportedRows {
		var rows []*T
		err = e.read(ctx, func(ctx context.Context) (err error) {
			rows, err = read(ctx, "rowid >= ? AND rowid < ?", first, first+exportedRows)
			return err
		})
		if err == nil && len(rows) > 0 {
			err = take(rows)
		}
	}
	return err
}

func (e *engine) ExportDocuments(ctx context.Context, take func([]*sqlstore.DocumentRecord) error) error {
	type key struct{ project, kind, id string }
	var keys []key
	err := exportInParts(ctx, e, "documents", func(ctx context.Context, condition string, args ...any) ([]*sqlstore.DocumentRecord, error) {
		return sqlstore.ExportDocuments(ctx, e.db, false, condition, args...)
	}, func(rows []*sqlstore.DocumentRecord) error {
		for _, r := range rows {
			keys = append(keys, key{r.Project, r.Kind, r.ID})
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(keys, func(a, b key) int {
		return slices.Compare([]string{a.project, a.kind, a.id}, []string{b.project, b.kind, b.id})
	})
	for part := range slices.Chunk(slices.Compact(keys), exportedDocuments) {
		condition := "(project, kind, id) IN (" + strings.TrimSuffix(strings.Repeat("(?, ?, ?), ", len(part)), ", ") + ")"
		var args []any
		for _, k := range part {
			args = append(args, k.project, k.kind, k.id)
		}
		var rows []*sqlstore.DocumentRecord
		err := e.read(ctx, func(ctx context.Context) (err error) {
			rows, err = sqlstore.ExportDocuments(ctx, e.db, true, condition, args...)
			return err
		})
		if err != nil {
			return err
		}
		if err := take(rows); err != nil {
			return err
		}
	}
	return nil
}
