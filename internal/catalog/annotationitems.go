// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"cmp"
	"context"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

func errNoQueueItem() error { return notFound("Annotation queue item not found") }

// AnnotationItems lists the entries of a queue, newest first; an empty status is no condition.
func (c *Catalog) AnnotationItems(ctx context.Context, project, queueID string, status model.AnnotationStatus, page Page) (List[model.AnnotationItem], error) {
	if _, err := c.AnnotationQueue(ctx, project, queueID); err != nil {
		return List[model.AnnotationItem]{}, err
	}
	documents := query.Documents{Project: project, Kind: kindQueueItem, Parents: []string{queueID}}
	if status != "" {
		if err := checkStatus(status); err != nil {
			return List[model.AnnotationItem]{}, err
		}
		documents.States = []string{string(status)}
	}
	return list(ctx, c, documents, page, readQueueItem)
}

// AnnotationItem is an entry of a queue.
func (c *Catalog) AnnotationItem(ctx context.Context, project, queueID, id string) (model.AnnotationItem, error) {
	d, err := c.queueItem(ctx, project, queueID, id)
	if err != nil {
		return model.AnnotationItem{}, err
	}
	return readQueueItem(d)
}

// queueItem is the document of an entry, which must belong to the queue.
func (c *Catalog) queueItem(ctx context.Context, project, queueID, id string) (store.Document, error) {
	d, err := c.find(ctx, project, kindQueueItem, id)
	if err != nil {
		return store.Document{}, err
	}
	if d.Revision == store.NoRevision || d.Parent != queueID {
		return store.Document{}, errNoQueueItem()
	}
	return d, nil
}

// CreateAnnotationItem adds an object to a queue. The status is PENDING when it is empty; id and times are not looked at.
func (c *Catalog) CreateAnnotationItem(ctx context.Context, project, queueID string, item model.AnnotationItem) (model.AnnotationItem, error) {
	if err := checkText("objectId", item.ObjectID, 1, maxName); err != nil {
		return model.AnnotationItem{}, err
	}
	if err := oneOf("objectType", item.ObjectType, model.ObjectTrace, model.ObjectObservation, model.ObjectSession); err != nil {
		return model.AnnotationItem{}, err
	}
	if _, err := c.AnnotationQueue(ctx, project, queueID); err != nil {
		return model.AnnotationItem{}, err
	}
	change, err := c.planItem(newID(), queueID, item, cmp.Or(item.Status, model.AnnotationPending), store.NoRevision)
	if err != nil {
		return model.AnnotationItem{}, err
	}
	changes := []store.DocumentChange{change}
	if err := c.documents.WriteDocuments(ctx, project, changes); err != nil {
		return model.AnnotationItem{}, err
	}
	return readQueueItem(changes[0].Document)
}

// SetAnnotationStatus changes the status of an entry.
func (c *Catalog) SetAnnotationStatus(ctx context.Context, project, queueID, id string, status model.AnnotationStatus) (model.AnnotationItem, error) {
	var changes []store.DocumentChange
	err := c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.queueItem(ctx, project, queueID, id)
		if err != nil {
			return nil, err
		}
		item, err := readQueueItem(d)
		if err != nil {
			return nil, err
		}
		change, err := c.planItem(id, queueID, item, status, d.Revision)
		changes = []store.DocumentChange{change}
		return changes, err
	})
	if err != nil {
		return model.AnnotationItem{}, err
	}
	return readQueueItem(changes[0].Document)
}

// DeleteAnnotationItem takes an object off a queue.
func (c *Catalog) DeleteAnnotationItem(ctx context.Context, project, queueID, id string) error {
	return c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.queueItem(ctx, project, queueID, id)
		if err != nil {
			return nil, err
		}
		return []store.DocumentChange{remove(d)}, nil
	})
}

// planItem is the change that gives an entry a status, and the time of its completion with it.
func (c *Catalog) planItem(id, queueID string, item model.AnnotationItem, status model.AnnotationStatus, expect int64) (store.DocumentChange, error) {
	if err := checkStatus(status); err != nil {
		return store.DocumentChange{}, err
	}
	if status == model.AnnotationPending || expect == store.NoRevision {
		item.CompletedAt = time.Time{}
	}
	item.Status = status
	if status == model.AnnotationCompleted && item.CompletedAt.IsZero() {
		item.CompletedAt = c.now()
	}
	body, err := encode(item)
	return store.DocumentChange{
		Document: store.Document{Kind: kindQueueItem, ID: id, Parent: queueID, Name: item.ObjectID, State: string(status), Body: body},
		Expect:   expect,
	}, err
}

func checkStatus(status model.AnnotationStatus) error {
	return oneOf("status", status, model.AnnotationPending, model.AnnotationCompleted)
}

func readQueueItem(d store.Document) (model.AnnotationItem, error) {
	var item model.AnnotationItem
	err := decode(d, &item)
	item.ID, item.QueueID, item.CreatedAt, item.UpdatedAt = d.ID, d.Parent, d.CreatedAt, d.UpdatedAt
	return item, err
}
