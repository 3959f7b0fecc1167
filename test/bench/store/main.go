// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command store measures the embedded store: how fast spans get in, durably, against throwing them away once they are
// decoded; how long the reads take that people wait for, at two sizes; and how many pages a second the API gives, alone and
// beside traffic. It prints tables and judges nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"time"
)

func main() {
	var (
		dir     = flag.String("dir", "", "where to make the stores; a temporary folder by default")
		seconds = flag.Int("seconds", 10, "how long each writing takes")
		rows    = flag.Int("rows", 1_000_000, "rows for the reads; a tenth of it is measured too; 0 leaves the reads out")
		binary  = flag.String("binary", "_build/weir", "the collector to read from over HTTP")
	)
	flag.Parse()
	if err := run(*dir, *binary, time.Duration(*seconds)*time.Second, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(dir, binary string, duration time.Duration, rows int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "weir-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	if err := ingest(ctx, dir, duration); err != nil || rows == 0 {
		return err
	}
	dir = filepath.Join(dir, "read")
	requests := newRequests(1_000)
	if err := reads(ctx, dir, requests, rows); err != nil {
		return err
	}
	return api(ctx, binary, dir, requests, duration)
}
