// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"iter"
	"strings"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

var _ sqlstore.Exporter = (*engine)(nil)

const (
	// exportedRows is how many rows are handed out at a time, exportedDocuments the same for documents with all their versions.
	exportedRows      = 2000
	exportedDocuments = 100
	// exportedBytes is how large their texts may be together.
	exportedBytes = 16 << 20
)

// The bytes of the texts of a row that a client can make as large as it likes.
const (
	observationBytes = "strlen(input) + strlen(output) + strlen(metadata) + strlen(status_message) + strlen(model_parameters) + strlen(tags) + " +
		"strlen(tool_definitions) + strlen(tool_calls) + strlen(tool_call_names) + strlen(experiment_details)"
	scoreBytes = "strlen(text) + strlen(comment) + strlen(metadata)"
)

func (e *engine) ExportObservations(ctx context.Context, keysOnly bool, take func([]*sqlstore.ObservationRecord) error) error {
	bytes := observationBytes
	if keysOnly {
		bytes = "0"
	}
	return exportInParts(ctx, e, "observations", bytes, func(ctx context.Context, condition string, args ...any) ([]*sqlstore.ObservationRecord, error) {
		return sqlstore.ExportObservations(ctx, e.db, keysOnly, condition, args...)
	}, take)
}

func (e *engine) ExportScores(ctx context.Context, take func([]*sqlstore.ScoreRecord) error) error {
	return exportInParts(ctx, e, "scores", scoreBytes, func(ctx context.Context, condition string, args ...any) ([]*sqlstore.ScoreRecord, error) {
		return sqlstore.ExportScores(ctx, e.db, condition, args...)
	}, take)
}

// exportInParts goes through a table in the order in which it lies in the file.
func exportInParts[T any](
	ctx context.Context, e *engine, table, bytes string,
	read func(ctx context.Context, condition string, args ...any) ([]*T, error), take func([]*T) error,
) error {
	var end int64
	err := e.read(ctx, func(ctx context.Context) error {
		return e.db.QueryRowContext(ctx, "SELECT coalesce(max(rowid) + 1, 0) FROM "+table).Scan(&end)
	})
	for first := int64(0); err == nil && first < end; first += exportedRows {
		var rows []weighed[int64]
		err = e.read(ctx, func(ctx context.Context) (err error) {
			rows, err = readWeighed(ctx, e.db, func(id *int64) []any { return []any{id} },
				"SELECT rowid, "+bytes+" FROM "+table+" WHERE rowid >= ? AND rowid < ? ORDER BY rowid", first, first+exportedRows)
			return err
		})
		for part := range parts(rows, exportedRows) {
			if err != nil {
				return err
			}
			var records []*T
			err = e.read(ctx, func(ctx context.Context) (err error) {
				records, err = read(ctx, "rowid >= ? AND rowid <= ?", part[0], part[len(part)-1])
				return err
			})
			if err == nil {
				err = take(records)
			}
		}
	}
	return err
}

// documentKey is what the versions of a document have in common.
type documentKey struct{ project, kind, id string }

func (e *engine) ExportDocuments(ctx context.Context, take func([]*sqlstore.DocumentRecord) error) error {
	var documents []weighed[documentKey]
	err := e.read(ctx, func(ctx context.Context) (err error) {
		documents, err = readWeighed(ctx, e.db, func(k *documentKey) []any { return []any{&k.project, &k.kind, &k.id} },
			"SELECT project, kind, id, sum(strlen(body))::BIGINT FROM documents GROUP BY ALL ORDER BY ALL")
		return err
	})
	for part := range parts(documents, exportedDocuments) {
		if err != nil {
			return err
		}
		condition := "(project, kind, id) IN (" + strings.TrimSuffix(strings.Repeat("(?, ?, ?), ", len(part)), ", ") + ")"
		var args []any
		for _, k := range part {
			args = append(args, k.project, k.kind, k.id)
		}
		var rows []*sqlstore.DocumentRecord
		err = e.read(ctx, func(ctx context.Context) (err error) {
			rows, err = sqlstore.ExportDocuments(ctx, e.db, condition, args...)
			return err
		})
		if err == nil {
			err = take(rows)
		}
	}
	return err
}

// weighed is something and how many bytes it has.
type weighed[K any] struct {
	key   K
	bytes int64
}

// readWeighed reads keys, and the bytes in the column behind them.
func readWeighed[K any](ctx context.Context, db *sql.DB, columns func(*K) []any, statement string, args ...any) ([]weighed[K], error) {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []weighed[K]
	for rows.Next() {
		var w weighed[K]
		if err := rows.Scan(append(columns(&w.key), &w.bytes)...); err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, rows.Err()
}

// parts are the keys in parts of so many at most, and with no more bytes than are handed out at a time. What has more by itself
// is a part of its own.
func parts[K any](all []weighed[K], most int) iter.Seq[[]K] {
	return func(yield func([]K) bool) {
		var part []K
		var bytes int64
		for _, w := range all {
			if len(part) == most || len(part) > 0 && bytes+w.bytes > exportedBytes {
				if !yield(part) {
					return
				}
				part, bytes = nil, 0
			}
			part, bytes = append(part, w.key), bytes+w.bytes
		}
		if len(part) > 0 {
			yield(part)
		}
	}
}
