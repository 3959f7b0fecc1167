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

// options are what the flags say.
type options struct {
	dir, engine, binary string
	duration            time.Duration
	texts               []int
	writers, rows       int
}

func main() {
	var o options
	flag.StringVar(&o.dir, "dir", "", "where to make the stores; a temporary folder by default")
	flag.StringVar(&o.engine, "engine", "duckdb", "duckdb, or clickhouse, which is started for it")
	flag.StringVar(&o.binary, "binary", "_build/weir", "the collector to read from over HTTP")
	flag.DurationVar(&o.duration, "duration", 10*time.Second, "how long each writing takes")
	flag.IntVar(&o.writers, "writers", 4, "how many write at the same time")
	flag.IntVar(&o.rows, "rows", 1_000_000, "rows for the reads; a tenth of it is measured too; 0 leaves the reads out")
	text := flag.Int("text", 0, "bytes of text a span; 1000 and 12000 by default")
	flag.Parse()
	o.texts = []int{1_000, 12_000}
	if *text > 0 {
		o.texts = []int{*text}
	}
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if o.dir == "" {
		var err error
		if o.dir, err = os.MkdirTemp("", "weir-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	engine, err := newEngine(o.engine, o.dir)
	if err != nil {
		return err
	}
	defer engine.close()
	if err := ingest(ctx, engine, o); err != nil || o.rows == 0 {
		return err
	}
	requests := newRequests(1_000, o.writers)
	if err := reads(ctx, engine, requests, o.rows); err != nil {
		return err
	}
	return api(ctx, engine, o.binary, requests, o.duration)
}

// readStore is the store from which is read.
const readStore = "read"
