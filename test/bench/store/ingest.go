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
	project = "bench"
	// turn is how long decoding and storing take turns. What else a machine has to do changes from minute to minute, so both
	// must be measured at about the same time for their ratio to mean something.
	turn = 2 * time.Second
	// pause is for what the store does after the last spans of a turn. It counts for neither: what is left to do at the end of a
	// turn is up to one checkpoint.
	pause = 500 * time.Millisecond
)

type (
	// way has requests received for a turn.
	way func(context.Context, *requests, take) (outcome, error)
	// take is what becomes of a decoded request.
	take func(context.Context, ptraceotlp.ExportRequest) error
)

// ingest prints how many spans a second can be received, and received, converted and committed, for each size of spans.
func ingest(ctx context.Context, engine engine, o options) error {
	prices, err := pricing.Default()
	if err != nil {
		return err
	}
	converter := convert.New(convert.Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices})

	fmt.Printf("Writing, %d writers, batches of %d spans, %s each, in turns of %s. \"over HTTP\" is OTLP with gzip on loopback, sender and receiver in one process.\n\n",
		o.writers, spansPerBatch, time.Duration(turns(o.duration))*turn, turn)
	fmt.Println("| text a span | | decoded only, spans/s | stored, spans/s | ratio | stored, MB/s of text | request p50 | p99 | p99.9 | longest |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|")
	for _, text := range o.texts {
		for _, way := range []struct {
			name string
			run  way
		}{{"over HTTP", overHTTP}, {"in process", inProcess}} {
			s, err := engine.open(ctx, fmt.Sprint("write_", text, "_", strings.ReplaceAll(way.name, " ", "_")))
			if err != nil {
				return err
			}
			decoded, stored, err := inTurns(ctx, o.duration, way.run, newRequests(text, o.writers), func(ctx context.Context, request ptraceotlp.ExportRequest) error {
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

// turns is how many there are in a time, at least one.
func turns(duration time.Duration) int { return max(1, int(duration/turn)) }

// inTurns measures decoding requests alone, and doing something with them too.
func inTurns(ctx context.Context, duration time.Duration, run way, requests *requests, take take) (decoded, stored outcome, _ error) {
	for range turns(duration) {
		only, err := run(ctx, requests, func(context.Context, ptraceotlp.ExportRequest) error { return nil })
		if err != nil {
			return decoded, stored, err
		}
		both, err := run(ctx, requests, take)
		if err != nil {
			return decoded, stored, err
		}
		decoded.add(only)
		stored.add(both)
		time.Sleep(pause)
	}
	return decoded, stored, nil
}

// overHTTP sends requests to a receiver in this process.
func overHTTP(ctx context.Context, requests *requests, take take) (outcome, error) {
	l, err := newLoopback(ctx, requests, take)
	if err != nil {
		return outcome{}, err
	}
	result, err := timed(ctx, requests, l.send)
	return result, errors.Join(err, l.close())
}

// inProcess decodes requests without sending them.
func inProcess(ctx context.Context, requests *requests, take take) (outcome, error) {
	return timed(ctx, requests, func(ctx context.Context, n int) error {
		request, err := requests.decode(n, requests.body(n))
		if err != nil {
			return err
		}
		return take(ctx, request)
	})
}

// outcome is what came of one turn or several.
type outcome struct {
	spans   int
	elapsed time.Duration
	times   times.Times
}

func (o *outcome) add(other outcome) {
	o.spans += other.spans
	o.elapsed += other.elapsed
	o.times = append(o.times, other.times...)
}

func (o outcome) rate() float64 { return float64(o.spans) / o.elapsed.Seconds() }

// timed does something with numbered requests in several goroutines, for a turn.
func timed(ctx context.Context, requests *requests, do func(context.Context, int) error) (outcome, error) {
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		total outcome
		errs  []error
		begin = time.Now()
	)
	for range requests.writers {
		wg.Go(func() {
			var mine times.Times
			var err error
			for time.Since(begin) < turn && err == nil && ctx.Err() == nil {
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
