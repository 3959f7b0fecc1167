// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"fmt"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type (
	uploadBody struct {
		MediaID string `json:"mediaId"`
		// UploadURL is null when the content is there already.
		UploadURL nullText `json:"uploadUrl"`
	}
	mediaBody struct {
		MediaID       string    `json:"mediaId"`
		ContentType   string    `json:"contentType"`
		ContentLength int64     `json:"contentLength"`
		UploadedAt    timestamp `json:"uploadedAt"`
		URL           string    `json:"url"`
		URLExpiry     timestamp `json:"urlExpiry"`
	}
)

// hashLength is that of a SHA-256 in base64.
const hashLength = 44

// createMedia announces a media and links it. Who announces what is not there yet is told where to put it.
func (a *API) createMedia(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	create := catalog.MediaCreate{
		ContentType: o.RequiredText("contentType", 1, maxText), ContentLength: int64(requiredInt(o, "contentLength", 1)),
		SHA256: o.RequiredText("sha256Hash", hashLength, hashLength),
		Link: model.MediaLink{
			TraceID: o.OptionalText("traceId", 1, maxText), ObservationID: o.OptionalText("observationId", 1, maxText),
			DatasetID: o.OptionalText("datasetId", 1, maxText), DatasetItemID: o.OptionalText("datasetItemId", 1, maxText),
			Field: o.RequiredOneOf("field", "input", "output", "metadata", "expectedOutput"),
		},
	}
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	id, isThere, err := a.Media.Announce(ctx, a.Catalog, r.Project(), create)
	if err != nil {
		return web.Reply{}, err
	}
	body := uploadBody{MediaID: id}
	if !isThere {
		url, _ := a.uploadAddress(r, id)
		body.UploadURL = nullText(url)
	}
	return created(body), nil
}

func (a *API) getMedia(ctx context.Context, r *web.Request) (web.Reply, error) {
	media, err := a.Catalog.Media(ctx, r.Project(), r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	if !a.Media.Has(r.Project(), media.ID) {
		if media.UploadHTTPStatus == 0 || media.IsUploaded() {
			return web.Reply{}, web.NotFound("Media not yet uploaded")
		}
		return web.Reply{}, web.NotFound(fmt.Sprintf("Media upload failed with status %d: \n %s", media.UploadHTTPStatus, media.UploadHTTPError))
	}
	url, expires := a.downloadAddress(r, media.ID)
	return web.JSON(mediaBody{
		MediaID: media.ID, ContentType: media.ContentType, ContentLength: media.ContentLength, UploadedAt: timestamp(media.UploadedAt),
		URL: url, URLExpiry: timestamp(expires),
	}), nil
}

// updateMedia notes how an upload went, as its sender saw it. Whether the content is there, the server knows by itself.
func (a *API) updateMedia(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	o.Required("uploadedAt", "date")
	upload := catalog.MediaUpload{
		UploadedAt: o.LenientTime("uploadedAt"), HTTPStatus: requiredInt(o, "uploadHttpStatus", 0), HTTPError: o.OptionalText("uploadHttpError", 0, maxText),
	}
	o.Int("uploadTimeMs", 0, maxSafeInt) // nobody asks for it, but it must be a number
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	if err := a.Catalog.MarkUploaded(ctx, r.Project(), r.Segment("id"), upload); err != nil {
		return web.Reply{}, err
	}
	return done("OK"), nil
}
