// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// RunItemCreate links a dataset item to a trace, in a run that it makes if there is none yet.
type RunItemCreate struct {
	RunName string
	// RunDescription and RunMetadata replace those of the run where they are given.
	RunDescription *string
	RunMetadata    json.RawMessage
	DatasetItemID  string
	TraceID        string
	ObservationID  string
	// DatasetVersion takes the item as it was at a time; zero is now.
	DatasetVersion time.Time
	// CreatedAt is zero for now.
	CreatedAt time.Time
}

func errNoRun() error { return notFound("Dataset run not found") }

// CreateRunItem links an item to a trace. The same again is the same link.
func (c *Catalog) CreateRunItem(ctx context.Context, project string, create RunItemCreate) (model.DatasetRunItem, error) {
	if err := create.check(); err != nil {
		return model.DatasetRunItem{}, err
	}
	item, err := c.itemAt(ctx, project, create.DatasetItemID, create.DatasetVersion)
	if err != nil {
		return model.DatasetRunItem{}, err
	}
	runID := ExperimentID(project, item.DatasetID, create.RunName)
	link, err := encode(model.DatasetRunItem{
		RunName: create.RunName, DatasetItemID: item.ID, TraceID: create.TraceID, ObservationID: create.ObservationID,
		DatasetVersion: create.DatasetVersion, CreatedAt: create.CreatedAt,
	})
	if err != nil {
		return model.DatasetRunItem{}, err
	}
	var changes []store.DocumentChange
	err = c.change(ctx, project, func() ([]store.DocumentChange, error) {
		changes = []store.DocumentChange{{
			Document: store.Document{
				Kind: kindDatasetRunItem, ID: idOf(kindDatasetRunItem, runID, item.ID, create.TraceID, create.ObservationID),
				Parent: runID, Name: item.ID, Body: link,
			},
			Expect: store.AnyRevision,
		}}
		run, err := c.planRun(ctx, project, runID, item, &create)
		if err != nil {
			return nil, err
		}
		changes = append(changes, run...)
		return changes, nil
	})
	if err != nil {
		return model.DatasetRunItem{}, err
	}
	return readRunItem(changes[0].Document)
}

func (r *RunItemCreate) check() error {
	if err := checkText("runName", r.RunName, 1, maxName); err != nil {
		return err
	}
	if err := checkText("datasetItemId", r.DatasetItemID, 1, maxID); err != nil {
		return err
	}
	for field, text := range map[string]string{"traceId": r.TraceID, "observationId": r.ObservationID} {
		if err := checkText(field, text, 0, maxName); err != nil {
			return err
		}
	}
	if r.TraceID == "" && r.ObservationID == "" {
		err := invalid("", "observationId or traceId must be provided")
		err.Path = []string{"observationId", "traceId"}
		return err
	}
	if r.RunDescription != nil {
		if err := checkText("runDescription", *r.RunDescription, 0, maxDescription); err != nil {
			return err
		}
	}
	return checkJSON("metadata", r.RunMetadata)
}

// planRun is the change that the run needs, if any: a run with thousands of items must not be written anew with each.
func (c *Catalog) planRun(ctx context.Context, project, id string, item model.DatasetItem, create *RunItemCreate) ([]store.DocumentChange, error) {
	d, err := c.find(ctx, project, kindDatasetRun, id)
	if err != nil {
		return nil, err
	}
	run := model.DatasetRun{Name: create.RunName, DatasetName: item.DatasetName}
	if d.Revision != store.NoRevision {
		if run, err = readRun(d); err != nil {
			return nil, err
		}
	}
	isNew := d.Revision == store.NoRevision
	if create.RunDescription != nil && *create.RunDescription != run.Description {
		run.Description, isNew = *create.RunDescription, true
	}
	if !isNull(create.RunMetadata) && !sameJSON(create.RunMetadata, run.Metadata) {
		run.Metadata, isNew = create.RunMetadata, true
	}
	if !isNew {
		return nil, nil
	}
	body, err := encode(run)
	if err != nil {
		return nil, err
	}
	return []store.DocumentChange{{
		Document: store.Document{Kind: kindDatasetRun, ID: id, Parent: item.DatasetID, Name: create.RunName, Body: body},
		Expect:   d.Revision,
	}}, nil
}

