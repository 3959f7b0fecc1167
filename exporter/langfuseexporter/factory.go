// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"math"

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
	return exporter.NewFactory(
		metadata.Type,
		createDefaultConfig,
		exporter.WithTraces(createTraces, metadata.TracesStability),
		exporter.WithLogs(createLogs, metadata.LogsStability),
	)
}

func createTraces(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Traces, error) {
	e, err := newSpanExporter(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	return exporterhelper.NewTraces(ctx, quietly(set), cfg, e.push, helperOptions(cfg.(*Config), e.service)...)
}

func createLogs(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Logs, error) {
	e, err := newScoreExporter(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	return exporterhelper.NewLogs(ctx, quietly(set), cfg, e.push, helperOptions(cfg.(*Config), e.service)...)
}

func helperOptions(cfg *Config, s *service) []exporterhelper.Option {
	queue, _ := takeOverMaxSize(cfg.QueueConfig)
	return []exporterhelper.Option{
		exporterhelper.WithStart(s.start),
		exporterhelper.WithShutdown(s.shutdown),
		exporterhelper.WithCapabilities(consumer.Capabilities{MutatesData: false}),
		// The HTTP client has the timeout; a batch that is cut in pieces takes more than one request.
		exporterhelper.WithTimeout(exporterhelper.TimeoutConfig{Timeout: 0}),
		exporterhelper.WithRetry(cfg.RetryConfig),
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
		maxBytes = math.MaxInt
	}
	batch.MaxSize = 0
	return queue, maxBytes
}

// quietly keeps the retry loop of the helper from logging for every batch that the credentials are refused:
// standing logs that once, when it changes.
func quietly(set exporter.Settings) exporter.Settings {
	set.Logger = set.Logger.WithOptions(zap.WrapCore(func(core zapcore.Core) zapcore.Core {
		return &quietCore{Core: core}
	}))
	return set
}
