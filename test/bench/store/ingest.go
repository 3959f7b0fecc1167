// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/internal/convert"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/test/internal/times"
)

const (
	writers = 4
	project = "bench"
)

// take is what becomes of a decoded request.
type take func(context.Context, ptraceotlp.ExportRequest) error

// ingest prints how many spans a second can be received, and received, converted and committed, for two sizes of spans.
func ingest(ctx context.Context, engine engine, duration time.Duration) error {
	prices, err := pricing.Default()
	if err != nil {
		return err
	}
	converter := convert.New(convert.Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices})

	fmt.Printf("Writing, %d writers, batches of %d spans, %s each. \"over HTTP\" is OTLP with gzip on loopback, sender and receiver in one process.\n\n",
		writers, spansPerBatch, duration)
	fmt.Println("| text a span | | decoded only, spans/s | stored, spans/s | ratio | stored, MB/s of text | request p50 | p99 | p99.9 | longest |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, text := range []int{1_000, 12_000} {
		load := newRequests(text)
		for _, way := range []struct {
			name string
			run  func(context.Context, time.Duration, *requests, take) (outcome, error)
		}{{"over HTTP", overHTTP}, {"in process", inProcess}} {
			decoded, err := way.run(ctx, duration, load, func(context.Context, ptraceotlp.ExportRequest) error { return nil })
			if err != nil {
				return err
			}
			s, err := engine.open(ctx, fmt.Sprint("write_", text, "_", strings.ReplaceAll(way.name, " ", "_")))
			if err != nil {
				return err
			}
			stored, err := way.run(ctx, duration, load, func(ctx context.Context, request ptraceotlp.ExportRequest) error {
				return s.WriteObservations(ctx, project, converter.Traces(request.Traces(), convert.RequestOrigin{}))
			})
			if err := errors.Join(err, s.Close(ctx)); err != nil {
				return err
			}
			t := stored.times
			fmt.Printf("| %d B | %s | %.0f | %.0f | %.2f | %.0f | %s | %s | %s | %s |\n", text, way.name, decoded.rate(), stored.rate(),
				stored.rate()/decoded.rate(), stored.rate()*float64(text)/1e6, t.At(0.5), t.At(0.99), t.At(0.999), t.At(1))
		}
	}
	fmt.Println()
	return ctx.Err()
}

// overHTTP sends requests to a receiver in this process.
func overHTTP(ctx context.Context, duration time.Duration, requests *requests, take take) (outcome, error) {
	l, err := newLoopback(ctx, requests, take)
	if err != nil {
		return outcome{}, err
	}
	result, err := timed(ctx, duration, requests, l.send)
	return result, errors.Join(err, l.close())
}

// inProcess decodes requests without sending them.
func inProcess(ctx context.Context, duration time.Duration, requests *requests, take take) (outcome, error) {
	return timed(ctx, duration, requests, func(ctx context.Context, n int) error {
		request, err := requests.decode(n, requests.body(n))
		if err != nil {
			return err
		}
		return take(ctx, request)
	})
}

// outcome is what came of a timed run.
type outcome struct {
	spans   int
	elapsed time.Duration
	times   times.Times
}

func (o outcome) rate() float64 { return float64(o.spans) / o.elapsed.Seconds() }

// timed does something with numbered requests in several goroutines, for a while.
func timed(ctx context.Context, duration time.Duration, requests *requests, do func(context.Context, int) error) (outcome, error) {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		total outcome
		errs  []error
		begin = time.Now()
	)
	for range writers {
		wg.Go(func() {
			var mine times.Times
			var err error
			for time.Since(begin) < duration && err == nil && ctx.Err() == nil {
				start := time.Now()
				err = do(ctx, requests.next())
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
