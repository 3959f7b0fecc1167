// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"strconv"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// migration is one step of the schema.
type migration struct {
	version int
	sql     string
}

// migrations are the steps to the schema of this build, in their order.
func migrations() ([]migration, error) {
	files, err := sqlstore.SchemaFiles(schemaFiles)
	steps := make([]migration, len(files))
	for i, text := range files {
		steps[i] = migration{i + 1, text}
	}
	return steps, err
}

// migrate brings a file to the schema of this build, each step in a transaction of its own. A file of a newer build is
// refused before anything in it is touched.
func migrate(ctx context.Context, db *sql.DB, file string) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	version, err := schemaVersion(ctx, db)
	if err != nil {
		return fmt.Errorf("%s is no store of Weir: move it away, or set another `path`: %w", file, err)
	}
	if version > len(steps) {
		return fmt.Errorf("the store %s has schema %d, and this build knows schemas up to %d: use the Weir that wrote it or a newer one, or set another `path`",
			file, version, len(steps))
	}
	for _, step := range steps[version:] {
		if err := apply(ctx, db, step); err != nil {
			return fmt.Errorf("failed to bring the store %s to schema %d: %w", file, step.version, err)
		}
	}
	return nil
}

// schemaVersion is 0 for a new file. A file with tables but without a version is not ours.
func schemaVersion(ctx context.Context, db *sql.DB) (int, error) {
	var tables int
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM duckdb_tables() WHERE database_name = '"+catalog+"'").Scan(&tables); err != nil {
		return 0, err
	}
	if tables == 0 {
		return 0, nil
	}
	var version int
	err := db.QueryRowContext(ctx, "SELECT max(version) FROM weir_schema").Scan(&version)
	return version, err
}

func apply(ctx context.Context, db *sql.DB, step migration) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, statement := range []string{
		"CREATE TABLE IF NOT EXISTS weir_schema (version INTEGER NOT NULL, applied_at TIMESTAMP NOT NULL)",
		step.sql,
		"INSERT INTO weir_schema VALUES (" + strconv.Itoa(step.version) + ", now()::TIMESTAMP)",
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}
