// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"slices"
)

// Exporter is an engine that hands out all rows of all projects as they are stored, some at a time.
type Exporter interface {
	// With keysOnly the rows have nothing but what makes them the same as others, and their start.
	ExportObservations(ctx context.Context, keysOnly bool, take func([]*ObservationRecord) error) error
	ExportScores(ctx context.Context, take func([]*ScoreRecord) error) error
	// All versions of a document come together.
	ExportDocuments(ctx context.Context, take func([]*DocumentRecord) error) error
}

// Importer is an engine that takes rows as they were stored elsewhere, with all their times. Rows that are there already stay as
// they are: they were written later, or copied before.
type Importer interface {
	// The Missing methods look for rows where readers do. They give those that are not there, and count what is there of the others.
	MissingObservations(ctx context.Context, rows []*ObservationRecord) (missing []*ObservationRecord, found int, err error)
	MissingScores(ctx context.Context, rows []*ScoreRecord) (missing []*ScoreRecord, found int, err error)
	MissingDocuments(ctx context.Context, rows []*DocumentRecord) (missing []*DocumentRecord, found int, err error)

	// The Import methods add those, all or none, and tell how many they were.
	ImportObservations(ctx context.Context, rows []*ObservationRecord) (int, error)
	ImportScores(ctx context.Context, rows []*ScoreRecord) (int, error)
	ImportDocuments(ctx context.Context, rows []*DocumentRecord) (int, error)
}

// exportedColumns are the columns of observations from which a row can be made again, the project included.
func exportedColumns(keysOnly bool) []observationColumn {
	columns := []observationColumn{{"project", 0, nil, func(r *ObservationRecord) any { return &r.Project }}}
	for _, column := range ObservationColumns {
		if column.Target != nil && (!keysOnly || slices.Contains([]string{"trace_id", "id", "start_time"}, column.Name)) {
			columns = append(columns, column)
		}
	}
	return columns
}

// ExportObservations reads the observations that a condition holds for.
func ExportObservations(ctx context.Context, db Querier, keysOnly bool, condition string, args ...any) ([]*ObservationRecord, error) {
	return export(ctx, db, "observations", exportedColumns(keysOnly), condition, args)
}

// ExportScores reads the scores that a condition holds for.
func ExportScores(ctx context.Context, db Querier, condition string, args ...any) ([]*ScoreRecord, error) {
	return export(ctx, db, "scores", ScoreColumns, condition, args)
}

// ExportDocuments reads the versions of documents that a condition holds for.
func ExportDocuments(ctx context.Context, db Querier, condition string, args ...any) ([]*DocumentRecord, error) {
	return export(ctx, db, "documents", DocumentColumns, condition, args)
}

func export[T any](ctx context.Context, db Querier, table string, columns []Column[T], condition string, args []any) ([]*T, error) {
	s := selectColumns(columns, table).Write("\nWHERE ", condition)
	s.Args = append(s.Args, args...)
	var rows []*T
	err := readRows(ctx, db, s, columns, func(row *T) { rows = append(rows, row) })
	return rows, err
}
