// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/extension"
	"go.opentelemetry.io/collector/extension/extensiontest"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/weirhq/weir/extension/langfusestoreextension/internal/metadata"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/store/storetest"
)

const project = "p-1"

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func observation(id string) model.Observation {
	return model.Observation{
		TraceID: "trace-1", ID: id, Start: noon, End: noon.Add(time.Second), Name: "chat",
		Type: model.TypeGeneration, Environment: model.DefaultEnvironment, Level: model.LevelDefault,
	}
}

func score(id string) model.Score {
	return model.Score{
		ID: id, Name: "quality", DataType: model.ScoreNumeric, Number: 0.5, TraceID: "trace-1",
		Source: model.ScoreFromAPI, Timestamp: noon, Environment: model.DefaultEnvironment,
	}
}

// testHost has extensions and records the status that a component reports.
type testHost struct {
	component.Host
	extensions map[component.ID]component.Component

	mu     sync.Mutex
	events []*componentstatus.Event
}

func (h *testHost) GetExtensions() map[component.ID]component.Component { return h.extensions }

func (h *testHost) Report(event *componentstatus.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, event)
}

// statuses are what was reported, in order.
func (h *testHost) statuses() []componentstatus.Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	var statuses []componentstatus.Status
	for _, event := range h.events {
		statuses = append(statuses, event.Status())
	}
	return statuses
}

// harness is everything around an extension under test.
type harness struct {
	t    testing.TB
	host *testHost
	logs *observer.ObservedLogs
	tel  *componenttest.Telemetry
	set  extension.Settings
}

func newHarness(t testing.TB) *harness {
	core, logs := observer.New(zapcore.DebugLevel)
	h := &harness{
		t:    t,
		host: &testHost{Host: componenttest.NewNopHost()},
		logs: logs,
		tel:  componenttest.NewTelemetry(),
		set:  extensiontest.NewNopSettings(metadata.Type),
	}
	h.set.ID = component.NewID(metadata.Type)
	h.set.TelemetrySettings = h.tel.NewTelemetrySettings()
	h.set.Logger = zap.New(core)
	t.Cleanup(func() { require.NoError(t, h.tel.Shutdown(context.WithoutCancel(t.Context()))) })
	return h
}

func (h *harness) create(cfg *Config) *storeExtension {
	h.t.Helper()
	created, err := NewFactory().Create(h.t.Context(), h.set, cfg)
	require.NoError(h.t, err)
	h.t.Cleanup(func() { assert.NoError(h.t, created.Shutdown(context.WithoutCancel(h.t.Context()))) })
	return created.(*storeExtension)
}

// fakeEngine is a store in memory that fails to order.
type fakeEngine struct {
	*storetest.Naive
	settings duckdb.Settings
	remote   clickhouse.Settings
	closed   int

	mu  sync.Mutex
	err error
}

func (f *fakeEngine) fail(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

func (f *fakeEngine) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *fakeEngine) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	if err := f.failure(); err != nil {
		return err
	}
	return f.Naive.WriteObservations(ctx, project, rows)
}

func (f *fakeEngine) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	if err := f.failure(); err != nil {
		return err
	}
	return f.Naive.WriteScores(ctx, project, scores)
}

func (*fakeEngine) Look(context.Context) error { return nil }

func (f *fakeEngine) Close(ctx context.Context) error {
	f.closed++
	return f.Naive.Close(ctx)
}

// startFake starts an extension on a fake engine.
func (h *harness) startFake(changes ...func(*Config)) (*storeExtension, *fakeEngine) {
	h.t.Helper()
	engine := &fakeEngine{Naive: storetest.NewNaive()}
	e := h.create(configWith(append([]func(*Config){at(h.t.TempDir())}, changes...)...))
	e.openEmbedded = func(_ context.Context, settings duckdb.Settings) (store.Store, error) {
		engine.settings = settings
		return engine, nil
	}
	require.NoError(h.t, e.Start(h.t.Context(), h.host))
	return e, engine
}
