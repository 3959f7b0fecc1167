// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"encoding/json"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// DatasetItemUpsert makes a dataset item, or changes the one with its id. What is not given stays as it is.
type DatasetItemUpsert struct {
	DatasetName string
	// ID may be empty for a new one.
	ID                  string
	Input               json.RawMessage
	ExpectedOutput      json.RawMessage
	Metadata            json.RawMessage
	SourceTraceID       string
	SourceObservationID string
	Status              model.DatasetItemStatus
}

// DatasetItemQuery asks for items; empty texts are no condition.
type DatasetItemQuery struct {
	DatasetName         string
	SourceTraceID       string
	SourceObservationID string
	// Version asks for the items as they were at a time; it needs a dataset.
	Version time.Time
	// MaxBytes bounds a page; 0 is no bound.
	MaxBytes int64
}

func errNoDatasetItem() error { return notFound("Dataset item not found") }

// DatasetItems lists the active items, newest first.
func (c *Catalog) DatasetItems(ctx context.Context, project string, q DatasetItemQuery, page Page) (List[model.DatasetItem], error) {
	documents := query.Documents{
		Project: project, Kind: kindDatasetItem, States: []string{string(model.DatasetItemActive)}, AsOf: momentOf(q.Version),
		MaxBytes: q.MaxBytes,
	}
	if q.DatasetName != "" {
		dataset, err := c.Dataset(ctx, project, q.DatasetName)
		if err != nil {
			return List[model.DatasetItem]{}, err
		}
		documents.Parents = []string{dataset.ID}
	} else if !q.Version.IsZero() {
		return List[model.DatasetItem]{}, invalid("version", "version can only be used together with datasetName")
	}
	if q.SourceTraceID != "" {
		documents.Names = []string{q.SourceTraceID}
	}
	if q.SourceObservationID == "" {
		return list(ctx, c, documents, page, readDatasetItem)
	}
	all, err := c.collect(ctx, documents)
	if err != nil {
		return List[model.DatasetItem]{}, err
	}
	items, err := readAll(all, readDatasetItem)
	if err != nil {
		return List[model.DatasetItem]{}, err
	}
	var found []model.DatasetItem
	for i := range items {
		if items[i].SourceObservationID == q.SourceObservationID {
			found = append(found, items[i])
		}
	}
	return cut(found, page)
}

