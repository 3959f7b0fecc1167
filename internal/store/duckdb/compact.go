// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/disk"
)

// compactFrom is the size of a file from which it is worth the time to make it smaller.
const compactFrom = 64 << 20

// openCompact opens the file, at the schema of this build. Blocks of deleted rows are used again, and given back only where
// they are at the end of the file. So a file most of which is free is written anew before it is used.
func openCompact(ctx context.Context, path string, settings Settings) (*sql.DB, error) {
	fresh := path + ".new"
	// One that is there was not finished.
	if err := errors.Join(removeIfThere(fresh), removeIfThere(fresh+".wal")); err != nil {
		return nil, explainOpen(err, path)
	}
	db, err := openMigrated(ctx, path, settings)
	if err != nil || !shouldCompact(ctx, db, path) {
		return db, err
	}
	begin, before := time.Now(), fileSize(path)
	if err := copyInto(ctx, db, fresh, settings); err != nil {
		settings.Logger.Warn("Could not write the file of the store anew without its free space; it stays as it is.", zap.String("path", path), zap.Error(err))
		return db, errors.Join(removeIfThere(fresh), removeIfThere(fresh+".wal"))
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	if err := replaceFile(path, fresh); err != nil {
		settings.Logger.Warn("Could not put the new file of the store in place of the old one, which stays.", zap.String("path", path), zap.Error(err))
	} else {
		settings.Logger.Info("Wrote the file of the store anew without its free space.", zap.String("path", path),
			zap.Int64("bytes_before", before), zap.Int64("bytes_after", fileSize(path)), zap.Duration("took", time.Since(begin)))
	}
	return openMigrated(ctx, path, settings)
}

func openMigrated(ctx context.Context, path string, settings Settings) (*sql.DB, error) {
	db, err := openFile(ctx, path, settings)
	if err != nil {
		return nil, err
	}
	if err := migrate(ctx, db, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// shouldCompact tells whether most of a large file is free, and the disk has room for another one beside it.
func shouldCompact(ctx context.Context, db *sql.DB, path string) bool {
	var free, used int64
	err := db.QueryRowContext(ctx, "SELECT block_size * free_blocks, block_size * used_blocks FROM pragma_database_size() WHERE database_name = ?", catalog).
		Scan(&free, &used)
	return err == nil && fileSize(path) >= compactFrom && free > used && disk.Free(filepath.Dir(path)) > 2*(used+fileSize(path+".wal"))
}

// copyInto makes a new file with everything that is in the database.
func copyInto(ctx context.Context, db *sql.DB, fresh string, settings Settings) (err error) {
	empty, err := openMigrated(ctx, fresh, settings)
	if err != nil {
		return err
	}
	if err := empty.Close(); err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	tables, err := tableNames(ctx, conn)
	if err != nil {
		return err
	}
	statements := []string{attach(fresh, "fresh")}
	for _, table := range tables {
		statements = append(statements, fmt.Sprintf("INSERT INTO fresh.%s SELECT * FROM %s.%s", table, catalog, table))
	}
	for _, statement := range append(statements, "CHECKPOINT fresh", "DETACH fresh") {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// tableNames are the tables with rows of users. The new file has its own record of its schema.
func tableNames(ctx context.Context, conn *sql.Conn) (names []string, _ error) {
	rows, err := conn.QueryContext(ctx, "SELECT table_name FROM duckdb_tables() WHERE database_name = ? AND table_name <> 'weir_schema'", catalog)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// replaceFile puts a file in place of another, so that after a power cut there is the one or the other.
func replaceFile(path, fresh string) error {
	// A log belongs to its file, and would be read into the other.
	for _, log := range []string{path + ".wal", fresh + ".wal"} {
		if fileSize(log) > 0 {
			return errors.Join(fmt.Errorf("%s is not empty", log), removeIfThere(fresh))
		}
	}
	for _, step := range []func() error{
		func() error { return syncFile(fresh) },
		func() error { return os.Rename(fresh, path) },
		func() error { return syncFile(filepath.Dir(path)) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func syncFile(path string) error {
	file, err := os.Open(path) //nolint:gosec // a file or folder of ours
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// attach is the statement that opens a file under a name. Only ATTACH takes the size of row groups. The newest storage
// version has the better compressions; nobody reads the file with an older DuckDB.
func attach(path, name string) string {
	return fmt.Sprintf("ATTACH IF NOT EXISTS '%s' AS %s (ROW_GROUP_SIZE %d, STORAGE_VERSION 'latest')", strings.ReplaceAll(path, "'", "''"), name, rowGroup)
}
