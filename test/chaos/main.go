// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command chaos runs the built binary under load and does to it, in turn, what happens to programs: it is killed, its disk
// is full, slow or read-only, the clock jumps, the service behind it misbehaves, the ClickHouse of its store is killed. After
// each it counts: every span and score that was acknowledged must be there exactly once, in the store and at the service. It
// fails when one is not.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	binary, root string
	seed         uint64
	// kills is how often a process is killed; rounds is how often the other faults come.
	kills, rounds int
	// everyStatus has the service behind answer each so many-th of all statuses.
	everyStatus int
	// rate is in spans a second.
	rate float64
}

func main() {
	o := options{everyStatus: 1}
	flag.StringVar(&o.binary, "binary", filepath.Join("_build", "weir"), "the collector to drive")
	flag.StringVar(&o.root, "root", ".", "the top folder of the repository")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of the traffic and of all random moments")
	flag.IntVar(&o.kills, "kills", 50, "how often the process is killed")
	flag.IntVar(&o.rounds, "rounds", 5, "how often each of the other faults comes")
	flag.Float64Var(&o.rate, "rate", 500, "spans a second")
	only := flag.String("only", "", "the one fault to try")
	flag.Parse()
	if err := run(o, *only, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

// run tries all faults, and goes on after one that does harm.
func run(o options, only string, out io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	chosen := slices.DeleteFunc(slices.Clone(faults), func(f fault) bool { return only != "" && f.name != only })
	if len(chosen) == 0 {
		return fmt.Errorf("there is no fault %q", only)
	}
	fmt.Fprintf(out, "seed %d, %.0f spans/s\n", o.seed, o.rate)
	var failed []error
	for _, f := range chosen {
		began := time.Now()
		fmt.Fprintf(out, "\n%s: %s\n", f.name, f.about)
		if err := try(ctx, f, o, out); err != nil {
			fmt.Fprintf(out, "  FAILED: %v\n", err)
			failed = append(failed, fmt.Errorf("%s: %w", f.name, err))
		}
		fmt.Fprintf(out, "  %.0f s\n", time.Since(began).Seconds())
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(append(failed, ctx.Err())...)
}
