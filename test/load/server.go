// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirproc"
)

// mostConnections is how many stay open between requests.
const mostConnections = 2048

// server is the binary under load.
type server struct {
	*weirproc.Process
	dir    string
	source *traffic.Source
	client *traffic.Client
}

func startServer(ctx context.Context, o options) (*server, error) {
	process, err := weirproc.Start(ctx, weirproc.Settings{
		Binary: o.binary, Config: weirproc.Shipped(o.root, "local.yaml"), Args: []string{"--config=" + traffic.Projects(o.projects)},
		Env: map[string]string{"WEIR_DATA_DIR": o.dir},
	})
	if err != nil {
		return nil, err
	}
	return &server{
		Process: process, dir: o.dir, source: traffic.NewSource(o.seed, o.projects),
		client: traffic.NewClient(process.API, o.projects, mostConnections),
	}, nil
}

func (s *server) stop() {
	s.client.Close()
	s.Signal(syscall.SIGTERM)
}

// load is what is asked of the server for a while.
type load struct {
	rate             float64
	writers, readers int
	duration         time.Duration
}

// load asks, and tells what came of it.
func (s *server) load(ctx context.Context, l load) *outcome {
	o := newOutcome(l)
	_ = s.ResetPeak() // where that is not allowed, the peak is that of the whole life
	before, _ := s.Usage()
	o.storeBefore = s.storeSize()

	ctx, cancel := context.WithTimeout(ctx, l.duration)
	defer cancel()
	var work sync.WaitGroup
	pump := traffic.Pump{Source: s.source, Client: s.client, Rate: l.rate, Writers: l.writers, Each: o.add}
	began := time.Now()
	work.Go(func() { pump.Run(ctx) })
	for n := range l.readers {
		work.Go(func() {
			reader := traffic.NewReader(s.client, n%len(s.client.Keys))
			for ctx.Err() == nil {
				if result := reader.Next(ctx); ctx.Err() == nil || !errors.Is(result.Err, ctx.Err()) {
					o.add(result)
				}
			}
		})
	}
	work.Wait()
	o.elapsed = time.Since(began)
	o.usage, o.usageErr = s.Usage()
	o.usage.CPU -= before.CPU
	o.storeAfter = s.storeSize()
	return o
}

// storeSize is what the store has on disk.
func (s *server) storeSize() (bytes int64) {
	_ = filepath.WalkDir(s.dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // a file that went away while we looked
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// count prints what was acknowledged and what is there.
func (s *server) count(ctx context.Context) error {
	found, err := s.client.Census(ctx)
	if err != nil {
		return err
	}
	spans, scores := s.source.Ledger.Tally(found)
	fmt.Printf("\nspans:  %s\nscores: %s\n", spans, scores)
	return errors.Join(spans.Err(), scores.Err())
}
