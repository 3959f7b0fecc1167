// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirproc"
)

const (
	projects = 3
	writers  = 8
	// patience is how long something may take that is to happen in the end.
	patience = 2 * time.Minute
	poll     = 20 * time.Millisecond
)

// field is where a fault does its harm: a process, traffic to it, and a folder.
type field struct {
	options
	dir    string
	out    io.Writer
	random *rand.Rand
	source *traffic.Source
	// undo is what a fault did to the machine, the last first.
	undo []func() error

	mu      sync.Mutex
	refused int // requests that were told to come again

	set     weirproc.Settings
	process *weirproc.Process
	client  *traffic.Client
	behind  *behind // nil where nothing is forwarded
}

func newField(o options, dir string, out io.Writer) (*field, error) {
	f := &field{
		options: o, dir: dir, out: out, random: rand.New(rand.NewPCG(o.seed, 1)), source: traffic.NewSource(o.seed, projects),
	}
	addresses, err := weirproc.NewAddresses()
	if err != nil {
		return nil, err
	}
	f.set = weirproc.Settings{
		Binary: o.binary, Config: weirproc.Shipped(o.root, "local.yaml"), Args: []string{"--config=" + traffic.Projects(projects)},
		Env: map[string]string{"WEIR_DATA_DIR": f.data()}, Addresses: addresses,
	}
	f.client = traffic.NewClient(addresses.API, projects, writers)
	return f, nil
}

// data is the folder of the store.
func (f *field) data() string { return filepath.Join(f.dir, "data") }

func (f *field) say(format string, args ...any) { fmt.Fprintf(f.out, "  "+format+"\n", args...) }

// start runs the process, again at the same addresses.
func (f *field) start(ctx context.Context) (err error) {
	f.process, err = weirproc.Start(ctx, f.set)
	return err
}

// kill ends the process as nothing can be caught.
func (f *field) kill() { f.process.Signal(syscall.SIGKILL) }

// restart kills the process and starts it again.
func (f *field) restart(ctx context.Context) error {
	f.kill()
	return f.start(ctx)
}

func (f *field) close() error {
	f.client.Close()
	if f.process != nil {
		f.kill()
	}
	var errs []error
	for _, undo := range slices.Backward(f.undo) {
		errs = append(errs, undo())
	}
	return errors.Join(errs...)
}

// underLoad does something while traffic goes on, whose senders send again what is not acknowledged.
func (f *field) underLoad(ctx context.Context, do func(context.Context) error) error {
	loaded, stop := context.WithCancel(ctx)
	pump := traffic.Pump{Source: f.source, Client: f.client, Rate: f.rate, Writers: writers, Insist: true, Each: f.note}
	var work sync.WaitGroup
	work.Go(func() { pump.Run(loaded) })
	err := do(ctx)
	stop()
	work.Wait()
	return err
}

func (f *field) note(r traffic.Result) {
	if r.Err == nil && !r.IsAcknowledged() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.refused++
	}
}

// refusals is how many requests were told to come again.
func (f *field) refusals() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.refused
}

// acknowledgeMore waits until so many more spans were acknowledged, and a score.
func (f *field) acknowledgeMore(ctx context.Context, spans int) error {
	spansBefore, scoresBefore := f.source.Ledger.AcknowledgedCount()
	return f.eventually(ctx, fmt.Sprintf("%d more spans and a score are acknowledged", spans), func() bool {
		spansNow, scoresNow := f.source.Ledger.AcknowledgedCount()
		return spansNow >= spansBefore+spans && scoresNow > scoresBefore
	})
}

// eventually waits for a condition.
func (f *field) eventually(ctx context.Context, what string, condition func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for !condition() {
		if !traffic.Wait(ctx, poll) {
			return fmt.Errorf("waited in vain until %s\n%s", what, tail(f.process))
		}
	}
	return nil
}

// tail is the end of what a process printed.
func tail(p *weirproc.Process) string {
	const most = 2000
	text := p.Printed.String()
	return text[max(0, len(text)-most):]
}
