// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command store measures the embedded store: how fast spans get in, durably, against throwing them away once they are
// decoded; and how long the reads take that people wait for, at two sizes. It prints tables and judges nothing.
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
		rows    = flag.Int("rows", 1_000_000, "rows for the reads; a tenth of it is measured too")
	)
	flag.Parse()
	if err := run(*dir, time.Duration(*seconds)*time.Second, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(dir string, duration time.Duration, rows int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "weir-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	if err := ingest(ctx, dir, duration); err != nil {
		return err
	}
	return reads(ctx, dir, rows)
}
