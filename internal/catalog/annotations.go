// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"errors"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const maxQueueConfigs = 100

func errNoQueue() error { return notFound("Annotation queue not found") }

// AnnotationQueues lists the annotation queues, newest first.
func (c *Catalog) AnnotationQueues(ctx context.Context, project string, page Page) (List[model.AnnotationQueue], error) {
	return list(ctx, c, query.Documents{Project: project, Kind: kindQueue}, page, readQueue)
}

// AnnotationQueue is the annotation queue with an id.
func (c *Catalog) AnnotationQueue(ctx context.Context, project, id string) (model.AnnotationQueue, error) {
	d, err := c.find(ctx, project, kindQueue, id)
	if err != nil {
		return model.AnnotationQueue{}, err
	}
	if d.Revision == store.NoRevision {
		return model.AnnotationQueue{}, errNoQueue()
	}
	return readQueue(d)
}

// CreateAnnotationQueue makes an annotation queue. Its name is unique in the project, so its id follows from it.
func (c *Catalog) CreateAnnotationQueue(ctx context.Context, project string, queue model.AnnotationQueue) (model.AnnotationQueue, error) {
	if err := checkName("name", queue.Name); err != nil {
		return model.AnnotationQueue{}, err
	}
	if err := checkText("description", queue.Description, 0, maxDescription); err != nil {
		return model.AnnotationQueue{}, err
	}
	if err := c.checkQueueConfigs(ctx, project, queue.ScoreConfigIDs); err != nil {
		return model.AnnotationQueue{}, err
	}
	body, err := encode(queue)
	if err != nil {
		return model.AnnotationQueue{}, err
	}
	changes := []store.DocumentChange{{Document: store.Document{
		Kind: kindQueue, ID: idOf(kindQueue, project, queue.Name), Name: queue.Name, Body: body,
	}}}
	err = c.documents.WriteDocuments(ctx, project, changes)
	if errors.Is(err, store.ErrConflict) {
		return model.AnnotationQueue{}, invalid("name", "A queue with this name already exists in the project")
	}
	if err != nil {
		return model.AnnotationQueue{}, err
	}
	return readQueue(changes[0].Document)
}

func (c *Catalog) checkQueueConfigs(ctx context.Context, project string, ids []string) error {
	if len(ids) == 0 || len(ids) > maxQueueConfigs {
		return invalid("scoreConfigIds", "A queue needs 1 to %d score configs", maxQueueConfigs)
	}
	for _, id := range ids {
		config, err := c.ScoreConfig(ctx, project, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && config.IsArchived {
			return invalid("scoreConfigIds", "At least one of the score config IDs cannot be found for the given project")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Assign assigns somebody to a queue. Who is assigned already stays so.
func (c *Catalog) Assign(ctx context.Context, project, queueID, userID string) error {
	change, err := c.assignment(ctx, project, queueID, userID)
	if err != nil {
		return err
	}
	return c.documents.WriteDocuments(ctx, project, []store.DocumentChange{change})
}

// Unassign takes somebody off a queue. Who is not assigned stays so.
func (c *Catalog) Unassign(ctx context.Context, project, queueID, userID string) error {
	change, err := c.assignment(ctx, project, queueID, userID)
	if err != nil {
		return err
	}
	change.Delete = true
	return c.documents.WriteDocuments(ctx, project, []store.DocumentChange{change})
}

// Assignees are those who are assigned to a queue, the last first.
func (c *Catalog) Assignees(ctx context.Context, project, queueID string) ([]string, error) {
	documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindAssignment, Parents: []string{queueID}})
	if err != nil {
		return nil, err
	}
	var users []string
	for _, d := range documents {
		users = append(users, d.Name)
	}
	return users, nil
}

func (c *Catalog) assignment(ctx context.Context, project, queueID, userID string) (store.DocumentChange, error) {
	if err := checkText("userId", userID, 1, maxID); err != nil {
		return store.DocumentChange{}, err
	}
	if _, err := c.AnnotationQueue(ctx, project, queueID); err != nil {
		return store.DocumentChange{}, err
	}
	return store.DocumentChange{
		Document: store.Document{Kind: kindAssignment, ID: idOf(kindAssignment, queueID, userID), Parent: queueID, Name: userID, Body: "{}"},
		Expect:   store.AnyRevision,
	}, nil
}

func readQueue(d store.Document) (model.AnnotationQueue, error) {
	var queue model.AnnotationQueue
	err := decode(d, &queue)
	queue.ID, queue.CreatedAt, queue.UpdatedAt = d.ID, d.CreatedAt, d.UpdatedAt
	return queue, err
}
