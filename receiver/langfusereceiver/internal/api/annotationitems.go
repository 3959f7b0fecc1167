// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type queueItemBody struct {
	ID          string                 `json:"id"`
	QueueID     string                 `json:"queueId"`
	ObjectID    string                 `json:"objectId"`
	ObjectType  model.ObjectType       `json:"objectType"`
	Status      model.AnnotationStatus `json:"status"`
	CompletedAt timestamp              `json:"completedAt"`
	CreatedAt   timestamp              `json:"createdAt"`
	UpdatedAt   timestamp              `json:"updatedAt"`
}

var queueStates = []string{string(model.AnnotationPending), string(model.AnnotationCompleted)}

func newQueueItem(item *model.AnnotationItem) queueItemBody {
	return queueItemBody{
		ID: item.ID, QueueID: item.QueueID, ObjectID: item.ObjectID, ObjectType: item.ObjectType, Status: item.Status,
		CompletedAt: timestamp(item.CompletedAt), CreatedAt: timestamp(item.CreatedAt), UpdatedAt: timestamp(item.UpdatedAt),
	}
}

func (a *API) listQueueItems(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	status := model.AnnotationStatus(p.OneOf("status", queueStates...))
	page := catalog.Page(p.Page(defaultLimit))
	p.NoOthers()
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.AnnotationItems(ctx, r.Project(), r.Segment("queue"), status, page)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPage(list, page, newQueueItem)), nil
}

func (a *API) getQueueItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := noParams(r); err != nil {
		return web.Reply{}, err
	}
	item, err := a.Catalog.AnnotationItem(ctx, r.Project(), r.Segment("queue"), r.Segment("item"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newQueueItem(&item)), nil
}

func (a *API) createQueueItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	item := model.AnnotationItem{
		ObjectID: o.RequiredText("objectId", 1, maxText), ObjectType: model.ObjectType(o.RequiredOneOf("objectType", queueObjects...)),
		Status: model.AnnotationStatus(o.OneOf("status", queueStates...)),
	}
	o.NoOthers()
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	if item, err = a.Catalog.CreateAnnotationItem(ctx, r.Project(), r.Segment("queue"), item); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newQueueItem(&item)), nil
}

func (a *API) updateQueueItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	status := model.AnnotationStatus(o.OneOf("status", queueStates...))
	o.NoOthers()
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	var item model.AnnotationItem
	if status == "" { // nothing is to change, which is no fault
		item, err = a.Catalog.AnnotationItem(ctx, r.Project(), r.Segment("queue"), r.Segment("item"))
	} else {
		item, err = a.Catalog.SetAnnotationStatus(ctx, r.Project(), r.Segment("queue"), r.Segment("item"), status)
	}
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newQueueItem(&item)), nil
}

func (a *API) deleteQueueItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := a.Catalog.DeleteAnnotationItem(ctx, r.Project(), r.Segment("queue"), r.Segment("item")); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(successBody{Success: true, Message: "Annotation queue item deleted successfully"}), nil
}
