// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command load drives the built binary, with configs/local.yaml and several projects, with the traffic of applications that
// use language models, and tells what it took. It ends by itself. With -knee it looks for the rate that the server can
// follow, asks for twice of that, and checks that the server sheds load, keeps its memory and recovers.
// In the end it counts what was acknowledged and is there; it fails when something is lost or there twice.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// options are the flags.
type options struct {
	binary, root, dir string
	duration          time.Duration
	rate              float64
	writers, readers  int
	projects          int
	seed              uint64
}

func main() {
	var o options
	flag.StringVar(&o.binary, "binary", filepath.Join("_build", "weir"), "the collector to drive")
	flag.StringVar(&o.root, "root", ".", "the top folder of the repository")
	flag.StringVar(&o.dir, "dir", "", "where to make the store; a temporary folder by default")
	seconds := flag.Int("seconds", 30, "how long the load takes; with -knee, each step")
	flag.Float64Var(&o.rate, "rate", 1000, "spans a second; 0 is as many as the writers get through; with -knee, the first step")
	flag.IntVar(&o.writers, "writers", 16, "requests at the same time")
	flag.IntVar(&o.readers, "readers", 2, "readers beside them, each with one request at a time")
	flag.IntVar(&o.projects, "projects", 3, "projects among which the traffic is spread")
	flag.Uint64Var(&o.seed, "seed", 1, "the same seed gives the same traffic")
	knee := flag.Bool("knee", false, "look for the highest rate, then go beyond it")
	flag.Parse()
	o.duration = time.Duration(*seconds) * time.Second
	if *knee && o.rate <= 0 {
		fmt.Fprintln(os.Stderr, "load: -knee needs a -rate above 0, from which it goes up")
		os.Exit(2)
	}
	if err := run(o, *knee); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func run(o options, knee bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.dir == "" {
		var err error
		if o.dir, err = os.MkdirTemp("", "weir-load-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	s, err := startServer(ctx, o)
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Printf("seed %d, %d projects, %d writers, %d readers\n\n", o.seed, o.projects, o.writers, o.readers)
	var failed error
	if knee {
		failed = findKnee(ctx, s, o)
	} else {
		result := s.load(ctx, load{rate: o.rate, writers: o.writers, readers: o.readers, duration: o.duration})
		result.print()
		failed = result.err()
	}
	return errors.Join(failed, s.count(ctx))
}
