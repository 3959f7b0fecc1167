// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/storetest"
)

// hooked is a store that does something before it deletes traces or changes documents.
type hooked struct {
	store.Store
	onDelete func() error
	onWrite  func([]store.DocumentChange) error
}

func (h *hooked) DeleteTraces(ctx context.Context, project string, ids []string) error {
	if h.onDelete != nil {
		if err := h.onDelete(); err != nil {
			return err
		}
	}
	return h.Store.DeleteTraces(ctx, project, ids)
}

func (h *hooked) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	if h.onWrite != nil {
		if err := h.onWrite(changes); err != nil {
			return err
		}
	}
	return h.Store.WriteDocuments(ctx, project, changes)
}

// sweeper is a sweeping store with one media of one trace in it.
func sweeper(t *testing.T) (engine *hooked, entries *catalog.Catalog, blobs *Store, media model.Media) {
	t.Helper()
	engine = &hooked{Store: storetest.NewNaive()}
	entries, blobs = catalog.New(engine, catalog.Options{}), open(t, t.TempDir())
	sum := sha256.Sum256([]byte("hello"))
	media, err := entries.CreateMedia(t.Context(), "p", catalog.MediaCreate{
		ContentType: "text/plain", ContentLength: 5, SHA256: base64.StdEncoding.EncodeToString(sum[:]), Link: model.MediaLink{TraceID: "t", Field: "input"},
	})
	require.NoError(t, err)
	require.NoError(t, blobs.Put("p", media.ID, 5, sum[:], strings.NewReader("hello")))
	return engine, entries, blobs, media
}

func TestSweeping(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	s := Sweeping(engine, entries, blobs)
	require.NoError(t, s.DeleteTraces(t.Context(), "p", []string{"other"}))
	require.NoError(t, s.DeleteTraces(t.Context(), "q", []string{"t"}), "another project")
	assert.True(t, blobs.Has("p", media.ID))
	require.NoError(t, s.DeleteTraces(t.Context(), "p", []string{"t"}))
	assert.False(t, blobs.Has("p", media.ID))
	_, err := entries.Media(t.Context(), "p", media.ID)
	require.ErrorIs(t, err, store.ErrNotFound)
}

func TestSweepingThatFails(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	s := Sweeping(engine, entries, blobs)
	engine.onDelete = func() error { return store.ErrUnavailable }
	require.ErrorIs(t, s.DeleteTraces(t.Context(), "p", []string{"t"}), store.ErrUnavailable)
	assert.True(t, blobs.Has("p", media.ID), "the traces are still there")
	engine.onDelete = nil
	engine.onWrite = func([]store.DocumentChange) error { return store.ErrUnavailable }
	require.ErrorIs(t, s.DeleteTraces(t.Context(), "p", []string{"t"}), store.ErrUnavailable)
	assert.True(t, blobs.Has("p", media.ID))
	engine.onWrite = nil
	require.NoError(t, s.DeleteTraces(t.Context(), "p", []string{"t"}), "and again")
	assert.False(t, blobs.Has("p", media.ID))
}