// DatasetItemIDs are the ids of all active items of a dataset, newest first.
func (c *Catalog) DatasetItemIDs(ctx context.Context, project, datasetID string) ([]string, error) {
	items, err := c.collect(ctx, query.Documents{
		Project: project, Kind: kindDatasetItem, Parents: []string{datasetID}, States: []string{string(model.DatasetItemActive)}, NoBodies: true,
	})
	ids := make([]string, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	return ids, err
}

// momentOf is the time that a version stands for. Times are shown in whole milliseconds; so one that was taken from an
// item must show that item, which was written within that millisecond.
func momentOf(version time.Time) time.Time {
	if version.IsZero() {
		return version
	}
	version = version.UTC().Truncate(time.Microsecond)
	if version.Equal(version.Truncate(time.Millisecond)) {
		return version.Add(time.Millisecond - time.Microsecond)
	}
	return version
}

// DatasetItem is the item with an id, archived or not.
func (c *Catalog) DatasetItem(ctx context.Context, project, id string) (model.DatasetItem, error) {
	return c.itemAt(ctx, project, id, time.Time{})
}

// itemAt is the item as it was at a time.
func (c *Catalog) itemAt(ctx context.Context, project, id string, version time.Time) (model.DatasetItem, error) {
	if id == "" || len(id) > store.MaxDocumentKey {
		return model.DatasetItem{}, errNoDatasetItem()
	}
	page, err := c.documents.ListDocuments(ctx, query.Documents{
		Project: project, Kind: kindDatasetItem, IDs: []string{id}, AsOf: momentOf(version), Limit: 2,
	})
	if err != nil {
		return model.DatasetItem{}, err
	}
	if len(page.Rows) == 0 {
		return model.DatasetItem{}, errNoDatasetItem()
	}
	return readDatasetItem(page.Rows[0])
}

// UpsertDatasetItem makes or changes an item.
func (c *Catalog) UpsertDatasetItem(ctx context.Context, project string, upsert DatasetItemUpsert) (model.DatasetItem, error) {
	if err := upsert.check(); err != nil {
		return model.DatasetItem{}, err
	}
	dataset, err := c.Dataset(ctx, project, upsert.DatasetName)
	if err != nil {
		return model.DatasetItem{}, err
	}
	schemas, err := schemasOf(dataset.InputSchema, dataset.ExpectedOutputSchema)
	if err != nil {
		return model.DatasetItem{}, err
	}
	id := upsert.ID
	if id == "" {
		id = newID()
	}
	var stored store.Document // the item where nothing changes
	var changes []store.DocumentChange
	err = c.change(ctx, project, func() ([]store.DocumentChange, error) {
		stored, changes = store.Document{}, nil
		d, err := c.find(ctx, project, kindDatasetItem, id)
		if err != nil {
			return nil, err
		}
		item := model.DatasetItem{DatasetName: dataset.Name, Status: model.DatasetItemActive}
		if d.Revision != store.NoRevision {
			if d.Parent != dataset.ID {
				return nil, conflict("Dataset item with id %s already exists in another dataset", id)
			}
			if item, err = readDatasetItem(d); err != nil {
				return nil, err
			}
		}
		upsert.apply(&item)
		if err := schemas.check(&item); err != nil {
			return nil, err
		}
		body, err := encode(item)
		if err != nil {
			return nil, err
		}
		if d.Revision != store.NoRevision && d.Body == body {
			stored = d // a new version would be the same
			return nil, nil
		}
		changes = []store.DocumentChange{{
			Document: store.Document{
				Kind: kindDatasetItem, ID: id, Parent: dataset.ID, Name: item.SourceTraceID, State: string(item.Status), Body: body,
			},
			Expect: d.Revision, KeepOld: true,
		}}
		return changes, nil
	})
	if err != nil {
		return model.DatasetItem{}, err
	}
	if len(changes) > 0 {
		stored = changes[0].Document
	}
	return readDatasetItem(stored)
}

func (u *DatasetItemUpsert) check() error {
	for field, text := range map[string]string{"id": u.ID, "sourceTraceId": u.SourceTraceID, "sourceObservationId": u.SourceObservationID} {
		if err := checkText(field, text, 0, maxID); err != nil {
			return err
		}
	}
	for field, value := range map[string]json.RawMessage{"input": u.Input, "expectedOutput": u.ExpectedOutput, "metadata": u.Metadata} {
		if err := checkJSON(field, value); err != nil {
			return err
		}
	}
	if u.Status == "" {
		return nil
	}
	return oneOf("status", u.Status, model.DatasetItemActive, model.DatasetItemArchived)
}

func (u *DatasetItemUpsert) apply(item *model.DatasetItem) {
	item.Input = firstOf(u.Input, item.Input)
	item.ExpectedOutput = firstOf(u.ExpectedOutput, item.ExpectedOutput)
	item.Metadata = firstOf(u.Metadata, item.Metadata)
	if u.SourceTraceID != "" {
		item.SourceTraceID = u.SourceTraceID
	}
	if u.SourceObservationID != "" {
		item.SourceObservationID = u.SourceObservationID
	}
	if u.Status != "" {
		item.Status = u.Status
	}
}

// DeleteDatasetItem deletes an item. Those who ask for a version of before still find it.
func (c *Catalog) DeleteDatasetItem(ctx context.Context, project, id string) error {
	return c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.find(ctx, project, kindDatasetItem, id)
		if err != nil {
			return nil, err
		}
		if d.Revision == store.NoRevision {
			return nil, errNoDatasetItem()
		}
		change := remove(d)
		change.KeepOld = true
		return []store.DocumentChange{change}, nil
	})
}

func readDatasetItem(d store.Document) (model.DatasetItem, error) {
	var item model.DatasetItem
	err := decode(d, &item)
	item.ID, item.DatasetID, item.CreatedAt, item.UpdatedAt = d.ID, d.Parent, d.CreatedAt, d.UpdatedAt
	return item, err
}
