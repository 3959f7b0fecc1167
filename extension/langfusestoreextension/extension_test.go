// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/internal/store/storetest"
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
	dir := t.TempDir()
	_, engine := h.startFake(at(dir), func(c *Config) {
		section := c.Embedded.Get()
		section.MemoryLimit, section.Threads = 100*mib, 3
		c.Query.Timeout, c.MaxSize, c.Retention = time.Second, 20*mib, 48*time.Hour
	})
	got := engine.settings
	require.NotNil(t, got.OnCheckpoint)
	got.OnCheckpoint = nil
	assert.Equal(t, duckdb.Settings{
		Dir: dir, MemoryLimit: 100 << 20, Threads: 3, QueryTimeout: time.Second, MaxSize: 20 << 20, Retention: 48 * time.Hour,
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
	prices, err := provider.Catalog().Prices(t.Context(), project)
	require.NoError(t, err)
	assert.NotNil(t, prices.Match("house-model"))
	assert.EqualValues(t, 1<<30, provider.Media().MaxSize())
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
	e.openEmbedded = func(context.Context, duckdb.Settings) (store.Store, error) { return nil, refused }
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

func TestMediaAreBesideTheStore(t *testing.T) {
	h := newHarness(t)
	dir := t.TempDir()
	e, _ := h.startFake(at(dir), func(c *Config) { c.Media = MediaConfig{MaxSize: 10, URLExpiry: time.Minute} })
	assert.FileExists(t, filepath.Join(dir, "media", "signing.key"))
	assert.EqualValues(t, 10, e.Media().MaxSize())
	expires, _ := e.Media().Sign(blobs.Grant{})
	assert.WithinDuration(t, time.Now().Add(time.Minute), expires, 5*time.Second)
	_, err := e.Catalog().CreateMedia(t.Context(), project, catalog.MediaCreate{
		ContentType: "a/b", ContentLength: 11, SHA256: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", Link: model.MediaLink{TraceID: "t", Field: "input"},
	})
	require.ErrorContains(t, err, "contentLength must be 1 to 10 bytes")
}

func TestMediaCountForMaxSize(t *testing.T) {
	e, _ := newHarness(t).startFake(func(c *Config) { c.MaxSize = 4 })
	sum := sha256.Sum256([]byte("hello"))
	err := e.Media().Put(project, "aBcdefghijklmnopqrst_-", 5, sum[:], strings.NewReader("hello"))
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, "`max_size`")
}

func TestMediaGoWithTheRetention(t *testing.T) {
	for _, retention := range []time.Duration{0, time.Hour} {
		h, engine := newHarness(t), &fakeEngine{Naive: storetest.NewNaive()}
		sum := sha256.Sum256([]byte("hello"))
		media, err := catalog.New(engine, catalog.Options{}).CreateMedia(t.Context(), project, catalog.MediaCreate{
			ContentType: "a/b", ContentLength: 5, SHA256: base64.StdEncoding.EncodeToString(sum[:]), Link: model.MediaLink{TraceID: "t", Field: "input"},
		})
		require.NoError(t, err)
		e := h.create(configWith(at(t.TempDir()), func(c *Config) { c.Retention = retention }))
		e.openEmbedded = func(context.Context, duckdb.Settings) (store.Store, error) { return engine, nil }
		e.now = func() time.Time { return time.Now().Add(26 * time.Hour) }
		require.NoError(t, e.Start(t.Context(), h.host))
		isGone := func() bool {
			_, err := e.Catalog().Media(t.Context(), project, media.ID)
			return errors.Is(err, store.ErrNotFound)
		}
		if retention > 0 {
			assert.Eventually(t, isGone, 10*time.Second, time.Millisecond)
		} else {
			assert.False(t, isGone())
		}
		require.NoError(t, e.Shutdown(t.Context()))
	}
}

func TestMediaThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "media"), nil, 0o600), "a file where the folder should be")
	h := newHarness(t)
	e := h.create(configWith(at(dir)))
	engine := &fakeEngine{Naive: storetest.NewNaive()}
	e.openEmbedded = func(context.Context, duckdb.Settings) (store.Store, error) { return engine, nil }
	require.ErrorContains(t, e.Start(t.Context(), h.host), "folder of the media")
	assert.Nil(t, e.Store())
	assert.Positive(t, engine.closed)
}
