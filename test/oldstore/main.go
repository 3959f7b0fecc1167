// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

// Command oldstore writes a store as a Weir with an earlier schema left it, a part of it still in the log of a process that
// was killed. The tests of the store open what it wrote; it is run once for each schema that was released:
//
//	go run ./test/oldstore -schema 1
//
// The rows are those of rows-0001.sql, in statements and not in code, since code changes with the schema.
package main

import (
	"compress/gzip"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // the driver
)

const engineDir = "internal/store/duckdb"

func main() {
	schema := flag.Int("schema", 1, "the number of the last file of the schema that the store knows")
	root := flag.String("root", ".", "the top folder of the repository")
	flag.Parse()
	if err := run(*root, *schema); err != nil {
		fmt.Fprintln(os.Stderr, "oldstore:", err)
		os.Exit(1)
	}
}

func run(root string, schema int) error {
	dir, err := os.MkdirTemp("", "weir-oldstore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	statements, err := script(root, schema)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "weir.duckdb")
	if err := execute(path, statements); err != nil {
		return err
	}
	target := filepath.Join(root, engineDir, "testdata", fmt.Sprintf("schema-%04d", schema))
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"weir.duckdb", "weir.duckdb.wal"} {
		if err := zip(filepath.Join(dir, name), filepath.Join(target, name+".gz")); err != nil {
			return err
		}
	}
	return nil
}

// afterCheckpoint separates the rows that are in the file from those that are in the log.
const afterCheckpoint = "-- log"

// script is everything that a Weir of that time would have done.
func script(root string, schema int) ([]string, error) {
	statements := []string{
		"PRAGMA disable_checkpoint_on_shutdown",
		"SET checkpoint_threshold = '1TB'",
		"CREATE TABLE weir_schema (version INTEGER NOT NULL, applied_at TIMESTAMP NOT NULL)",
	}
	for version := 1; version <= schema; version++ {
		files, err := filepath.Glob(filepath.Join(root, engineDir, "schema", fmt.Sprintf("%04d_*.sql", version)))
		if err != nil || len(files) != 1 {
			return nil, fmt.Errorf("there is no schema %d: %w", version, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			return nil, err
		}
		statements = append(statements, string(text), fmt.Sprintf("INSERT INTO weir_schema VALUES (%d, TIMESTAMP '2026-11-01 00:00:00')", version))
	}
	rows, err := os.ReadFile(filepath.Join(root, "test", "oldstore", fmt.Sprintf("rows-%04d.sql", schema)))
	if err != nil {
		return nil, err
	}
	file, log, _ := strings.Cut(string(rows), afterCheckpoint)
	return append(statements, file, "CHECKPOINT", log), nil
}

// execute runs statements on a file with the options of the engine.
func execute(path string, statements []string) (err error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	attach := []string{fmt.Sprintf("ATTACH '%s' AS weir (ROW_GROUP_SIZE 8192, STORAGE_VERSION 'latest')", path), "USE weir"}
	for _, statement := range append(attach, statements...) {
		if _, err := db.Exec(statement); err != nil {
			return fmt.Errorf("%w in %.200s", err, statement)
		}
	}
	return nil
}

func zip(from, to string) (err error) {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	packed, _ := gzip.NewWriterLevel(target, gzip.BestCompression) // a level that there is
	_, err = io.Copy(packed, source)
	return errors.Join(err, packed.Close(), target.Close())
}
