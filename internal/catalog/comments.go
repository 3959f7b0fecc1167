// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const maxComment = 5000

// CommentQuery asks for comments; empty texts are no condition.
type CommentQuery struct {
	ObjectType   model.ObjectType
	ObjectID     string
	AuthorUserID string
}

// commentObject is how comments on an object are found.
func commentObject(kind model.ObjectType, id string) string { return string(kind) + "/" + id }

// Comments lists comments, newest first.
func (c *Catalog) Comments(ctx context.Context, project string, q CommentQuery, page Page) (List[model.Comment], error) {
	documents := query.Documents{Project: project, Kind: kindComment}
	if q.ObjectType != "" {
		if err := checkObjectType(q.ObjectType); err != nil {
			return List[model.Comment]{}, err
		}
		documents.States = []string{string(q.ObjectType)}
	}
	if q.ObjectID != "" {
		if q.ObjectType == "" {
			return List[model.Comment]{}, invalid("objectType", "objectType is required when objectId is provided")
		}
		documents.Parents = []string{commentObject(q.ObjectType, q.ObjectID)}
	}
	if q.AuthorUserID != "" {
		documents.Names = []string{q.AuthorUserID}
	}
	return list(ctx, c, documents, page, readComment)
}

// Comment is the comment with an id.
func (c *Catalog) Comment(ctx context.Context, project, id string) (model.Comment, error) {
	d, err := c.find(ctx, project, kindComment, id)
	if err != nil {
		return model.Comment{}, err
	}
	if d.Revision == store.NoRevision {
		return model.Comment{}, notFound("Comment not found within authorized project")
	}
	return readComment(d)
}

// CreateComment makes a comment. Its id and times are not looked at, nor is whether there is such an object.
func (c *Catalog) CreateComment(ctx context.Context, project string, comment model.Comment) (model.Comment, error) {
	if err := checkObjectType(comment.ObjectType); err != nil {
		return model.Comment{}, err
	}
	if err := checkText("objectId", comment.ObjectID, 1, maxName); err != nil {
		return model.Comment{}, err
	}
	if err := checkText("content", comment.Content, 1, maxComment); err != nil {
		return model.Comment{}, err
	}
	if err := checkText("authorUserId", comment.AuthorUserID, 0, maxID); err != nil {
		return model.Comment{}, err
	}
	body, err := encode(comment)
	if err != nil {
		return model.Comment{}, err
	}
	changes := []store.DocumentChange{{Document: store.Document{
		Kind: kindComment, ID: newID(), Parent: commentObject(comment.ObjectType, comment.ObjectID), Name: comment.AuthorUserID,
		State: string(comment.ObjectType), Body: body,
	}}}
	if err := c.documents.WriteDocuments(ctx, project, changes); err != nil {
		return model.Comment{}, err
	}
	return readComment(changes[0].Document)
}

func checkObjectType(kind model.ObjectType) error {
	return oneOf("objectType", kind, model.ObjectTrace, model.ObjectObservation, model.ObjectSession, model.ObjectPrompt)
}

func readComment(d store.Document) (model.Comment, error) {
	var comment model.Comment
	err := decode(d, &comment)
	comment.ID, comment.CreatedAt, comment.UpdatedAt = d.ID, d.CreatedAt, d.UpdatedAt
	return comment, err
}
