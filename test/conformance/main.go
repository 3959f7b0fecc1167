// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command conformance runs the tests of the real client libraries, in test/python and test/js, against the built binary.
// It installs what they need beside them, prints a table of features against clients, and fails when a test did.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

func main() {
	root := flag.String("root", ".", "the top folder of the repository")
	only := flag.String("only", "", "words, with commas between them: only suites run whose names have one of them")
	flag.Parse()
	if err := run(*root, *only); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(root, only string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	suites := withWords(suitesOf(root), only)
	if len(suites) == 0 {
		return fmt.Errorf("no suite has one of %s in its name", only)
	}
	outcomes := make([]outcome, len(suites))
	var running sync.WaitGroup
	for i, s := range suites {
		running.Go(func() { outcomes[i] = execute(ctx, s, filepath.Join(folder, strconv.Itoa(i))) })
	}
	running.Wait()

	var results []result
	var failures []error
	for i, s := range suites {
		o := outcomes[i]
		if o.missing != "" {
			fmt.Printf("\n--- %s: SKIPPED, %s\n", s.name, o.missing)
			continue
		}
		fmt.Printf("\n--- %s (%.0f s)\n%s", s.name, o.took.Seconds(), o.printed)
		results = append(results, o.results...)
		if o.err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", s.name, o.err))
		}
	}
	if len(results) > 0 {
		fmt.Printf("\n%s\n%s\n", table(results), summary(results))
	}
	return errors.Join(failures...)
}

// outcome is what became of a suite.
type outcome struct {
	missing string
	printed []byte
	results []result
	took    time.Duration
	err     error
}

func execute(ctx context.Context, s suite, resultsFile string) outcome {
	start := time.Now()
	if missing := s.missing(ctx); missing != "" {
		return outcome{missing: missing}
	}
	var printed bytes.Buffer
	err := s.install(ctx, &printed)
	if err == nil {
		err = s.test(ctx, resultsFile, &printed)
	}
	results, readErr := readResults(resultsFile)
	if err == nil && len(results) == 0 {
		err = errors.New("no test was run")
	}
	return outcome{printed: printed.Bytes(), results: results, took: time.Since(start), err: errors.Join(err, readErr)}
}
