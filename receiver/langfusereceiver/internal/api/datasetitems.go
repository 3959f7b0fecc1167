// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type datasetItemBody struct {
	ID                  string                  `json:"id"`
	DatasetID           string                  `json:"datasetId"`
	DatasetName         string                  `json:"datasetName"`
	Status              model.DatasetItemStatus `json:"status"`
	Input               json.RawMessage         `json:"input"`
	ExpectedOutput      json.RawMessage         `json:"expectedOutput"`
	Metadata            json.RawMessage         `json:"metadata"`
	SourceTraceID       nullText                `json:"sourceTraceId"`
	SourceObservationID nullText                `json:"sourceObservationId"`
	CreatedAt           timestamp               `json:"createdAt"`
	UpdatedAt           timestamp               `json:"updatedAt"`
	// MediaReferences is a list even when it is empty: a client library refuses an item without it.
	MediaReferences []mediaReferenceBody `json:"mediaReferences"`
}

const (
	// maxItemBody is the largest body of an item: 4.5 MB.
	maxItemBody = 9 << 19
	maxItemID   = 255
)

func (a *API) listDatasetItems(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	asked := catalog.DatasetItemQuery{
		DatasetName:   textParam(p, "datasetName"),
		SourceTraceID: textParam(p, "sourceTraceId"), SourceObservationID: textParam(p, "sourceObservationId"),
		Version: p.LenientTime("version"), MaxBytes: a.MaxResponse,
	}
	page := catalog.Page(p.Page(defaultLimit))
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.DatasetItems(ctx, r.Project(), asked, page)
	if errors.Is(err, store.ErrTooLarge) {
		return web.Reply{}, web.NewError(http.StatusUnprocessableEntity, "Response payload is too large. Ask for fewer items a page (`limit`).")
	}
	if err != nil {
		return web.Reply{}, err
	}
	bodies, err := a.newDatasetItems(ctx, r, list.Rows)
	if err != nil {
		return web.Reply{}, err
	}
	shown := catalog.List[datasetItemBody]{Rows: bodies, Total: list.Total}
	return web.JSON(newPage(shown, page, func(body *datasetItemBody) datasetItemBody { return *body })), nil
}

func (a *API) getDatasetItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	item, err := a.Catalog.DatasetItem(ctx, r.Project(), r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	return a.datasetItem(ctx, r, item)
}

func (a *API) createDatasetItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxItemBody)
	if err != nil {
		return web.Reply{}, err
	}
	upsert := catalog.DatasetItemUpsert{
		DatasetName: o.RequiredText("datasetName", 1, maxText), ID: o.OptionalText("id", 1, maxItemID),
		Input: o.Raw("input"), ExpectedOutput: o.Raw("expectedOutput"), Metadata: o.Raw("metadata"),
		SourceTraceID: o.OptionalText("sourceTraceId", 0, maxItemID), SourceObservationID: o.OptionalText("sourceObservationId", 0, maxItemID),
		Status: model.DatasetItemStatus(o.OneOf("status", string(model.DatasetItemActive), string(model.DatasetItemArchived))),
	}
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	item, err := a.Catalog.UpsertDatasetItem(ctx, r.Project(), upsert)
	if err != nil {
		return web.Reply{}, err
	}
	return a.datasetItem(ctx, r, item)
}

func (a *API) deleteDatasetItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := a.Catalog.DeleteDatasetItem(ctx, r.Project(), r.Segment("id")); err != nil {
		return web.Reply{}, err
	}
	return done("Dataset item successfully deleted"), nil
}

func (a *API) datasetItem(ctx context.Context, r *web.Request, item model.DatasetItem) (web.Reply, error) {
	bodies, err := a.newDatasetItems(ctx, r, []model.DatasetItem{item})
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(bodies[0]), nil
}

// newDatasetItems shows items, with the media that they refer to.
func (a *API) newDatasetItems(ctx context.Context, r *web.Request, items []model.DatasetItem) ([]datasetItemBody, error) {
	references, err := a.mediaReferences(ctx, r, items)
	if err != nil {
		return nil, err
	}
	bodies := make([]datasetItemBody, len(items))
	for i := range items {
		item := &items[i]
		bodies[i] = datasetItemBody{
			ID: item.ID, DatasetID: item.DatasetID, DatasetName: item.DatasetName, Status: item.Status,
			Input: item.Input, ExpectedOutput: item.ExpectedOutput, Metadata: item.Metadata,
			SourceTraceID: nullText(item.SourceTraceID), SourceObservationID: nullText(item.SourceObservationID),
			CreatedAt: timestamp(item.CreatedAt), UpdatedAt: timestamp(item.UpdatedAt), MediaReferences: references[i],
		}
	}
	return bodies, nil
}
