// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Command export measures the built binary against the stock OTLP/HTTP exporter: the same spans, the same sink,
// in turns of the same run, so that the ratio holds on any machine. It prints a table and judges nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	var (
		binary = flag.String("binary", filepath.Join("_build", "weir"), "the collector to measure")
		spans  = flag.Int("spans", 150_000, "spans a turn")
		rounds = flag.Int("rounds", 3, "turns of each contestant")
		text   = flag.Int("text", 1000, "bytes of text a span")
	)
	flag.Parse()
	if err := run(*binary, *spans, *rounds, *text); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(binary string, spans, rounds, text int) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	sink, err := startSink()
	if err != nil {
		return err
	}
	defer sink.close()
	load := newLoad(text)
	fmt.Printf("%d spans a turn, %d bytes of text and 6 metadata keys each, batches of %d, %d rounds\n\n",
		spans, text, spansPerBatch, rounds)

	results := make(map[string][]result)
	for round := range rounds {
		for _, c := range contestants {
			r, err := measure(ctx, binary, c, sink, load, spans)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			fmt.Printf("round %d  %-30s %s\n", round+1, c.name, r)
			results[c.name] = append(results[c.name], r)
		}
	}
	report(results)
	return nil
}
