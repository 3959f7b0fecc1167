// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/internal/convert"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/wire"
)

const (
	writers = 4
	project = "bench"
)

// ingest prints how many spans a second can be decoded, and decoded, converted and committed, for two sizes of spans.
func ingest(ctx context.Context, dir string, duration time.Duration) error {
	prices, err := pricing.Default()
	if err != nil {
		return err
	}
	converter := convert.New(convert.Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices})

	fmt.Printf("Writing, %d writers, batches of %d spans, %s each\n\n", writers, spansPerBatch, duration)
	fmt.Println("| text a span | decoded only, spans/s | stored, spans/s | ratio | stored, MB/s of text | commit p50 | p99 | longest |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, text := range []int{1_000, 12_000} {
		requests := newRequests(text)
		decoded, err := timed(ctx, duration, requests, func(context.Context, ptraceotlp.ExportRequest) error { return nil })
		if err != nil {
			return err
		}
		s, err := duckdb.Open(ctx, duckdb.Settings{Dir: filepath.Join(dir, fmt.Sprint("write-", text))})
		if err != nil {
			return err
		}
		stored, err := timed(ctx, duration, requests, func(ctx context.Context, request ptraceotlp.ExportRequest) error {
			return s.WriteObservations(ctx, project, converter.Traces(request.Traces(), convert.RequestOrigin{}))
		})
		if err := errors.Join(err, s.Close(ctx)); err != nil {
			return err
		}
		fmt.Printf("| %d B | %.0f | %.0f | %.2f | %.0f | %s | %s | %s |\n", text, decoded.rate(), stored.rate(), stored.rate()/decoded.rate(),
			stored.rate()*float64(text)/1e6, stored.times.at(0.5), stored.times.at(0.99), stored.times.at(1))
	}
	fmt.Println()
	return ctx.Err()
}

// outcome is what came of a timed run.
type outcome struct {
	spans   int
	elapsed time.Duration
	times   times
}

func (o outcome) rate() float64 { return float64(o.spans) / o.elapsed.Seconds() }

// timed decodes requests in several goroutines and hands them over, for a while.
func timed(
	ctx context.Context, duration time.Duration, requests *requests, take func(context.Context, ptraceotlp.ExportRequest) error,
) (outcome, error) {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		turn  atomic.Int64
		total outcome
		errs  []error
		begin = time.Now()
	)
	for range writers {
		wg.Go(func() {
			var mine times
			var err error
			for time.Since(begin) < duration && err == nil && ctx.Err() == nil {
				request := requests.decode(int(turn.Add(1)))
				start := time.Now()
				err = take(ctx, request)
				mine = append(mine, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			total.spans += len(mine) * spansPerBatch
			total.times = append(total.times, mine...)
			errs = append(errs, err)
		})
	}
	wg.Wait()
	total.elapsed = time.Since(begin)
	return total, errors.Join(errs...)
}
