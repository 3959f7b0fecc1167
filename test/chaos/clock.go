// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"
)

var (
	//go:embed shims/clock.c
	clockSource string
	//go:embed shims/clock.map
	clockSymbols string
)

var clockFault = fault{
	name:  "clock",
	about: "the time of day jumps hours and decades, forth and back, under load, and the process is killed in between",
	run:   clock,
}

const day = 24 * time.Hour

// jumps are where the clock goes, one after the other.
var jumps = []time.Duration{time.Hour, -time.Hour, 10 * 365 * day, -20 * 365 * day, -time.Second, 400 * day, 0}

func clock(ctx context.Context, f *field) error {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		f.say("not tried: how Go asks for the time is known here for Linux on amd64 only")
		return nil
	}
	symbols := filepath.Join(f.dir, "clock.map")
	if err := os.WriteFile(symbols, []byte(clockSymbols), 0o600); err != nil {
		return err
	}
	// Code and tables in one segment, where the file has them: the copy is mapped as it is.
	shim, err := f.shim("clock", clockSource, "-Wl,--version-script="+symbols, "-Wl,-z,noseparate-code", "-fno-stack-protector")
	if err != nil {
		return err
	}
	ahead := filepath.Join(f.dir, "ahead")
	var jumped atomic.Int64
	// Who sends has the same clock: spans begin in the past and in the future.
	f.source.Now = func() time.Time { return time.Now().Add(time.Duration(jumped.Load())) }
	if err := os.WriteFile(ahead, make([]byte, 4096), 0o600); err != nil {
		return err
	}
	if err := f.forward(ctx, filepath.Join(f.dir, "queue")); err != nil {
		return err
	}
	f.set.Env["LD_PRELOAD"], f.set.Env["WEIR_CHAOS_CLOCK"] = shim, ahead
	if err := f.start(ctx); err != nil {
		return err
	}
	err = f.underLoad(ctx, func(ctx context.Context) error {
		for n, jump := range jumps {
			jumped.Store(int64(jump))
			if err := setClock(ahead, jump); err != nil {
				return err
			}
			if err := f.sees(ctx, jump); err != nil {
				return err
			}
			if err := f.acknowledgeMore(ctx, 100); err != nil {
				return err
			}
			if n%2 == 1 {
				if err := f.restart(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.say("%d jumps between %s and %s", len(jumps), jumps[3], jumps[2])
	return f.count(ctx)
}

// setClock writes the seconds in place: the file is mapped into the process.
func setClock(path string, ahead time.Duration) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(int64(ahead/time.Second))), 0)
	return err
}

// sees makes sure that the process has another time than we have: its answers carry it.
func (f *field) sees(ctx context.Context, ahead time.Duration) error {
	const slack = time.Minute
	var seen time.Duration
	err := f.eventually(ctx, fmt.Sprintf("the clock of the process is ahead by %s", ahead), func() bool {
		answer, err := f.client.Get(ctx, 0, "/api/public/health")
		if err != nil {
			return false
		}
		date, err := http.ParseTime(answer.Header.Get("Date"))
		seen = time.Until(date)
		return err == nil && (seen-ahead).Abs() < slack
	})
	if err != nil {
		return fmt.Errorf("it is ahead by %s: %w", seen, err)
	}
	return nil
}
