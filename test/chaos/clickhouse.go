// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirproc"
)

var clickHouseFault = fault{
	name:  "clickhouse",
	about: "kill -9 at random moments of the ClickHouse that has the store, which is started again when requests are refused",
	run:   clickHouseStops,
}

// clickHouse is a server that keeps its data and its address when it is killed.
type clickHouse interface {
	Kill()
	Start() error
}

func clickHouseStops(ctx context.Context, f *field) error {
	dir := filepath.Join(f.dir, "clickhouse")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	server, address, err := launchClickHouse(f.root, dir)
	if (errors.Is(err, os.ErrNotExist) || errors.Is(err, errors.ErrUnsupported)) && os.Getenv("WEIR_REQUIRE_CLICKHOUSE") != "1" {
		f.say("not tried: %v", err)
		return nil
	}
	if err != nil {
		return err
	}
	f.undo = append(f.undo, func() error { server.Kill(); return nil })
	key := traffic.Keys(1)[0]
	f.set.Config = weirproc.Shipped(f.root, "cluster.yaml")
	f.set.Env = map[string]string{"WEIR_CLICKHOUSE_ENDPOINTS": address, "WEIR_PUBLIC_KEY": key.Public, "WEIR_SECRET_KEY": key.Secret}
	if err := f.start(ctx); err != nil {
		return err
	}
	times := f.rounds + 1 // once may be luck
	err = f.underLoad(ctx, func(ctx context.Context) error {
		for range times {
			if err := f.stopClickHouse(ctx, server); err != nil {
				return err
			}
		}
		return f.acknowledgeMore(ctx, 100)
	})
	if err != nil {
		return err
	}
	f.say("%d kills, %d requests refused", times, f.refusals())
	return f.count(ctx)
}

// stopClickHouse kills the server while it is written to, and starts it again once senders have been told so.
func (f *field) stopClickHouse(ctx context.Context, server clickHouse) error {
	if err := f.acknowledgeMore(ctx, 100); err != nil {
		return err
	}
	traffic.Wait(ctx, time.Duration(f.random.Int64N(int64(longestLife))))
	refused := f.refusals()
	server.Kill()
	if err := f.eventually(ctx, "requests are refused", func() bool { return f.refusals() >= refused+writers }); err != nil {
		return err
	}
	return server.Start()
}
