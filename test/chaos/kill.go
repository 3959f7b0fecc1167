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

const (
	// longestLife is how long a process lives at most before it is killed.
	longestLife = 1500 * time.Millisecond
	// lastArrival is how long what has left the queue may be under way.
	lastArrival = 20 * time.Second
	// farEvery is how often the service behind is killed too.
	farEvery = 4
)

var killFault = fault{
	name:  "kill",
	about: "kill -9 at random moments of a Weir that stores and forwards, and now and then of the Weir that it forwards to",
	run:   kill,
}

func kill(ctx context.Context, f *field) error {
	far := f.set
	far.Env = map[string]string{"WEIR_DATA_DIR": filepath.Join(f.dir, "far")}
	var err error
	if far.Addresses, err = weirproc.NewAddresses(); err != nil {
		return err
	}
	f.set.Args = append(f.set.Args, "--config="+forwarding(far.Addresses.API, filepath.Join(f.dir, "queue")))
	service, err := weirproc.Start(ctx, far)
	if err != nil {
		return err
	}
	defer func() { service.Signal(syscall.SIGKILL) }()
	if err := f.start(ctx); err != nil {
		return err
	}
	farKills := 0
	err = f.underLoad(ctx, func(ctx context.Context) error {
		for n := range f.kills {
			if !traffic.Wait(ctx, time.Duration(f.random.Int64N(int64(longestLife)))) {
				return ctx.Err()
			}
			if n%farEvery == farEvery-1 {
				farKills++
				service.Signal(syscall.SIGKILL)
				if service, err = weirproc.Start(ctx, far); err != nil {
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
	f.say("%d kills, %d of the service", f.kills, farKills)
	// All that was forwarded is in one project of the service: that of the key.
	client := traffic.NewClient(far.Addresses.API, 1, 1)
	if err := f.delivered(ctx, func() (traffic.Census, error) { return client.Census(ctx) }); err != nil {
		return err
	}
	if err := f.countAt(ctx, client, "at the service"); err != nil {
		return err
	}
	return f.count(ctx)
}

// forwarding has a Weir with a store hand everything on, too, from a queue on disk.
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
