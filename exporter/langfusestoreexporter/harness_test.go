// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/exportertest"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/weirhq/weir/exporter/langfusestoreexporter/internal/metadata"
	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/storetest"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// fakeStore is a store in memory that fails to order: what fails gives the error for a write to a project.
type fakeStore struct {
	*storetest.Naive

	mu     sync.Mutex
	fails  func(ctx context.Context, project string) error
	writes []string // the projects that were written to, in order
}

func (f *fakeStore) write(ctx context.Context, project string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes = append(f.writes, project)
	if f.fails == nil {
		return nil
	}
	return f.fails(ctx, project)
}

func (f *fakeStore) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	if err := f.write(ctx, project); err != nil {
		return err
	}
	return f.Naive.WriteObservations(ctx, project, rows)
}

func (f *fakeStore) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	if err := f.write(ctx, project); err != nil {
		return err
	}
	return f.Naive.WriteScores(ctx, project, scores)
}

// fakeExtension owns a store.
type fakeExtension struct {
	component.Component
	store    store.Store
	prices   *pricing.Table
	catalog  *catalog.Catalog // made when it is asked for
	tokenize bool
}

func (f *fakeExtension) Store() store.Store { return f.store }

func (f *fakeExtension) Catalog() *catalog.Catalog {
	if f.catalog == nil && f.store != nil {
		f.catalog = catalog.New(f.store, catalog.Options{Prices: f.prices})
	}
	return f.catalog
}

func (*fakeExtension) Media() *blobs.Store { return nil }

func (f *fakeExtension) Tokenize() bool { return f.tokenize }

type testHost struct {
	component.Host
	extensions map[component.ID]component.Component
}

func (h *testHost) GetExtensions() map[component.ID]component.Component { return h.extensions }

// newTestHost has a store under the default id; the generated tests use it too.
func newTestHost() *testHost {
	extension := &fakeExtension{store: &fakeStore{Naive: storetest.NewNaive()}}
	return &testHost{
		Host:       componenttest.NewNopHost(),
		extensions: map[component.ID]component.Component{component.NewID(metadata.Type): extension},
	}
}

// harness is everything around an exporter under test.
type harness struct {
	t         testing.TB
	host      *testHost
	extension *fakeExtension
	store     *fakeStore
	logs      *observer.ObservedLogs
	tel       *componenttest.Telemetry
	set       exporter.Settings
}

func newHarness(t testing.TB) *harness {
	core, logs := observer.New(zapcore.DebugLevel)
	host := newTestHost()
	extension := host.extensions[component.NewID(metadata.Type)].(*fakeExtension)
	h := &harness{
		t:         t,
		host:      host,
		extension: extension,
		store:     extension.store.(*fakeStore),
		logs:      logs,
		tel:       componenttest.NewTelemetry(),
		set:       exportertest.NewNopSettings(metadata.Type),
	}
	h.set.ID = component.NewID(metadata.Type)
	h.set.TelemetrySettings = h.tel.NewTelemetrySettings()
	h.set.Logger = zap.New(core)
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

// stored are the observations of a project by their id.
func (h *harness) stored(project string) map[string]store.StoredObservation {
	h.t.Helper()
	page, err := h.store.ListObservations(h.t.Context(), query.Observations{Project: project, Limit: query.MaxLimit, Groups: query.GroupAll})
	require.NoError(h.t, err)
	rows := map[string]store.StoredObservation{}
	for _, row := range page.Rows {
		rows[row.Name] = row
	}
	return rows
}

func (h *harness) storedNames(project string) []string {
	h.t.Helper()
	names := []string{}
	for name := range h.stored(project) {
		names = append(names, name)
	}
	return names
}

// dropped gives the values of a metric by its reason.
func (h *harness) dropped(what string) map[string]int64 {
	h.t.Helper()
	values := map[string]int64{}
	got, err := h.tel.GetMetric("otelcol_exporter_langfuse_store_dropped_" + what)
	if err != nil {
		return values // nothing was recorded
	}
	for _, point := range got.Data.(metricdata.Sum[int64]).DataPoints {
		id, _ := point.Attributes.Value("exporter")
		require.Equal(h.t, "langfuse_store", id.AsString())
		reason, _ := point.Attributes.Value("reason")
		values[reason.AsString()] += point.Value
	}
	return values
}

// addSpans adds a resource with spans named after its project and numbered from first on. An empty project is no stamp.
func addSpans(td ptrace.Traces, project string, first, n int) ptrace.ResourceSpans {
	rs := td.ResourceSpans().AppendEmpty()
	rs.Resource().Attributes().PutStr("service.name", "app")
	if project != "" {
		rs.Resource().Attributes().PutStr("weir.project.id", project)
	}
	spans := rs.ScopeSpans().AppendEmpty().Spans()
	for i := first; i < first+n; i++ {
		span := spans.AppendEmpty()
		span.SetName(fmt.Sprint(project, i))
		span.SetTraceID(pcommon.TraceID(binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i/10+1))))
		span.SetSpanID(pcommon.SpanID(binary.BigEndian.AppendUint64(nil, uint64(i+1))))
		span.SetStartTimestamp(pcommon.NewTimestampFromTime(noon))
		span.SetEndTimestamp(pcommon.NewTimestampFromTime(noon.Add(time.Second)))
	}
	return rs
}

// spans are n spans without a stamp.
func spans(first, n int) ptrace.Traces {
	td := ptrace.NewTraces()
	addSpans(td, "", first, n)
	return td
}
