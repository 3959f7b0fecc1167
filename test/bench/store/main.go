// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command store measures a store, the embedded one or one in ClickHouse: how fast spans get in, durably, against throwing them away once they are
// decoded; how long the reads take that people wait for, at two sizes; and how many pages a second the API gives, alone and
// beside traffic. It prints tables and judges nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

func main() {
	var (
		dir     = flag.String("dir", "", "where to make the stores; a temporary folder by default")
		seconds = flag.Int("seconds", 10, "how long each writing takes")
		rows    = flag.Int("rows", 1_000_000, "rows for the reads; a tenth of it is measured too; 0 leaves the reads out")
		name    = flag.String("engine", "duckdb", "duckdb, or clickhouse, which is started for it")
		binary  = flag.String("binary", "_build/weir", "the collector to read from over HTTP")
	)
	flag.Parse()
	if err := run(*dir, *name, *binary, time.Duration(*seconds)*time.Second, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(dir, name, binary string, duration time.Duration, rows int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "weir-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	engine, err := newEngine(name, dir)
	if err != nil {
		return err
	}
	defer engine.close()
	if err := ingest(ctx, engine, duration); err != nil || rows == 0 {
		return err
	}
	requests := newRequests(1_000)
	if err := reads(ctx, engine, requests, rows); err != nil {
		return err
	}
	return api(ctx, engine, binary, requests, duration)
}

// readStore is the store from which is read.
const readStore = "read"
