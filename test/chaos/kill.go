// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/weirhq/weir/test/internal/traffic"
)

const (
	// longestLife is how long a process lives at most before it is killed.
	longestLife = 1500 * time.Millisecond
	// behindEvery is how often the service behind is killed too.
	behindEvery = 4
)

var killFault = fault{
	name:  "kill",
	about: "kill -9 at random moments of a Weir that stores and forwards, and now and then of the Weir that it forwards to",
	run:   kill,
}

func kill(ctx context.Context, f *field) error {
	if err := f.forward(ctx, filepath.Join(f.dir, "queue")); err != nil {
		return err
	}
	if err := f.start(ctx); err != nil {
		return err
	}
	killsBehind := 0
	err := f.underLoad(ctx, func(ctx context.Context) error {
		for n := range f.kills {
			if !traffic.Wait(ctx, time.Duration(f.random.Int64N(int64(longestLife)))) {
				return ctx.Err()
			}
			if n%behindEvery == behindEvery-1 {
				killsBehind++
				if err := f.behind.restart(ctx); err != nil {
					return err
				}
			}
			if err := f.restart(ctx); err != nil {
				return err
			}
		}
		return f.acknowledgeMore(ctx, 100)
	})
	if err != nil {
		return err
	}
	f.say("%d kills, %d of the service", f.kills, killsBehind)
	return f.count(ctx)
}
