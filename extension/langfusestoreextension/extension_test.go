// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/storeprovider"
)

func TestTheFactoryTouchesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	e := newHarness(t).create(configWith(at(dir)))
	assert.NoDirExists(t, dir)
	assert.Nil(t, e.Store())
	require.NoError(t, e.Shutdown(t.Context()), "unstarted")
	require.NoError(t, e.Shutdown(t.Context()), "and twice")
	_, err := os.Stat(dir)
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestSettingsOfTheEngine(t *testing.T) {
	h := newHarness(t)
	_, engine := h.startFake(at("somewhere"), func(c *Config) {
		section := c.Embedded.Get()
		section.MemoryLimit, section.Threads = 100*mib, 3
		c.Query.Timeout, c.MaxSize, c.Retention = time.Second, 20*mib, 48*time.Hour
	})
	got := engine.settings
	require.NotNil(t, got.OnCheckpoint)
	got.OnCheckpoint = nil
	assert.Equal(t, duckdb.Settings{
		Dir: "somewhere", MemoryLimit: 100 << 20, Threads: 3, QueryTimeout: time.Second, MaxSize: 20 << 20, Retention: 48 * time.Hour,
		Logger: h.set.Logger,
	}, got)
}

func TestProvider(t *testing.T) {
	h := newHarness(t)
	e, _ := h.startFake(func(c *Config) {
		c.Tokenize = true
		c.Models = []ModelConfig{{Name: "house-model", Prices: map[string]any{"input": 1}}}
	})
	h.host.extensions = map[component.ID]component.Component{h.set.ID: e}
	provider, err := storeprovider.Find(h.host, h.set.ID)
	require.NoError(t, err)
	assert.True(t, provider.Tokenize())
	assert.NotNil(t, provider.Prices().Match("house-model"))
	require.NoError(t, provider.Store().WriteScores(t.Context(), project, nil))
}

func TestShutdown(t *testing.T) {
	e, engine := newHarness(t).startFake()
	require.NoError(t, e.Shutdown(t.Context()))
	require.NoError(t, e.Shutdown(t.Context()), "twice")
	assert.Positive(t, engine.closed)
	assert.ErrorIs(t, e.Store().WriteScores(t.Context(), project, nil), store.ErrUnavailable, "who comes late is told")
}

func TestAStoreThatDoesNotOpen(t *testing.T) {
	h := newHarness(t)
	e := h.create(configWith())
	refused := errors.New("another process has the store open")
	e.open = func(context.Context, duckdb.Settings) (store.Store, error) { return nil, refused }
	assert.Equal(t, refused, e.Start(t.Context(), h.host), "the sentence of the engine and nothing else")
	assert.Nil(t, e.Store())
	require.NoError(t, e.Shutdown(t.Context()))
}

func TestTwoStoresOnOnePath(t *testing.T) {
	dir := t.TempDir()
	h := newHarness(t)
	one, other := h.create(configWith(at(dir))), h.create(configWith(at(filepath.Join(dir, "x", ".."))))
	elsewhere := h.create(configWith(at(filepath.Join(dir, "elsewhere"))))
	h.host.extensions = map[component.ID]component.Component{
		h.set.ID: one,
		component.MustNewIDWithName("langfuse_store", "elsewhere"): elsewhere,
		component.MustNewID("file_storage"):                        nil,
	}
	require.NoError(t, one.checkNeighbours(h.host))
	require.NoError(t, elsewhere.checkNeighbours(h.host))

	h.host.extensions[component.MustNewIDWithName("langfuse_store", "other")] = other
	assert.EqualError(t, one.Start(t.Context(), h.host),
		"the extension langfuse_store/other has the same `embedded::path`, "+dir+": give each store a path of its own")
	assert.Nil(t, one.Store())
}
