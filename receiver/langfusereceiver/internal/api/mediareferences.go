// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type mediaReferenceBody struct {
	Field           string              `json:"field"`
	ReferenceString string              `json:"referenceString"`
	JSONPath        string              `json:"jsonPath"`
	Media           referencedMediaBody `json:"media"`
}

type referencedMediaBody struct {
	MediaID       string    `json:"mediaId"`
	ContentType   string    `json:"contentType"`
	ContentLength int64     `json:"contentLength"`
	URL           string    `json:"url"`
	URLExpiry     timestamp `json:"urlExpiry"`
}

// mediaReferences are the media that each of the items refers to, as far as their contents are there.
func (a *API) mediaReferences(ctx context.Context, r *web.Request, items []model.DatasetItem) ([][]mediaReferenceBody, error) {
	references := make([][]model.MediaReference, len(items))
	var ids []string
	for i := range items {
		references[i] = catalog.MediaReferences(&items[i])
		for _, reference := range references[i] {
			ids = append(ids, reference.MediaID)
		}
	}
	known, err := a.Catalog.MediaByID(ctx, r.Project(), ids)
	if err != nil {
		return nil, err
	}
	shown := map[string]referencedMediaBody{}
	for id, media := range known {
		if a.Media == nil || !a.Media.Has(r.Project(), id) {
			continue
		}
		body := referencedMediaBody{MediaID: id, ContentType: media.ContentType, ContentLength: media.ContentLength}
		url, expires := a.downloadAddress(r, id)
		body.URL, body.URLExpiry = url, timestamp(expires)
		shown[id] = body
	}
	bodies := make([][]mediaReferenceBody, len(items))
	for i := range items {
		bodies[i] = []mediaReferenceBody{}
		for _, reference := range references[i] {
			media, ok := shown[reference.MediaID]
			if !ok {
				continue
			}
			bodies[i] = append(bodies[i], mediaReferenceBody{
				Field: reference.Field, ReferenceString: reference.ReferenceString, JSONPath: reference.JSONPath, Media: media,
			})
		}
	}
	return bodies, nil
}