// sameJSON compares two values but for blanks.
func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// Runs lists the runs of a dataset, newest first.
func (c *Catalog) Runs(ctx context.Context, project, datasetName string, page Page) (List[model.DatasetRun], error) {
	dataset, err := c.Dataset(ctx, project, datasetName)
	if err != nil {
		return List[model.DatasetRun]{}, err
	}
	return list(ctx, c, query.Documents{Project: project, Kind: kindDatasetRun, Parents: []string{dataset.ID}}, page, readRun)
}

// Run is a run of a dataset with all its items, newest first.
func (c *Catalog) Run(ctx context.Context, project, datasetName, runName string) (model.DatasetRun, []model.DatasetRunItem, error) {
	run, err := c.run(ctx, project, datasetID(project, datasetName), runName)
	if err != nil {
		return model.DatasetRun{}, nil, err
	}
	documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindDatasetRunItem, Parents: []string{run.ID}})
	if err != nil {
		return model.DatasetRun{}, nil, err
	}
	items, err := readAll(documents, readRunItem)
	return run, items, err
}

func (c *Catalog) run(ctx context.Context, project, dataset, runName string) (model.DatasetRun, error) {
	d, err := c.find(ctx, project, kindDatasetRun, ExperimentID(project, dataset, runName))
	if err != nil {
		return model.DatasetRun{}, err
	}
	if d.Revision == store.NoRevision {
		return model.DatasetRun{}, errNoRun()
	}
	return readRun(d)
}

// RunItems lists the items of a run of a dataset, newest first.
func (c *Catalog) RunItems(ctx context.Context, project, dataset, runName string, page Page) (List[model.DatasetRunItem], error) {
	run, err := c.run(ctx, project, dataset, runName)
	if err != nil {
		return List[model.DatasetRunItem]{}, err
	}
	return list(ctx, c, query.Documents{Project: project, Kind: kindDatasetRunItem, Parents: []string{run.ID}}, page, readRunItem)
}

// DeleteRun deletes a run and its items. The run goes last, so that it can be tried again when something fails.
func (c *Catalog) DeleteRun(ctx context.Context, project, datasetName, runName string) error {
	run, err := c.run(ctx, project, datasetID(project, datasetName), runName)
	if err != nil {
		return err
	}
	items, err := c.collect(ctx, query.Documents{Project: project, Kind: kindDatasetRunItem, Parents: []string{run.ID}})
	if err != nil {
		return err
	}
	changes := make([]store.DocumentChange, 0, len(items)+1)
	for _, d := range items {
		d.Revision = store.AnyRevision
		changes = append(changes, remove(d))
	}
	changes = append(changes, remove(store.Document{Kind: kindDatasetRun, ID: run.ID, Revision: store.AnyRevision}))
	for part := range slices.Chunk(changes, store.MaxDocumentChanges) {
		if err := c.documents.WriteDocuments(ctx, project, part); err != nil {
			return err
		}
	}
	return nil
}

func readRun(d store.Document) (model.DatasetRun, error) {
	var run model.DatasetRun
	err := decode(d, &run)
	run.ID, run.DatasetID, run.CreatedAt, run.UpdatedAt = d.ID, d.Parent, d.CreatedAt, d.UpdatedAt
	return run, err
}

func readRunItem(d store.Document) (model.DatasetRunItem, error) {
	var item model.DatasetRunItem
	err := decode(d, &item)
	item.ID, item.RunID, item.UpdatedAt = d.ID, d.Parent, d.UpdatedAt
	if item.CreatedAt.IsZero() {
		item.CreatedAt = d.CreatedAt
	}
	return item, err
}
