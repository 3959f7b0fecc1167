// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// stepUp is how much more each step asks for.
	stepUp = 1.5
	// follows is the share of what is asked that the server must acknowledge to be still following.
	follows = 0.9
	// crowd is how many requests at the same time make sure that the server is the one who gives way.
	crowd = 1000
	// longOver is how many steps the time beyond the knee lasts: long enough for whatever can fill up to be full.
	longOver = 3
	// memoryLimit is what configs/local.yaml allows: 1024 MiB for the collector, 512 MiB for the engine of the store, and on
	// top 256 MiB for the program, its stacks and its connections.
	memoryLimit = (1024 + 512 + 256) << 20
)

// findKnee asks for more and more until the server does not follow, then for twice of what it could, then for half.
func findKnee(ctx context.Context, s *server, o options) error {
	fmt.Println(lineHead)
	step := func(rate float64, writers, times int) *outcome {
		result := s.load(ctx, load{rate: rate, writers: writers, readers: o.readers, duration: time.Duration(times) * o.duration})
		fmt.Println(result.line())
		return result
	}
	knee := 0.0
	var problems []error
	for rate := o.rate; ctx.Err() == nil; rate *= stepUp {
		result := step(rate, o.writers, 1)
		knee = max(knee, result.rate())
		if err := result.err(); err != nil {
			problems = append(problems, err)
		}
		if result.rate() < follows*rate {
			break
		}
	}
	over := step(2*knee, crowd, longOver)
	began := time.Now()
	after := step(knee/2, o.writers, 1)
	for range longOver {
		if recovered(after) == nil {
			break
		}
		after = step(knee/2, o.writers, 1)
	}
	fmt.Printf("\nThe knee is at %.0f spans/s.\n", knee)
	fmt.Printf("At twice of it: %.0f spans/s, %d requests shed, memory at most %.0f MB of %.0f MB.\n", over.rate(), over.shed, float64(over.usage.Peak)/mb, memoryLimit/mb)
	fmt.Printf("At half of it, %.0f s later: %.0f spans/s, %d requests shed, write p99 %s.\n", time.Since(began).Seconds(), after.rate(), after.shed, after.took["write"].At(0.99))
	return errors.Join(append(problems, judge(over, after), ctx.Err())...)
}

// judge says what a server does wrong under too much load, and after it.
func judge(over, after *outcome) error {
	var problems []error
	complain := func(wrong bool, format string, args ...any) {
		if wrong {
			problems = append(problems, fmt.Errorf(format, args...))
		}
	}
	complain(over.shed == 0, "nothing was shed at twice the knee")
	complain(over.cut > over.shed/10, "%d requests were cut off, and only %d told to come back", over.cut, over.shed)
	complain(over.rude > 0, "%d answers with 503 had no Retry-After", over.rude)
	complain(over.failures() > 0, "at twice the knee requests failed: %v", over.failed)
	complain(over.usage.Peak > memoryLimit, "memory went up to %d bytes, more than %d", over.usage.Peak, memoryLimit)
	return errors.Join(append(problems, recovered(after))...)
}

// recovered says what a server still does wrong some time after too much load.
func recovered(after *outcome) error {
	if len(after.failed) > 0 {
		return fmt.Errorf("after the load requests failed: %v", after.failed)
	}
	if after.rate() < follows*after.load.rate {
		return fmt.Errorf("after the load the server acknowledged %.0f of %.0f spans/s", after.rate(), after.load.rate)
	}
	return nil
}
