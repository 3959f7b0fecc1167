// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"math"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/weirhq/weir/exporter/langfuseexporter/internal/metadata"
)

// NewFactory returns the factory of the exporter.
func NewFactory() exporter.Factory {
	f := &factory{services: map[*Config]*service{}}
	return exporter.NewFactory(
		metadata.Type,
		createDefaultConfig,
		exporter.WithTraces(f.createTraces, metadata.TracesStability),
		exporter.WithLogs(f.createLogs, metadata.LogsStability),
	)
}

// factory remembers the service behind each configuration. The collector makes an exporter once for each signal; both
// then share the connection, and speak once of what is wrong with it.
type factory struct {
	mu       sync.Mutex
	services map[*Config]*service
}

func (f *factory) service(cfg *Config, set exporter.Settings) (*service, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.services[cfg]; ok {
		return s, nil
	}
	s, err := newService(cfg, set)
	if err == nil {
		f.services[cfg] = s
	}
	return s, err
}

func (f *factory) createTraces(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Traces, error) {
	s, err := f.service(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	e := newSpanExporter(s)
	helper, err := exporterhelper.NewTraces(ctx, quietly(set, s.cfg), cfg, e.push, helperOptions(s)...)
	return &stoppableTraces{helper, e.courier}, err
}

func (f *factory) createLogs(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Logs, error) {
	s, err := f.service(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	e := newScoreExporter(s)
	helper, err := exporterhelper.NewLogs(ctx, quietly(set, s.cfg), cfg, e.push, helperOptions(s)...)
	return &stoppableLogs{helper, e.courier}, err
}

// stoppableTraces tells the courier of a shutdown before the helper waits for it.
type stoppableTraces struct {
	exporter.Traces
	courier *courier
}

func (e *stoppableTraces) Shutdown(ctx context.Context) error {
	e.courier.stop()
	return e.Traces.Shutdown(ctx)
}

// stoppableLogs does the same for the other signal.
type stoppableLogs struct {
	exporter.Logs
	courier *courier
}

func (e *stoppableLogs) Shutdown(ctx context.Context) error {
	e.courier.stop()
	return e.Logs.Shutdown(ctx)
}

func helperOptions(s *service) []exporterhelper.Option {
	queue, _ := takeOverMaxSize(s.cfg.QueueConfig)
	return []exporterhelper.Option{
		exporterhelper.WithStart(s.start),
		exporterhelper.WithShutdown(s.shutdown),
		// Stamps are taken off; where another exporter has the same data, the collector makes a copy.
		exporterhelper.WithCapabilities(consumer.Capabilities{MutatesData: true}),
		// The HTTP client has the timeout; a batch that is cut in pieces takes more than one request.
		exporterhelper.WithTimeout(exporterhelper.TimeoutConfig{Timeout: 0}),
		exporterhelper.WithRetry(s.cfg.RetryConfig),
		exporterhelper.WithQueue(queue),
	}
}

// takeOverMaxSize takes the limit of a batch in bytes out of the hands of the helper. The helper measures it
// before encoding, and drops a whole request when one span in it is larger; the courier does neither.
func takeOverMaxSize(queue configoptional.Optional[exporterhelper.QueueBatchConfig]) (
	_ configoptional.Optional[exporterhelper.QueueBatchConfig], maxBytes int,
) {
	if !queue.HasValue() || !queue.Get().Batch.HasValue() {
		return queue, maxRequestBytes
	}
	batch := queue.Get().Batch.Get()
	if batch.Sizer != exporterhelper.RequestSizerTypeBytes {
		return queue, maxRequestBytes
	}
	maxBytes = int(batch.MaxSize)
	if maxBytes == 0 {
		maxBytes = math.MaxInt32
	}
	batch.MaxSize = 0
	return queue, maxBytes
}

// quietly keeps the helper from logging what is not so, or is told already: see quietCore.
func quietly(set exporter.Settings, cfg *Config) exporter.Settings {
	set.Logger = set.Logger.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core {
		return &quietCore{Core: core, persistent: cfg.isPersistent()}
	}))
	return set
}
