// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"context"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/weirhq/weir/exporter/langfusestoreexporter/internal/metadata"
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
	t, err := newTarget(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	e := &spanExporter{target: t}
	return exporterhelper.NewTraces(ctx, set, cfg, e.push, helperOptions(cfg.(*Config), e.start, t.shutdown)...)
}

func createLogs(ctx context.Context, set exporter.Settings, cfg component.Config) (exporter.Logs, error) {
	t, err := newTarget(cfg.(*Config), set)
	if err != nil {
		return nil, err
	}
	e := &scoreExporter{target: t}
	return exporterhelper.NewLogs(ctx, set, cfg, e.push, helperOptions(cfg.(*Config), t.start, t.shutdown)...)
}

func helperOptions(cfg *Config, start component.StartFunc, shutdown component.ShutdownFunc) []exporterhelper.Option {
	return []exporterhelper.Option{
		exporterhelper.WithStart(start),
		exporterhelper.WithShutdown(shutdown),
		exporterhelper.WithCapabilities(consumer.Capabilities{MutatesData: false}),
		exporterhelper.WithTimeout(exporterhelper.TimeoutConfig{Timeout: cfg.Timeout}),
		exporterhelper.WithRetry(cfg.RetryConfig),
		exporterhelper.WithQueue(cfg.QueueConfig),
	}
}
