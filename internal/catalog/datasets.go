// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// DatasetUpsert makes a dataset, or changes the one with its name. What is not given stays as it is.
type DatasetUpsert struct {
	Name                 string
	Description          *string
	Metadata             json.RawMessage
	InputSchema          json.RawMessage
	ExpectedOutputSchema json.RawMessage
}

func errNoDataset() error { return notFound("Dataset not found") }

// A dataset has an id that follows from its name, so that two who make it at the same time make the same.
func datasetID(project, name string) string { return idOf(kindDataset, project, name) }

// Datasets lists the datasets, newest first.
func (c *Catalog) Datasets(ctx context.Context, project string, page Page) (List[model.Dataset], error) {
	return list(ctx, c, query.Documents{Project: project, Kind: kindDataset}, page, readDataset)
}

// Dataset is the dataset with a name.
func (c *Catalog) Dataset(ctx context.Context, project, name string) (model.Dataset, error) {
	return c.DatasetByID(ctx, project, datasetID(project, name))
}

// DatasetByID is the dataset with an id.
func (c *Catalog) DatasetByID(ctx context.Context, project, id string) (model.Dataset, error) {
	d, err := c.find(ctx, project, kindDataset, id)
	if err != nil {
		return model.Dataset{}, err
	}
	if d.Revision == store.NoRevision {
		return model.Dataset{}, errNoDataset()
	}
	return readDataset(d)
}

// UpsertDataset makes or changes a dataset. A schema that items of the dataset do not fit is refused.
func (c *Catalog) UpsertDataset(ctx context.Context, project string, upsert DatasetUpsert) (model.Dataset, error) {
	if err := upsert.check(); err != nil {
		return model.Dataset{}, err
	}
	var changes []store.DocumentChange
	err := c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.find(ctx, project, kindDataset, datasetID(project, upsert.Name))
		if err != nil {
			return nil, err
		}
		dataset := model.Dataset{Name: upsert.Name}
		if d.Revision != store.NoRevision {
			if dataset, err = readDataset(d); err != nil {
				return nil, err
			}
		}
		set(&dataset.Description, upsert.Description)
		dataset.Metadata = firstOf(upsert.Metadata, dataset.Metadata)
		dataset.InputSchema = firstOf(upsert.InputSchema, dataset.InputSchema)
		dataset.ExpectedOutputSchema = firstOf(upsert.ExpectedOutputSchema, dataset.ExpectedOutputSchema)
		if d.Revision != store.NoRevision && firstOf(upsert.InputSchema, upsert.ExpectedOutputSchema) != nil {
			if err := c.checkItems(ctx, project, dataset); err != nil {
				return nil, err
			}
		}
		body, err := encode(dataset)
		if err != nil {
			return nil, err
		}
		changes = []store.DocumentChange{{
			Document: store.Document{Kind: kindDataset, ID: datasetID(project, upsert.Name), Name: upsert.Name, Body: body},
			Expect:   d.Revision,
		}}
		return changes, nil
	})
	if err != nil {
		return model.Dataset{}, err
	}
	return readDataset(changes[0].Document)
}

func (u *DatasetUpsert) check() error {
	if err := checkName("name", u.Name); err != nil {
		return err
	}
	if u.Description != nil {
		if err := checkText("description", *u.Description, 0, maxDescription); err != nil {
			return err
		}
	}
	if err := checkJSON("metadata", u.Metadata); err != nil {
		return err
	}
	_, err := schemasOf(u.InputSchema, u.ExpectedOutputSchema)
	return err
}

// checkItems holds all active items of a dataset to its schemas.
func (c *Catalog) checkItems(ctx context.Context, project string, dataset model.Dataset) error {
	schemas, err := schemasOf(dataset.InputSchema, dataset.ExpectedOutputSchema)
	if err != nil {
		return err
	}
	items, err := c.collect(ctx, query.Documents{
		Project: project, Kind: kindDatasetItem, Parents: []string{dataset.ID}, States: []string{string(model.DatasetItemActive)},
	})
	if err != nil {
		return err
	}
	for _, d := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		item, err := readDatasetItem(d)
		if err != nil {
			return err
		}
		if err := schemas.check(&item); err != nil {
			return invalid("", "dataset item %s: %v", item.ID, err)
		}
	}
	return nil
}

func readDataset(d store.Document) (model.Dataset, error) {
	var dataset model.Dataset
	err := decode(d, &dataset)
	dataset.ID, dataset.CreatedAt, dataset.UpdatedAt = d.ID, d.CreatedAt, d.UpdatedAt
	return dataset, err
}

// schemas are those of a dataset.
type schemas struct{ input, expectedOutput *schema }

func schemasOf(input, expectedOutput json.RawMessage) (s schemas, err error) {
	if s.input, err = compileSchema("inputSchema", input); err != nil {
		return schemas{}, err
	}
	s.expectedOutput, err = compileSchema("expectedOutputSchema", expectedOutput)
	return s, err
}

func (s schemas) check(item *model.DatasetItem) error {
	if err := fits(s.input, "input", item.Input); err != nil {
		return err
	}
	return fits(s.expectedOutput, "expectedOutput", item.ExpectedOutput)
}
