// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func createMedia(t *testing.T, c *Catalog, content string, link model.MediaLink) model.Media {
	t.Helper()
	media, err := c.CreateMedia(t.Context(), project, MediaCreate{ContentType: "image/png", ContentLength: int64(len(content)), SHA256: hashOf(content), Link: link})
	require.NoError(t, err)
	return media
}

func TestMedia(t *testing.T) {
	c, _ := newCatalog(t)
	// printf '%s' hello | openssl dgst -sha256 -binary | base64
	const hash = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
	id, err := MediaID(hash)
	require.NoError(t, err)
	assert.Equal(t, "LPJNul-wow4m6DsqxbninhsWHlwf"[:22], id)
	link := model.MediaLink{TraceID: "t", ObservationID: "o", Field: "input"}
	media := createMedia(t, c, "hello", link)
	assert.Equal(t, model.Media{
		ID: id, ContentType: "image/png", ContentLength: 5, SHA256: hash, CreatedAt: media.CreatedAt, UpdatedAt: media.UpdatedAt,
	}, media)
	assert.False(t, media.IsUploaded())

	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	require.NoError(t, c.MarkUploaded(t.Context(), project, id, MediaUpload{UploadedAt: at, HTTPStatus: 500, HTTPError: "no"}))
	again := createMedia(t, c, "hello", link)
	assert.False(t, again.IsUploaded(), "the upload failed")
	require.NoError(t, c.MarkUploaded(t.Context(), project, id, MediaUpload{UploadedAt: at, HTTPStatus: 200}))
	again = createMedia(t, c, "hello", model.MediaLink{DatasetID: "d", DatasetItemID: "i", Field: "expectedOutput"})
	assert.True(t, again.IsUploaded())
	assert.Equal(t, at, again.UploadedAt)
	assert.Equal(t, media.CreatedAt, again.CreatedAt)
	got, err := c.Media(t.Context(), project, id)
	require.NoError(t, err)
	assert.Equal(t, again, got)
	byID, err := c.MediaByID(t.Context(), project, []string{id, "no such id"})
	require.NoError(t, err)
	assert.Equal(t, map[string]model.Media{id: again}, byID)

	links, err := c.MediaOfTraces(t.Context(), project, []string{"t", "u", "t"})
	require.NoError(t, err)
	link.MediaID = id
	assert.Equal(t, []model.MediaLink{link}, links, "the same link again is the same")
	links, err = c.MediaOfItem(t.Context(), project, "i")
	require.NoError(t, err)
	assert.Equal(t, []model.MediaLink{{MediaID: id, DatasetID: "d", DatasetItemID: "i", Field: "expectedOutput"}}, links)

	_, err = c.Media(t.Context(), other, id)
	requireError(t, err, store.ErrNotFound, "Media asset not found")
	requireError(t, c.MarkUploaded(t.Context(), project, "no such id", MediaUpload{HTTPStatus: 200}), store.ErrNotFound, "Media asset not found")
	requireError(t, c.MarkUploaded(t.Context(), project, id, MediaUpload{HTTPStatus: 20}), store.ErrInvalid, "uploadHttpStatus must be an HTTP status")
}

func TestWrongAnnouncement(t *testing.T) {
	c, _ := newCatalog(t)
	create := MediaCreate{ContentType: "image/png", ContentLength: 4, SHA256: hashOf("hello"), Link: model.MediaLink{TraceID: "t", Field: "input"}}
	_, err := c.CreateMedia(t.Context(), project, create)
	require.NoError(t, err)
	create.ContentType, create.ContentLength = "text/plain", 5
	mended, err := c.CreateMedia(t.Context(), project, create)
	require.NoError(t, err)
	assert.Equal(t, "text/plain", mended.ContentType)
	assert.Equal(t, int64(5), mended.ContentLength)
	create.ContentType, create.ContentLength, create.HasContent = "image/png", 6, true
	stored, err := c.CreateMedia(t.Context(), project, create)
	require.NoError(t, err)
	assert.Equal(t, "text/plain", stored.ContentType)
	assert.Equal(t, int64(5), stored.ContentLength)
}

