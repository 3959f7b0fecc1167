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

type queueBody struct {
	ID             string    `json:"id"`
	Name           string    `json:"name"`
	Description    nullText  `json:"description"`
	ScoreConfigIDs []string  `json:"scoreConfigIds"`
	CreatedAt      timestamp `json:"createdAt"`
	UpdatedAt      timestamp `json:"updatedAt"`
}

type assignmentBody struct {
	UserID    string `json:"userId"`
	QueueID   string `json:"queueId"`
	ProjectID string `json:"projectId"`
}

// successBody is what these routes say of a deletion.
type successBody struct {
	Success bool   `json:"success"`
	Message string `json:"message"`
}

func newQueue(queue *model.AnnotationQueue) queueBody {
	return queueBody{
		ID: queue.ID, Name: queue.Name, Description: nullText(queue.Description), ScoreConfigIDs: listOf(queue.ScoreConfigIDs),
		CreatedAt: timestamp(queue.CreatedAt), UpdatedAt: timestamp(queue.UpdatedAt),
	}
}

func (a *API) listQueues(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	page := catalog.Page(p.Page(defaultLimit))
	p.NoOthers()
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.AnnotationQueues(ctx, r.Project(), page)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPage(list, page, newQueue)), nil
}

func (a *API) getQueue(ctx context.Context, r *web.Request) (web.Reply, error) {
	if err := noParams(r); err != nil {
		return web.Reply{}, err
	}
	queue, err := a.Catalog.AnnotationQueue(ctx, r.Project(), r.Segment("queue"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newQueue(&queue)), nil
}

// noParams refuses a query on a route that has no parameters and is strict about it.
func noParams(r *web.Request) error {
	p := validation.NewParams(r.URL.RawQuery)
	p.NoOthers()
	return p.Err()
}

func (a *API) createQueue(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	queue := model.AnnotationQueue{Name: o.RequiredText("name", 1, maxText), Description: o.OptionalText("description", 0, maxText)}
	if o.Required("scoreConfigIds", "array") {
		queue.ScoreConfigIDs = o.Texts("scoreConfigIds")
		if o.Type("scoreConfigIds") == "array" && len(o.Items("scoreConfigIds")) == 0 {
			o.Add(validation.TooSmall(validation.OfArray, 1, "scoreConfigIds"))
		}
	}
	o.NoOthers()
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	if queue, err = a.Catalog.CreateAnnotationQueue(ctx, r.Project(), queue); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newQueue(&queue)), nil
}

func (a *API) assignQueue(ctx context.Context, r *web.Request) (web.Reply, error) {
	user, err := readAssignee(r)
	if err != nil {
		return web.Reply{}, err
	}
	if err := a.Catalog.Assign(ctx, r.Project(), r.Segment("queue"), user); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(assignmentBody{UserID: user, QueueID: r.Segment("queue"), ProjectID: r.Project()}), nil
}

func (a *API) unassignQueue(ctx context.Context, r *web.Request) (web.Reply, error) {
	user, err := readAssignee(r)
	if err != nil {
		return web.Reply{}, err
	}
	if err := a.Catalog.Unassign(ctx, r.Project(), r.Segment("queue"), user); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(struct {
		Success bool `json:"success"`
	}{true}), nil
}

func readAssignee(r *web.Request) (string, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return "", err
	}
	user := o.RequiredText("userId", 1, maxText)
	o.NoOthers()
	return user, o.Err()
}
