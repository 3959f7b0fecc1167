// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/weirhq/weir/test/internal/times"
	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirproc"
)

// outcome is what came of a load.
type outcome struct {
	load
	elapsed time.Duration

	mu     sync.Mutex
	took   map[string]times.Times // of requests that succeeded, by name
	failed map[string]int         // by name and status
	// spans and bytes were acknowledged.
	spans, bytes int
	// shed were told to come back later; rude of them were not told when. cut were still sending when they were told, and
	// heard only that the connection is closed.
	shed, rude, cut int

	usage                   weirproc.Usage
	usageErr                error
	storeBefore, storeAfter int64
}

func newOutcome(l load) *outcome {
	return &outcome{load: l, took: map[string]times.Times{}, failed: map[string]int{}}
}

func (o *outcome) add(r traffic.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case r.IsAcknowledged():
		o.took[r.Name] = append(o.took[r.Name], r.Took)
		o.spans += r.Spans
		if r.Name == "write" || r.Name == "score" {
			o.bytes += r.Size
		}
	case r.Err != nil:
		o.failed[r.Name+": "+kind(r.Err)]++
		if errors.Is(r.Err, syscall.EPIPE) || errors.Is(r.Err, syscall.ECONNRESET) {
			o.cut++
		}
	default:
		o.failed[fmt.Sprintf("%s: %d", r.Name, r.Answer.Status)]++
		if r.Answer.Status == http.StatusServiceUnavailable {
			o.shed++
			if r.Answer.Header.Get("Retry-After") == "" {
				o.rude++
			}
		}
	}
}

// kind is the end of an error, without addresses that differ each time.
func kind(err error) string {
	parts := strings.Split(err.Error(), ": ")
	return parts[len(parts)-1]
}

// failures are all but those that were told to come back later, or cut off by that.
func (o *outcome) failures() int {
	sum := -o.shed - o.cut
	for _, count := range o.failed {
		sum += count
	}
	return sum
}

// err is what must not be at any rate: a server may shed load, and do nothing else wrong.
func (o *outcome) err() error {
	if o.spans == 0 {
		return errors.New("no span was acknowledged")
	}
	if o.failures() > 0 {
		return fmt.Errorf("requests failed: %v", o.failed)
	}
	return nil
}

func (o *outcome) rate() float64 { return float64(o.spans) / o.elapsed.Seconds() }

func (o *outcome) asked() string {
	if o.load.rate == 0 {
		return "as many spans as possible"
	}
	return fmt.Sprintf("%.0f spans/s", o.load.rate)
}

const mb = 1e6

// line is the outcome in short.
func (o *outcome) line() string {
	w := o.took["write"]
	return fmt.Sprintf("| %s | %.0f | %.1f | %s | %s | %d | %d | %.0f | %.0f |", o.asked(), o.rate(), float64(o.bytes)/o.elapsed.Seconds()/mb,
		w.At(0.5), w.At(0.99), o.shed, o.failures(), 100*o.usage.CPU.Seconds()/o.elapsed.Seconds(), float64(o.usage.Peak)/mb)
}

const lineHead = "| asked | spans/s | MB/s | write p50 | p99 | shed | failed | CPU % | highest memory, MB |\n|---|---|---|---|---|---|---|---|---|"

func (o *outcome) print() {
	fmt.Printf("%s asked for %.0f s: %.0f spans/s, %.1f MB/s acknowledged\n\n", o.asked(), o.elapsed.Seconds(), o.rate(), float64(o.bytes)/o.elapsed.Seconds()/mb)
	fmt.Println("| request | number | p50 | p99 | p99.9 | longest |\n|---|---|---|---|---|---|")
	for _, name := range append([]string{"write", "score"}, traffic.ReadNames...) {
		t := o.took[name]
		fmt.Printf("| %s | %d | %s | %s | %s | %s |\n", name, len(t), t.At(0.5), t.At(0.99), t.At(0.999), t.At(1))
	}
	fmt.Printf("\nserver: %.2f of a core, memory %.0f MB, highest %.0f MB\n", o.usage.CPU.Seconds()/o.elapsed.Seconds(), float64(o.usage.Resident)/mb, float64(o.usage.Peak)/mb)
	if o.usageErr != nil {
		fmt.Println("server: no figures of its process:", o.usageErr)
	}
	grown := float64(o.storeAfter - o.storeBefore)
	fmt.Printf("store: %.1f MB, %.1f MB more; %.0f bytes a span\n", float64(o.storeAfter)/mb, grown/mb, grown/float64(max(o.spans, 1)))
	if len(o.failed) == 0 {
		fmt.Println("errors: none")
	}
	for _, name := range slices.SortedFunc(maps.Keys(o.failed), cmp.Compare[string]) {
		fmt.Printf("errors: %s, %d times\n", name, o.failed[name])
	}
}
