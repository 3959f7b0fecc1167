// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/weirhq/weir/test/internal/weirproc"
)

const (
	readOnly = 0o500
	writable = 0o700
	// nobody is a user whom file modes hold back, as they do not root.
	nobody = 65534
)

var readOnlyFault = fault{
	name:  "read-only",
	about: "the folder of the store becomes read-only under load, is so at a start, and is writable again",
	run:   readOnlyFolder,
}

func readOnlyFolder(ctx context.Context, f *field) error {
	if err := os.Mkdir(f.data(), writable); err != nil {
		return err
	}
	if err := f.forward(ctx, filepath.Join(f.data(), "queue")); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		if err := f.dropPrivileges(); err != nil {
			return err
		}
	}
	if err := f.start(ctx); err != nil {
		return err
	}
	err := f.underLoad(ctx, func(ctx context.Context) error {
		for range f.rounds {
			if err := f.readOnlyRound(ctx); err != nil {
				return err
			}
		}
		return f.acknowledgeMore(ctx, 100)
	})
	if err != nil {
		return err
	}
	f.say("read-only %d times, %d requests refused", f.rounds, f.refusals())
	return f.count(ctx)
}

// logOfStore is how many spans are more than the store keeps in its log before it writes them into the file.
const logOfStore = 4000

// readOnlyRound takes the right to write from a process that runs, and from one that starts.
func (f *field) readOnlyRound(ctx context.Context) error {
	if err := os.Chmod(f.data(), readOnly); err != nil {
		return err
	}
	// What is open can still be written: nothing fails until the store wants a new file.
	refused := f.refusals()
	before, _ := f.source.Ledger.AcknowledgedCount()
	err := f.eventually(ctx, "the store wanted a new file", func() bool {
		now, _ := f.source.Ledger.AcknowledgedCount()
		return f.refusals() > refused || now > before+logOfStore
	})
	if err != nil {
		return err
	}
	if f.process.Exited() {
		return fmt.Errorf("the process ended: %s", tail(f.process))
	}
	if err := os.Chmod(f.data(), writable); err != nil {
		return err
	}
	if err := f.acknowledgeMore(ctx, 100); err != nil {
		return err
	}
	f.kill()
	if err := f.refusesToStart(ctx); err != nil {
		return err
	}
	return f.start(ctx)
}

// refusesToStart makes sure that a start in a folder that belongs to somebody else ends with a sentence about it.
func (f *field) refusesToStart(ctx context.Context) error {
	if os.Geteuid() != 0 {
		return nil // there is nobody else
	}
	// Who owns the folder may make it writable again, and Weir does so at its start. Who does not own it may not.
	if err := os.Chown(f.data(), 0, -1); err != nil {
		return err
	}
	if err := os.Chmod(f.data(), readOnly); err != nil {
		return err
	}
	defer func() {
		_ = os.Chmod(f.data(), writable)
		_ = os.Chown(f.data(), nobody, -1)
	}()
	started, err := weirproc.Start(ctx, f.set)
	if err == nil {
		started.Signal(syscall.SIGKILL)
		return errors.New("it started in a folder that it may not write to")
	}
	if !errors.Is(err, weirproc.ErrEnded) || !strings.Contains(err.Error(), f.data()) {
		return fmt.Errorf("it should have ended with a sentence about %s: %w", f.data(), err)
	}
	return nil
}

// dropPrivileges has the process run as somebody who is not root, from a place where they can read it.
func (f *field) dropPrivileges() error {
	binary := filepath.Join(f.dir, "weir")
	if err := copyFile(f.set.Binary, binary, 0o755); err != nil {
		return err
	}
	config := filepath.Join(f.dir, "local.yaml")
	if err := copyFile(f.set.Config, config, 0o644); err != nil {
		return err
	}
	f.set.Binary, f.set.Config, f.set.User = binary, config, nobody
	return os.Chown(f.data(), nobody, nobody)
}

func copyFile(from, to string, mode os.FileMode) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}