func TestMediaChecks(t *testing.T) {
	c, _ := newCatalog(t)
	good := MediaCreate{ContentType: "image/png", ContentLength: 1, SHA256: hashOf("x"), Link: model.MediaLink{TraceID: "t", Field: "input"}}
	const subject = "Provide either traceId (with optional observationId) or datasetId and datasetItemId"
	for _, tc := range []struct {
		change  func(*MediaCreate)
		message string
	}{
		{func(m *MediaCreate) { m.SHA256 = "x" }, "sha256Hash must be the SHA-256 of the content in base64, 44 characters"},
		{func(m *MediaCreate) { m.SHA256 = strings.Repeat("A", 44) }, "sha256Hash must be the SHA-256 of the content in base64, 44 characters"},
		{func(m *MediaCreate) { m.SHA256 = strings.Repeat("A", 42) + "B=" }, "sha256Hash must be the SHA-256 of the content in base64, 44 characters"},
		{func(m *MediaCreate) { m.ContentType = "png" }, "contentType must be a MIME type such as image/png"},
		{func(m *MediaCreate) { m.ContentLength = 0 }, "contentLength must be 1 to 1073741824 bytes"},
		{func(m *MediaCreate) { m.ContentLength = 1<<30 + 1 }, "contentLength must be 1 to 1073741824 bytes"},
		{func(m *MediaCreate) { m.Link.Field = "expectedOutput" }, `Invalid option: expected one of "input"|"output"|"metadata"`},
		{func(m *MediaCreate) { m.Link.TraceID = "" }, subject},
		{func(m *MediaCreate) { m.Link.DatasetID = "d" }, subject},
		{func(m *MediaCreate) { m.Link = model.MediaLink{DatasetItemID: "i", Field: "input"} }, subject},
		{func(m *MediaCreate) { m.Link = model.MediaLink{DatasetID: "d", DatasetItemID: "i", Field: "output"} }, `Invalid option: expected one of "input"|"expectedOutput"|"metadata"`},
	} {
		bad := good
		tc.change(&bad)
		_, err := c.CreateMedia(t.Context(), project, bad)
		requireError(t, err, store.ErrInvalid, tc.message)
	}
}

func TestUnlinkTraces(t *testing.T) {
	c, _ := newCatalog(t)
	only := createMedia(t, c, "only", model.MediaLink{TraceID: "t1", Field: "input"})
	createMedia(t, c, "only", model.MediaLink{TraceID: "t1", ObservationID: "o", Field: "output"})
	shared := createMedia(t, c, "shared", model.MediaLink{TraceID: "t1", Field: "input"})
	createMedia(t, c, "shared", model.MediaLink{TraceID: "t2", Field: "input"})
	item := createMedia(t, c, "item", model.MediaLink{TraceID: "t1", Field: "input"})
	createMedia(t, c, "item", model.MediaLink{DatasetID: "d", DatasetItemID: "t1", Field: "input"})

	unlink := func(traces ...string) []string {
		unused, err := c.UnlinkTraces(t.Context(), project, traces)
		require.NoError(t, err)
		return unused
	}
	assert.Empty(t, unlink("no such trace"))
	assert.Equal(t, []string{only.ID}, unlink("t1", "t1"))
	_, err := c.Media(t.Context(), project, only.ID)
	require.ErrorIs(t, err, store.ErrNotFound)
	for _, id := range []string{shared.ID, item.ID} {
		_, err := c.Media(t.Context(), project, id)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{shared.ID}, unlink("t1", "t2"))
	links, err := c.MediaOfItem(t.Context(), project, "t1")
	require.NoError(t, err)
	assert.Len(t, links, 1)
}

// A media that is linked while another trace of it is deleted must not lose its record.
func TestUnlinkWhileOthersLink(t *testing.T) {
	c, _ := newCatalog(t)
	for i := range 50 {
		content := strconv.Itoa(i)
		media := createMedia(t, c, content, model.MediaLink{TraceID: "old" + content, Field: "input"})
		var both sync.WaitGroup
		both.Go(func() { createMedia(t, c, content, model.MediaLink{TraceID: "new" + content, Field: "input"}) })
		both.Go(func() {
			_, err := c.UnlinkTraces(t.Context(), project, []string{"old" + content})
			assert.NoError(t, err)
		})
		both.Wait()
		_, err := c.Media(t.Context(), project, media.ID)
		require.NoError(t, err, "a link without its media")
	}
}

func TestMediaReferences(t *testing.T) {
	reference := func(id string) string { return "@@@langfuseMedia:type=image/png|id=" + id + "|source=bytes@@@" }
	item := &model.DatasetItem{
		Input:          raw(`{"gallery":["` + reference("a") + `",{"it's":"x ` + reference("b") + reference("c") + `"}],"n":1}`),
		ExpectedOutput: raw(`"` + reference("d") + `"`),
		Metadata:       raw(`{"` + reference("key") + `":"@@@langfuseMedia:type=x@@@"}`),
	}
	found := MediaReferences(item)
	assert.Equal(t, []model.MediaReference{
		{Field: "input", ReferenceString: reference("a"), JSONPath: "$['gallery'][0]", MediaID: "a"},
		{Field: "input", ReferenceString: reference("b"), JSONPath: `$['gallery'][1]['it\'s']`, MediaID: "b"},
		{Field: "input", ReferenceString: reference("c"), JSONPath: `$['gallery'][1]['it\'s']`, MediaID: "c"},
		{Field: "expectedOutput", ReferenceString: reference("d"), JSONPath: "$", MediaID: "d"},
	}, found)
	assert.Empty(t, MediaReferences(&model.DatasetItem{Input: raw(`"no media"`)}))
}
