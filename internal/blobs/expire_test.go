// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

func TestExpiry(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	link := func(link model.MediaLink) {
		t.Helper()
		_, err := entries.CreateMedia(t.Context(), "p", catalog.MediaCreate{ContentType: "text/plain", ContentLength: 5, SHA256: media.SHA256, Link: link})
		require.NoError(t, err)
	}
	now := time.Now()
	expiry := &Expiry{Store: engine, Catalog: entries, Blobs: blobs, Retention: time.Hour, Now: func() time.Time { return now }}
	round := func(want int) {
		t.Helper()
		unlinked, err := expiry.Round(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, unlinked)
	}
	observation := model.Observation{TraceID: "t", ID: "o", Start: now, End: now}
	require.NoError(t, engine.WriteObservations(t.Context(), "p", []model.Observation{observation}))
	round(0)
	now = now.Add(time.Hour + grace + time.Minute)
	round(0)
	assert.True(t, blobs.Has("p", media.ID), "the trace is still there")

	link(model.MediaLink{DatasetID: "d", DatasetItemID: "i", Field: "input"})
	link(model.MediaLink{TraceID: "t2", Field: "input"})
	require.NoError(t, engine.DeleteTraces(t.Context(), "p", []string{"t"}), "as the retention does")
	now = time.Now().Add(time.Hour + grace - time.Minute)
	round(0)
	now = now.Add(2 * time.Minute)
	round(2)
	assert.True(t, blobs.Has("p", media.ID), "a dataset item refers to it")
	links, err := entries.MediaOfTraces(t.Context(), "p", []string{"t", "t2"})
	require.NoError(t, err)
	assert.Empty(t, links)
	round(0)
}

func TestExpiryDeletesContents(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	now := time.Now().Add(time.Hour + grace + time.Minute)
	expiry := &Expiry{Store: engine, Catalog: entries, Blobs: blobs, Retention: time.Hour, Now: func() time.Time { return now }}
	engine.onWrite = func([]store.DocumentChange) error { return store.ErrUnavailable }
	_, err := expiry.Round(t.Context())
	require.ErrorIs(t, err, store.ErrUnavailable)
	engine.onWrite = nil
	unlinked, err := expiry.Round(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, unlinked)
	assert.False(t, blobs.Has("p", media.ID))
	_, err = entries.Media(t.Context(), "p", media.ID)
	require.ErrorIs(t, err, store.ErrNotFound)
}

func TestExpiryGoesOnWhereItWas(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	var rows []model.Observation
	for i := range query.MaxLimit {
		id := fmt.Sprint("living ", i)
		rows = append(rows, model.Observation{TraceID: id, ID: "o"})
		_, err := entries.CreateMedia(t.Context(), "p", catalog.MediaCreate{
			ContentType: "text/plain", ContentLength: 5, SHA256: media.SHA256, Link: model.MediaLink{TraceID: id, Field: "input"},
		})
		require.NoError(t, err)
	}
	require.NoError(t, engine.WriteObservations(t.Context(), "p", rows))
	now := time.Now().Add(time.Hour + grace + time.Minute)
	expiry := &Expiry{Store: engine, Catalog: entries, Blobs: blobs, Retention: time.Hour, Now: func() time.Time { return now }}
	unlinked, err := expiry.Round(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, unlinked, "behind a page of those that stay")
	assert.Empty(t, expiry.offsets)
}
