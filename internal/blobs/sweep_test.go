// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/storetest"
)

// hooked is a store that does something before it deletes traces or changes documents.
type hooked struct {
	store.Store
	onDelete func() error
	onWrite  func([]store.DocumentChange) error
	// onListed is told how many documents a query found.
	onListed func(q query.Documents, found int)
}

func (h *hooked) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	page, err := h.Store.ListDocuments(ctx, q)
	if h.onListed != nil {
		h.onListed(q, page.Total)
	}
	return page, err
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

func TestAnnouncedAnewWhileItIsSwept(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	s := Sweeping(engine, entries, blobs)
	var hasBegun, isThere atomic.Bool
	announced := make(chan error, 1)
	// The sweep finds no record, and before it goes on somebody announces the media anew.
	engine.onListed = func(q query.Documents, found int) {
		if q.Kind != "media" || found > 0 || hasBegun.Swap(true) {
			return
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, is, err := blobs.Announce(t.Context(), entries, "p", catalog.MediaCreate{
				ContentType: "text/plain", ContentLength: 5, SHA256: media.SHA256, Link: model.MediaLink{TraceID: "t2", Field: "input"},
			})
			isThere.Store(is)
			announced <- err
		}()
		select {
		case <-done:
		case <-time.After(50 * time.Millisecond): // it waits for its turn
		}
	}
	require.NoError(t, s.DeleteTraces(t.Context(), "p", []string{"t"}))
	require.NoError(t, <-announced)
	assert.Equal(t, blobs.Has("p", media.ID), isThere.Load(), "who is told that the content is there does not upload it")
}

func TestUploadedAfterItWasDeleted(t *testing.T) {
	engine, entries, blobs, media := sweeper(t)
	upload := catalog.MediaUpload{UploadedAt: time.Now(), HTTPStatus: 200}
	require.NoError(t, blobs.MarkUploaded(t.Context(), entries, "p", media.ID, upload))
	require.NoError(t, Sweeping(engine, entries, blobs).DeleteTraces(t.Context(), "p", []string{"t"}))
	require.NoError(t, put(blobs, "p", media.ID, "hello"))
	require.ErrorIs(t, blobs.MarkUploaded(t.Context(), entries, "p", media.ID, upload), store.ErrNotFound)
	assert.False(t, blobs.Has("p", media.ID))
}
