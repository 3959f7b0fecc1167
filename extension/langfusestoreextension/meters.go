// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/weirhq/weir/extension/langfusestoreextension/internal/metadata"
	"github.com/weirhq/weir/internal/store"
)

// meters are the metrics of one store.
type meters struct {
	*metadata.TelemetryBuilder
	id attribute.KeyValue
}

func newMeters(set extension.Settings) (*meters, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	return &meters{TelemetryBuilder: telemetry, id: attribute.String("extension", set.ID.String())}, err
}

func (m *meters) with(attributes ...attribute.KeyValue) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(append(attributes, m.id)...))
}

// commit measures the time from here to the call of what it returns.
func (m *meters) commit(ctx context.Context, operation string) (done func(error)) {
	return m.time(ctx, m.ExtensionLangfuseStoreCommitDuration, operation)
}

func (m *meters) query(ctx context.Context, operation string) (done func(error)) {
	return m.time(ctx, m.ExtensionLangfuseStoreQueryDuration, operation)
}

func (m *meters) time(ctx context.Context, histogram metric.Float64Histogram, operation string) (done func(error)) {
	begin := time.Now()
	return func(err error) {
		outcome := "ok"
		if err != nil {
			outcome = "error"
		}
		histogram.Record(ctx, time.Since(begin).Seconds(),
			m.with(attribute.String("operation", operation), attribute.String("outcome", outcome)))
	}
}

func (m *meters) checkpoint(took time.Duration) {
	m.ExtensionLangfuseStoreCheckpointDuration.Record(context.Background(), took.Seconds(), m.with())
}

const (
	// statsAge is how long an answer of the embedded engine is good for: as long as one reading of all metrics takes.
	statsAge = time.Second
	// sharedStatsAge is the same for ClickHouse, which looks through all rows, for every collector that asks.
	sharedStatsAge = time.Minute
)

// lastStats asks the engine once for all metrics that are read together.
type lastStats struct {
	engine store.Store
	age    time.Duration

	mu    sync.Mutex
	at    time.Time
	stats store.Stats
	err   error
}

func (l *lastStats) get(ctx context.Context) (store.Stats, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at.IsZero() || time.Since(l.at) > l.age {
		l.stats, l.err = l.engine.Stats(ctx)
		l.at = time.Now()
	}
	return l.stats, l.err
}

// unlessAway keeps an error out of the log that is reported as the status of the component.
func unlessAway(err error) error {
	if errors.Is(err, store.ErrUnavailable) {
		return nil
	}
	return err
}

// watch asks the engine how much it holds whenever the metrics are read, but not more often than an answer is good for. When it
// cannot tell, there is no value.
func (m *meters) watch(engine store.Store, age time.Duration) error {
	last := &lastStats{engine: engine, age: age}
	return errors.Join(
		m.RegisterExtensionLangfuseStoreRowsCallback(func(ctx context.Context, observer metric.Int64Observer) error {
			stats, err := last.get(ctx)
			if err == nil {
				observer.Observe(stats.Observations, m.with(attribute.String("table", "observations")))
				observer.Observe(stats.Scores, m.with(attribute.String("table", "scores")))
			}
			return unlessAway(err)
		}),
		m.RegisterExtensionLangfuseStoreDiskUsageCallback(func(ctx context.Context, observer metric.Int64Observer) error {
			stats, err := last.get(ctx)
			if err == nil {
				observer.Observe(stats.Bytes, m.with())
			}
			return unlessAway(err)
		}),
	)
}
