// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exporterhelper"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/weirhq/weir/exporter/langfuseexporter/internal/metadata"
)

// testConfig sends every call at once and waits for the outcome, so that a test knows when all is said and done.
func testConfig(endpoint string, changes ...func(*Config)) *Config {
	cfg := createDefaultConfig().(*Config)
	cfg.ClientConfig.Endpoint = endpoint
	cfg.PublicKey = "pk-test"
	cfg.SecretKey = "sk-test"
	cfg.QueueConfig = configoptional.None[exporterhelper.QueueBatchConfig]()
	cfg.RetryConfig.InitialInterval = time.Millisecond
	cfg.RetryConfig.MaxInterval = 5 * time.Millisecond
	cfg.RetryConfig.MaxElapsedTime = 0
	for _, change := range changes {
		change(cfg)
	}
	return cfg
}

// statusHost records the status that a component reports.
type statusHost struct {
	component.Host
	mu     sync.Mutex
	events []*componentstatus.Event
}

func (h *statusHost) Report(event *componentstatus.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, event)
}

// harness is everything around an exporter under test.
type harness struct {
	t    *testing.T
	host *statusHost
	logs *observer.ObservedLogs
	tel  *componenttest.Telemetry
	set  exporter.Settings
}

func newHarness(t *testing.T) *harness {
	core, logs := observer.New(zapcore.DebugLevel)
	h := &harness{
		t:    t,
		host: &statusHost{Host: componenttest.NewNopHost()},
		logs: logs,
		tel:  componenttest.NewTelemetry(),
		set:  exportertest.NewNopSettings(metadata.Type),
	}
	h.set.TelemetrySettings = h.tel.NewTelemetrySettings()
	h.set.Logger = zap.New(core)
	h.set.BuildInfo = component.BuildInfo{Command: "weir", Version: "1.2.3"}
	t.Cleanup(func() { require.NoError(t, h.tel.Shutdown(context.WithoutCancel(t.Context()))) })
	return h
}

func (h *harness) traces(cfg *Config) exporter.Traces {
	h.t.Helper()
	e, err := NewFactory().CreateTraces(h.t.Context(), h.set, cfg)
	require.NoError(h.t, err)
	h.startAndStop(e)
	return e
}

func (h *harness) scores(cfg *Config) exporter.Logs {
	h.t.Helper()
	e, err := NewFactory().CreateLogs(h.t.Context(), h.set, cfg)
	require.NoError(h.t, err)
	h.startAndStop(e)
	return e
}

func (h *harness) startAndStop(e component.Component) {
	h.t.Helper()
	require.NoError(h.t, e.Start(h.t.Context(), h.host))
	h.t.Cleanup(func() { assert.NoError(h.t, e.Shutdown(context.WithoutCancel(h.t.Context()))) })
}

// metric gives the values of a metric by its reason; a metric without reasons has the reason "".
func (h *harness) metric(name string) map[string]int64 {
	h.t.Helper()
	values := map[string]int64{}
	got, err := h.tel.GetMetric("otelcol_exporter_langfuse_" + name)
	if err != nil {
		return values // nothing was recorded
	}
	var points []metricdata.DataPoint[int64]
	switch data := got.Data.(type) {
	case metricdata.Sum[int64]:
		points = data.DataPoints
	case metricdata.Gauge[int64]:
		points = data.DataPoints
	}
	for _, point := range points {
		reason, _ := point.Attributes.Value("reason")
		values[reason.AsString()] += point.Value
	}
	return values
}

func (h *harness) logged(message string) int {
	return h.logs.FilterMessageSnippet(message).Len()
}

// spans makes a batch of spans named s<first> and up, spread over two resources with two scopes each.
func spans(first, n int) ptrace.Traces {
	td := ptrace.NewTraces()
	var scopes []ptrace.ScopeSpans
	for i := range 4 {
		if i%2 == 0 {
			td.ResourceSpans().AppendEmpty().Resource().Attributes().PutInt("resource", int64(i))
		}
		ss := td.ResourceSpans().At(i / 2).ScopeSpans().AppendEmpty()
		ss.Scope().SetName(fmt.Sprint("scope", i))
		scopes = append(scopes, ss)
	}
	for i := range n {
		span := scopes[i*len(scopes)/n].Spans().AppendEmpty()
		span.SetName(fmt.Sprint("s", first+i))
		span.SetTraceID(pcommon.TraceID{1, byte(i >> 8), byte(i)})
		span.SetSpanID(pcommon.SpanID{2, byte(i >> 8), byte(i)})
	}
	return td
}

// once is what arrives when the spans from first on arrive exactly once each, without those that are left out.
func once(first, n int, without ...string) map[string]int {
	want := map[string]int{}
	for i := range n {
		want[fmt.Sprint("s", first+i)] = 1
	}
	for _, name := range without {
		delete(want, name)
	}
	return want
}
