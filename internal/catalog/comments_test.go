// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func TestComments(t *testing.T) {
	c, _ := newCatalog(t)
	create := func(comment model.Comment) model.Comment {
		created, err := c.CreateComment(t.Context(), project, comment)
		require.NoError(t, err)
		return created
	}
	first := create(model.Comment{ObjectType: model.ObjectTrace, ObjectID: "x", Content: "one", AuthorUserID: "me"})
	assert.Equal(t, model.Comment{
		ID: first.ID, ObjectType: model.ObjectTrace, ObjectID: "x", Content: "one", AuthorUserID: "me",
		CreatedAt: first.CreatedAt, UpdatedAt: first.CreatedAt,
	}, first)
	second := create(model.Comment{ObjectType: model.ObjectSession, ObjectID: "x", Content: "two"})
	third := create(model.Comment{ObjectType: model.ObjectTrace, ObjectID: "y", Content: "three", AuthorUserID: "me"})
	for _, tc := range []struct {
		q    CommentQuery
		want []model.Comment
	}{
		{CommentQuery{}, []model.Comment{third, second, first}},
		{CommentQuery{ObjectType: model.ObjectTrace}, []model.Comment{third, first}},
		{CommentQuery{ObjectType: model.ObjectTrace, ObjectID: "x"}, []model.Comment{first}},
		{CommentQuery{AuthorUserID: "me"}, []model.Comment{third, first}},
		{CommentQuery{ObjectType: model.ObjectPrompt}, []model.Comment{}},
	} {
		list, err := c.Comments(t.Context(), project, tc.q, firstPage)
		require.NoError(t, err)
		assert.Equal(t, List[model.Comment]{Rows: tc.want, Total: len(tc.want)}, list, "%+v", tc.q)
	}
	got, err := c.Comment(t.Context(), project, first.ID)
	require.NoError(t, err)
	assert.Equal(t, first, got)
	_, err = c.Comment(t.Context(), other, first.ID)
	requireError(t, err, store.ErrNotFound, "Comment not found within authorized project")
	_, err = c.Comments(t.Context(), project, CommentQuery{ObjectID: "x"}, firstPage)
	requireError(t, err, store.ErrInvalid, "objectType is required when objectId is provided")
	for message, comment := range map[string]model.Comment{
		`Invalid option: expected one of "TRACE"|"OBSERVATION"|"SESSION"|"PROMPT"`: {ObjectType: "X", ObjectID: "x", Content: "c"},
		"Too small: expected string to have >=1 characters":                        {ObjectType: model.ObjectTrace, ObjectID: "x"},
		"Too big: expected string to have <=5000 characters":                       {ObjectType: model.ObjectTrace, ObjectID: "x", Content: strings.Repeat("ü", 5001)},
	} {
		_, err := c.CreateComment(t.Context(), project, comment)
		requireError(t, err, store.ErrInvalid, message)
	}
}
