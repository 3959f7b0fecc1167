// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"time"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirproc"
)

// lastArrival is how long what has left the queue may be under way.
const lastArrival = 20 * time.Second

// behind is a Weir to which that of the field hands on all that it stores. No harm is done to its disk and its clock.
type behind struct {
	set     weirproc.Settings
	process *weirproc.Process
	client  *traffic.Client
}

// forward starts a Weir behind that of the field, which is to hand everything on from a queue in a folder.
func (f *field) forward(ctx context.Context, queue string) error {
	b := &behind{set: f.set}
	b.set.Env = map[string]string{"WEIR_DATA_DIR": filepath.Join(f.dir, "behind")}
	var err error
	if b.set.Addresses, err = weirproc.NewAddresses(); err != nil {
		return err
	}
	if err := b.start(ctx); err != nil {
		return err
	}
	// All that is forwarded is in one project there: that of the key.
	b.client = traffic.NewClient(b.set.Addresses.API, 1, 1)
	f.undo = append(f.undo, b.close)
	f.behind = b
	f.set.Args = append(f.set.Args, "--config="+forwarding(b.set.Addresses.API, queue))
	return nil
}

func (b *behind) start(ctx context.Context) error {
	process, err := weirproc.Start(ctx, b.set)
	if err == nil {
		b.process = process
	}
	return err
}

func (b *behind) kill() { b.process.Signal(syscall.SIGKILL) }

// restart kills the process and starts it again.
func (b *behind) restart(ctx context.Context) error {
	b.kill()
	return b.start(ctx)
}

func (b *behind) close() error {
	b.client.Close()
	b.kill()
	return nil
}

// forwarding is the configuration of a Weir with a store that hands everything on, too.
func forwarding(address, queue string) string {
	key := traffic.Keys(1)[0]
	return fmt.Sprintf(`yaml:
extensions:
  file_storage: {directory: %s, create_directory: true, fsync: true}
exporters:
  langfuse:
    endpoint: http://%s
    public_key: %s
    secret_key: %s
    retry_on_failure: {initial_interval: 50ms, max_interval: 500ms}
    sending_queue: {storage: file_storage}
service:
  extensions: [langfuse_store, file_storage]
  pipelines:
    traces: {exporters: [langfuse_store, langfuse]}
    logs: {exporters: [langfuse_store, langfuse]}
`, queue, address, key.Public, key.Secret)
}

// delivered waits until the queue is empty and what a batch still holds, or a retry, has arrived too. What is lost never
// does; that is for who counts to say.
func (f *field) delivered(ctx context.Context, found func() (traffic.Census, error)) error {
	err := f.eventually(ctx, "the queue is empty", func() bool {
		size, err := f.process.Metric(ctx, "otelcol_exporter_queue_size")
		return err == nil && size == 0
	})
	for begin := time.Now(); err == nil && time.Since(begin) < lastArrival; {
		var census traffic.Census
		if census, err = found(); err != nil {
			break
		}
		spans, scores := f.source.Ledger.Tally(census)
		if spans.Lost == 0 && scores.Lost == 0 || !traffic.Wait(ctx, poll) {
			break
		}
	}
	return err
}
