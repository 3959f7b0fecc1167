// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

const (
	// diskMegabytes is the size of the small disk, of which the ballast leaves room.
	diskMegabytes = 256
	roomMegabytes = 12
	// enough is how many refusals show that the disk is full.
	enough = 20
)

var fullDiskFault = fault{
	name:  "full disk",
	about: "the disk of store and queue runs full under load, while nothing can be forwarded, and has space again",
	run:   fullDisk,
}

func fullDisk(ctx context.Context, f *field) error {
	disk := filepath.Join(f.dir, "disk")
	if err := os.Mkdir(disk, 0o755); err != nil {
		return err
	}
	if err := mount(disk, diskMegabytes); err != nil {
		f.say("only root can make a small disk (%v): a store that is full by its setting `max_size` instead", err)
		return fullStore(ctx, f)
	}
	f.undo = append(f.undo, func() error { return unmount(disk) })
	f.say("a disk of %d MB", diskMegabytes)
	if err := f.forward(ctx, filepath.Join(disk, "queue")); err != nil {
		return err
	}
	f.set.Env["WEIR_DATA_DIR"] = filepath.Join(disk, "data")
	if err := f.start(ctx); err != nil {
		return err
	}
	ballast := filepath.Join(disk, "ballast")
	err := f.underLoad(ctx, func(ctx context.Context) error {
		for range f.rounds {
			f.behind.kill() // the queue grows, too
			if err := fill(ballast); err != nil {
				return err
			}
			before := f.refusals()
			if err := f.eventually(ctx, "the disk is full", func() bool { return f.refusals() >= before+enough }); err != nil {
				return err
			}
			if f.process.Exited() {
				return fmt.Errorf("the process ended: %s", tail(f.process))
			}
			if err := os.Remove(ballast); err != nil {
				return err
			}
			if err := f.behind.start(ctx); err != nil {
				return err
			}
			if err := f.acknowledgeMore(ctx, 100); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.say("full %d times, %d requests refused", f.rounds, f.refusals())
	return f.count(ctx)
}

// fill writes a file that leaves little room.
func fill(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	size := int64(0)
	for megabyte := make([]byte, 1<<20); err == nil; { // until the disk is full
		var n int
		n, err = file.Write(megabyte)
		size += int64(n)
	}
	return file.Truncate(max(0, size-roomMegabytes<<20))
}

// fullStore is the same for who may not mount: the store refuses by its own limit until a start with a higher one.
func fullStore(ctx context.Context, f *field) error {
	if err := f.forward(ctx, filepath.Join(f.dir, "queue")); err != nil {
		return err
	}
	args := f.set.Args
	err := f.underLoad(ctx, func(ctx context.Context) error {
		for round := range f.rounds {
			f.set.Args = slices.Concat(args, []string{fmt.Sprintf("--set=extensions.langfuse_store.max_size=%dMiB", 24*(round+1))})
			if err := f.start(ctx); err != nil {
				return err
			}
			before := f.refusals()
			if err := f.eventually(ctx, "the store is full", func() bool { return f.refusals() >= before+enough }); err != nil {
				return err
			}
			f.process.Signal(syscall.SIGTERM)
		}
		f.set.Args = args
		if err := f.start(ctx); err != nil {
			return err
		}
		return f.acknowledgeMore(ctx, 100)
	})
	if err != nil {
		return err
	}
	return f.count(ctx)
}
