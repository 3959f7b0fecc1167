// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	_ "embed"
	"fmt"
	"path/filepath"
	"runtime"
	"time"
)

//go:embed shims/slowdisk.c
var slowDiskSource string

var slowDiskFault = fault{
	name:  "slow disk",
	about: "every write of the store takes 2 ms and every sync 100 ms, now and then a second, and the process is killed meanwhile",
	run:   slowDisk,
}

// healthTime is how long a process on a slow disk may take to say that it is well.
const healthTime = 2 * time.Second

func slowDisk(ctx context.Context, f *field) error {
	if runtime.GOOS != "linux" {
		f.say("not tried: how to come before the C library is known here for Linux only")
		return nil
	}
	shim, err := f.shim("slowdisk", slowDiskSource)
	if err != nil {
		return err
	}
	if err := f.forward(ctx, filepath.Join(f.dir, "queue")); err != nil {
		return err
	}
	f.set.Env["LD_PRELOAD"] = shim
	if err := f.start(ctx); err != nil {
		return err
	}
	var longest time.Duration
	err = f.underLoad(ctx, func(ctx context.Context) error {
		for range f.rounds {
			if err := f.acknowledgeMore(ctx, 100); err != nil {
				return err
			}
			began := time.Now()
			if answer, err := f.client.Get(ctx, 0, "/api/public/health"); err != nil || answer.Status != 200 {
				return fmt.Errorf("not well: %d, %w", answer.Status, err)
			}
			longest = max(longest, time.Since(began))
			if err := f.commitsAreSlow(ctx); err != nil {
				return err
			}
			if err := f.restart(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.say("%d kills, %d requests refused, it said that it is well in %s at the latest", f.rounds, f.refusals(), longest.Round(time.Millisecond))
	if longest > healthTime {
		return fmt.Errorf("that is longer than %s", healthTime)
	}
	delete(f.set.Env, "LD_PRELOAD") // the count may be fast
	return f.count(ctx)
}

// slowCommit is what a commit takes at least where a sync takes 100 ms, in seconds.
const slowCommit = 0.1

// commitsAreSlow makes sure that the fault is there.
func (f *field) commitsAreSlow(ctx context.Context) error {
	sum, err := f.process.Metric(ctx, "otelcol_extension_langfuse_store_commit_duration_sum")
	if err != nil {
		return err
	}
	count, err := f.process.Metric(ctx, "otelcol_extension_langfuse_store_commit_duration_count")
	if err == nil && (count == 0 || sum < slowCommit*count) {
		err = fmt.Errorf("%.0f commits took %.3f s: the disk is not slow", count, sum)
	}
	return err
}
