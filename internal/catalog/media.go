// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"regexp"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const (
	mediaIDLength  = 22
	maxContentType = 255
	maxUploadError = 10_000
)

var contentType = regexp.MustCompile(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(\s*;.*)?$`)

// MediaCreate announces a media and says where it is referred to.
type MediaCreate struct {
	ContentType   string
	ContentLength int64
	// SHA256 is in base64.
	SHA256 string
	// HasContent says that the content is there: then it has its type and length already.
	HasContent bool
	// Link is a trace, perhaps with an observation, or a dataset with an item; its media id is not looked at.
	Link model.MediaLink
}

// MediaUpload tells how an upload went.
type MediaUpload struct {
	UploadedAt time.Time
	HTTPStatus int
	HTTPError  string
}

func errNoMedia() error { return notFound("Media asset not found") }

// MediaID is the id of a media with that SHA-256, which is given in base64. Clients compute it too.
func MediaID(hash string) (string, error) {
	sum, err := base64.StdEncoding.Strict().DecodeString(hash) // strict: a hash has one spelling, and so a media one record
	if err != nil || len(sum) != sha256.Size {
		return "", invalid("sha256Hash", "sha256Hash must be the SHA-256 of the content in base64, 44 characters")
	}
	return base64.RawURLEncoding.EncodeToString(sum)[:mediaIDLength], nil
}

// CreateMedia makes a media record, or finds it, and links it. Whether the content is still to be uploaded tells
// Media.IsUploaded.
func (c *Catalog) CreateMedia(ctx context.Context, project string, create MediaCreate) (model.Media, error) {
	id, err := MediaID(create.SHA256)
	if err != nil {
		return model.Media{}, err
	}
	if err := c.checkMedia(&create); err != nil {
		return model.Media{}, err
	}
	link, err := linkChange(id, create.Link)
	if err != nil {
		return model.Media{}, err
	}
	var changes []store.DocumentChange
	err = c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.find(ctx, project, kindMedia, id)
		if err != nil {
			return nil, err
		}
		media := model.Media{ContentType: create.ContentType, ContentLength: create.ContentLength, SHA256: create.SHA256}
		if d.Revision != store.NoRevision {
			// The same content under another type is the same media; the type that it was stored with stays. Until then
			// an announcement may be wrong, and another must be able to mend it.
			if media, err = readMedia(d); err != nil {
				return nil, err
			}
			if !create.HasContent {
				media.ContentType, media.ContentLength = create.ContentType, create.ContentLength
			}
		}
		change, err := mediaChange(id, media, d.Revision)
		// The record is written even where nothing changes: who deletes it meanwhile must notice that there is a new link.
		changes = []store.DocumentChange{change, link}
		return changes, err
	})
	if err != nil {
		return model.Media{}, err
	}
	return readMedia(changes[0].Document)
}

func (c *Catalog) checkMedia(create *MediaCreate) error {
	if len(create.ContentType) > maxContentType || !contentType.MatchString(create.ContentType) {
		return invalid("contentType", "contentType must be a MIME type such as image/png")
	}
	if create.ContentLength < 1 || create.ContentLength > c.options.MaxMediaBytes {
		return invalid("contentLength", "contentLength must be 1 to %d bytes", c.options.MaxMediaBytes)
	}
	link := create.Link
	for field, text := range map[string]string{
		"traceId": link.TraceID, "observationId": link.ObservationID, "datasetId": link.DatasetID, "datasetItemId": link.DatasetItemID,
	} {
		if err := checkText(field, text, 0, maxName); err != nil {
			return err
		}
	}
	isTrace, isItem := link.TraceID != "", link.DatasetID != "" && link.DatasetItemID != ""
	switch {
	case isTrace && !isItem && link.DatasetID == "" && link.DatasetItemID == "":
		return oneOf("field", link.Field, "input", "output", "metadata")
	case isItem && !isTrace && link.ObservationID == "":
		return oneOf("field", link.Field, "input", "expectedOutput", "metadata")
	default:
		return invalid("", "Provide either traceId (with optional observationId) or datasetId and datasetItemId")
	}
}

// Parents of links: a trace and a dataset item may have the same id.
func traceParent(id string) string { return "trace/" + id }
func itemParent(id string) string  { return "item/" + id }

func linkChange(mediaID string, link model.MediaLink) (store.DocumentChange, error) {
	parent := traceParent(link.TraceID)
	if link.DatasetItemID != "" {
		parent = itemParent(link.DatasetItemID)
	}
	body, err := encode(link)
	return store.DocumentChange{
		Document: store.Document{
			Kind: kindMediaLink, ID: idOf(kindMediaLink, mediaID, parent, link.ObservationID, link.Field), Parent: parent, Name: mediaID, Body: body,
		},
		Expect: store.AnyRevision,
	}, err
}

func mediaChange(id string, media model.Media, expect int64) (store.DocumentChange, error) {
	body, err := encode(media)
	return store.DocumentChange{Document: store.Document{Kind: kindMedia, ID: id, Body: body}, Expect: expect}, err
}

// Media is the media record with an id.
func (c *Catalog) Media(ctx context.Context, project, id string) (model.Media, error) {
	d, err := c.find(ctx, project, kindMedia, id)
	if err != nil {
		return model.Media{}, err
	}
	if d.Revision == store.NoRevision {
		return model.Media{}, errNoMedia()
	}
	return readMedia(d)
}

// MediaByID gives the media records with these ids, by id. Unknown ids are left out.
func (c *Catalog) MediaByID(ctx context.Context, project string, ids []string) (map[string]model.Media, error) {
	found := map[string]model.Media{}
	for part := range slices.Chunk(ids, query.MaxKeys) {
		documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindMedia, IDs: part})
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			if found[d.ID], err = readMedia(d); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// MarkUploaded notes how an upload went.
func (c *Catalog) MarkUploaded(ctx context.Context, project, id string, upload MediaUpload) error {
	if upload.HTTPStatus < 100 || upload.HTTPStatus > 599 {
		return invalid("uploadHttpStatus", "uploadHttpStatus must be an HTTP status")
	}
	if err := checkText("uploadHttpError", upload.HTTPError, 0, maxUploadError); err != nil {
		return err
	}
	return c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.find(ctx, project, kindMedia, id)
		if err != nil {
			return nil, err
		}
		if d.Revision == store.NoRevision {
			return nil, errNoMedia()
		}
		media, err := readMedia(d)
		if err != nil {
			return nil, err
		}
		media.UploadedAt, media.UploadHTTPStatus, media.UploadHTTPError = upload.UploadedAt.UTC(), upload.HTTPStatus, upload.HTTPError
		change, err := mediaChange(id, media, d.Revision)
		return []store.DocumentChange{change}, err
	})
}

func readMedia(d store.Document) (model.Media, error) {
	var media model.Media
	err := decode(d, &media)
	media.ID, media.CreatedAt, media.UpdatedAt = d.ID, d.CreatedAt, d.UpdatedAt
	return media, err
}
