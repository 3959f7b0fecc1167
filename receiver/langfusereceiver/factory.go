// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver // import "github.com/weirhq/weir/receiver/langfusereceiver"

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/receiver"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/metadata"
)

// NewFactory returns the factory of the receiver.
func NewFactory() receiver.Factory {
	f := &factory{receivers: map[*Config]*apiReceiver{}}
	return receiver.NewFactory(
		metadata.Type,
		createDefaultConfig,
		receiver.WithTraces(f.createTraces, metadata.TracesStability),
		receiver.WithLogs(f.createLogs, metadata.LogsStability),
	)
}

// factory remembers the receiver behind each configuration. The collector makes a receiver once for each signal; both are
// the same server.
type factory struct {
	mu        sync.Mutex
	receivers map[*Config]*apiReceiver
}

func (f *factory) receiver(cfg *Config, set receiver.Settings) *apiReceiver {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r, ok := f.receivers[cfg]; ok {
		return r
	}
	r := newAPIReceiver(cfg, set, func() { f.forget(cfg) })
	f.receivers[cfg] = r
	return r
}

func (f *factory) forget(cfg *Config) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.receivers, cfg)
}

func (f *factory) createTraces(_ context.Context, set receiver.Settings, cfg component.Config, next consumer.Traces) (receiver.Traces, error) {
	r := f.receiver(cfg.(*Config), set)
	r.traces = next
	return r, nil
}

func (f *factory) createLogs(_ context.Context, set receiver.Settings, cfg component.Config, next consumer.Logs) (receiver.Logs, error) {
	r := f.receiver(cfg.(*Config), set)
	r.logs = next
	return r, nil
}
