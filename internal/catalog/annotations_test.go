// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func newQueue(t *testing.T, c *Catalog, name string) model.AnnotationQueue {
	t.Helper()
	config, err := c.CreateScoreConfig(t.Context(), project, model.ScoreConfig{Name: "s", DataType: model.ScoreBoolean})
	require.NoError(t, err)
	queue, err := c.CreateAnnotationQueue(t.Context(), project, model.AnnotationQueue{Name: name, Description: "d", ScoreConfigIDs: []string{config.ID}})
	require.NoError(t, err)
	return queue
}

func TestAnnotationQueues(t *testing.T) {
	c, _ := newCatalog(t)
	first, second := newQueue(t, c, "one"), newQueue(t, c, "two")
	assert.Equal(t, "one", first.Name)
	assert.Equal(t, "d", first.Description)
	assert.Len(t, first.ScoreConfigIDs, 1)
	list, err := c.AnnotationQueues(t.Context(), project, firstPage)
	require.NoError(t, err)
	assert.Equal(t, List[model.AnnotationQueue]{Rows: []model.AnnotationQueue{second, first}, Total: 2}, list)
	got, err := c.AnnotationQueue(t.Context(), project, first.ID)
	require.NoError(t, err)
	assert.Equal(t, first, got)
	_, err = c.AnnotationQueue(t.Context(), other, first.ID)
	requireError(t, err, store.ErrNotFound, "Annotation queue not found")

	_, err = c.CreateAnnotationQueue(t.Context(), project, model.AnnotationQueue{Name: "one", ScoreConfigIDs: first.ScoreConfigIDs})
	requireError(t, err, store.ErrInvalid, "A queue with this name already exists in the project")
	_, err = c.CreateAnnotationQueue(t.Context(), project, model.AnnotationQueue{Name: "three"})
	requireError(t, err, store.ErrInvalid, "A queue needs 1 to 100 score configs")
	const unknown = "At least one of the score config IDs cannot be found for the given project"
	_, err = c.CreateAnnotationQueue(t.Context(), project, model.AnnotationQueue{Name: "three", ScoreConfigIDs: []string{"no such id"}})
	requireError(t, err, store.ErrInvalid, unknown)
	_, err = c.UpdateScoreConfig(t.Context(), project, first.ScoreConfigIDs[0], ScoreConfigUpdate{IsArchived: new(true)})
	require.NoError(t, err)
	_, err = c.CreateAnnotationQueue(t.Context(), project, model.AnnotationQueue{Name: "three", ScoreConfigIDs: first.ScoreConfigIDs})
	requireError(t, err, store.ErrInvalid, unknown)
}

func TestAnnotationItems(t *testing.T) {
	c, clock := newCatalog(t)
	queue, another := newQueue(t, c, "one"), newQueue(t, c, "two")
	create := func(item model.AnnotationItem) model.AnnotationItem {
		created, err := c.CreateAnnotationItem(t.Context(), project, queue.ID, item)
		require.NoError(t, err)
		return created
	}
	first := create(model.AnnotationItem{ObjectID: "t", ObjectType: model.ObjectTrace, CompletedAt: clock.now})
	assert.Equal(t, model.AnnotationItem{
		ID: first.ID, QueueID: queue.ID, ObjectID: "t", ObjectType: model.ObjectTrace, Status: model.AnnotationPending,
		CreatedAt: first.CreatedAt, UpdatedAt: first.CreatedAt,
	}, first)
	second := create(model.AnnotationItem{ObjectID: "s", ObjectType: model.ObjectSession, Status: model.AnnotationCompleted})
	assert.Equal(t, clock.now, second.CompletedAt)
	items := func(status model.AnnotationStatus) []model.AnnotationItem {
		list, err := c.AnnotationItems(t.Context(), project, queue.ID, status, firstPage)
		require.NoError(t, err)
		return list.Rows
	}
	assert.Equal(t, []model.AnnotationItem{second, first}, items(""))
	assert.Equal(t, []model.AnnotationItem{first}, items(model.AnnotationPending))

	clock.advance(time.Minute)
	done, err := c.SetAnnotationStatus(t.Context(), project, queue.ID, first.ID, model.AnnotationCompleted)
	require.NoError(t, err)
	assert.Equal(t, clock.now, done.CompletedAt)
	clock.advance(time.Minute)
	again, err := c.SetAnnotationStatus(t.Context(), project, queue.ID, first.ID, model.AnnotationCompleted)
	require.NoError(t, err)
	assert.Equal(t, done.CompletedAt, again.CompletedAt, "it was completed before")
	assert.Empty(t, items(model.AnnotationPending))
	undone, err := c.SetAnnotationStatus(t.Context(), project, queue.ID, first.ID, model.AnnotationPending)
	require.NoError(t, err)
	assert.True(t, undone.CompletedAt.IsZero())

	const missing = "Annotation queue item not found"
	_, err = c.AnnotationItem(t.Context(), project, another.ID, first.ID)
	requireError(t, err, store.ErrNotFound, missing)
	_, err = c.SetAnnotationStatus(t.Context(), project, another.ID, first.ID, model.AnnotationPending)
	requireError(t, err, store.ErrNotFound, missing)
	requireError(t, c.DeleteAnnotationItem(t.Context(), project, another.ID, first.ID), store.ErrNotFound, missing)
	require.NoError(t, c.DeleteAnnotationItem(t.Context(), project, queue.ID, first.ID))
	requireError(t, c.DeleteAnnotationItem(t.Context(), project, queue.ID, first.ID), store.ErrNotFound, missing)
	_, err = c.AnnotationItems(t.Context(), project, "no such queue", "", firstPage)
	requireError(t, err, store.ErrNotFound, "Annotation queue not found")
	_, err = c.SetAnnotationStatus(t.Context(), project, queue.ID, second.ID, "DONE")
	requireError(t, err, store.ErrInvalid, `Invalid option: expected one of "PENDING"|"COMPLETED"`)
	_, err = c.CreateAnnotationItem(t.Context(), project, queue.ID, model.AnnotationItem{ObjectID: "p", ObjectType: model.ObjectPrompt})
	requireError(t, err, store.ErrInvalid, `Invalid option: expected one of "TRACE"|"OBSERVATION"|"SESSION"`)
}

func TestAssignments(t *testing.T) {
	c, _ := newCatalog(t)
	queue := newQueue(t, c, "one")
	assignees := func() []string {
		users, err := c.Assignees(t.Context(), project, queue.ID)
		require.NoError(t, err)
		return users
	}
	for _, user := range []string{"a", "b", "a"} {
		require.NoError(t, c.Assign(t.Context(), project, queue.ID, user))
	}
	assert.Equal(t, []string{"b", "a"}, assignees())
	require.NoError(t, c.Unassign(t.Context(), project, queue.ID, "a"))
	require.NoError(t, c.Unassign(t.Context(), project, queue.ID, "nobody"))
	assert.Equal(t, []string{"b"}, assignees())
	requireError(t, c.Assign(t.Context(), other, queue.ID, "a"), store.ErrNotFound, "Annotation queue not found")
	requireError(t, c.Assign(t.Context(), project, queue.ID, ""), store.ErrInvalid, "Too small: expected string to have >=1 characters")
}
