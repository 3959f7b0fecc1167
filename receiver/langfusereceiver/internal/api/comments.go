// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"slices"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type commentBody struct {
	ID           string           `json:"id"`
	ProjectID    string           `json:"projectId"`
	ObjectType   model.ObjectType `json:"objectType"`
	ObjectID     string           `json:"objectId"`
	Content      string           `json:"content"`
	AuthorUserID nullText         `json:"authorUserId"`
	CreatedAt    timestamp        `json:"createdAt"`
	UpdatedAt    timestamp        `json:"updatedAt"`
}

const maxComment = 5000

// commentObjects are what a comment can be about; a queue has the same objects but for prompts.
var (
	queueObjects   = []string{string(model.ObjectTrace), string(model.ObjectObservation), string(model.ObjectSession)}
	commentObjects = append(slices.Clip(queueObjects), string(model.ObjectPrompt))
)

func (a *API) listComments(ctx context.Context, r *web.Request) (web.Reply, error) {
	p := validation.NewParams(r.URL.RawQuery)
	asked := catalog.CommentQuery{
		ObjectType: model.ObjectType(p.OneOf("objectType", commentObjects...)),
		ObjectID:   textParam(p, "objectId"), AuthorUserID: textParam(p, "authorUserId"),
	}
	page := catalog.Page(p.Page(defaultLimit))
	p.NoOthers()
	if err := p.Err(); err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.Comments(ctx, r.Project(), asked, page)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPage(list, page, func(comment *model.Comment) commentBody { return newComment(r, comment) })), nil
}

func (a *API) getComment(ctx context.Context, r *web.Request) (web.Reply, error) {
	comment, err := a.Catalog.Comment(ctx, r.Project(), r.Segment("id"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newComment(r, &comment)), nil
}

func (a *API) createComment(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	project := o.RequiredText("projectId", 0, maxText)
	comment := model.Comment{
		ObjectType: model.ObjectType(o.RequiredOneOf("objectType", commentObjects...)), ObjectID: o.RequiredText("objectId", 1, maxText),
		Content: o.RequiredText("content", 1, maxComment), AuthorUserID: o.OptionalText("authorUserId", 0, maxText),
	}
	o.NoOthers()
	if o.Err() == nil && project != r.Project() {
		o.Add(validation.Custom("projectId must be the project of the API key", "projectId"))
	}
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	if comment, err = a.Catalog.CreateComment(ctx, r.Project(), comment); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(idBody{comment.ID}), nil
}

func newComment(r *web.Request, comment *model.Comment) commentBody {
	return commentBody{
		ID: comment.ID, ProjectID: r.Project(), ObjectType: comment.ObjectType, ObjectID: comment.ObjectID, Content: comment.Content,
		AuthorUserID: nullText(comment.AuthorUserID), CreatedAt: timestamp(comment.CreatedAt), UpdatedAt: timestamp(comment.UpdatedAt),
	}
}
