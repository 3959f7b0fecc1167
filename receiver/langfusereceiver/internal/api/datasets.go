// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type datasetBody struct {
	ID                   string          `json:"id"`
	ProjectID            string          `json:"projectId"`
	Name                 string          `json:"name"`
	Description          nullText        `json:"description"`
	Metadata             json.RawMessage `json:"metadata"`
	InputSchema          json.RawMessage `json:"inputSchema"`
	ExpectedOutputSchema json.RawMessage `json:"expectedOutputSchema"`
	CreatedAt            timestamp       `json:"createdAt"`
	UpdatedAt            timestamp       `json:"updatedAt"`
}

// oldDatasetBody is a dataset as the first version of the API has it: with ids of items in lists, with whole items alone.
type oldDatasetBody[T any] struct {
	datasetBody
	Items []T      `json:"items"`
	Runs  []string `json:"runs"`
}

func newDataset(r *web.Request, d *model.Dataset) datasetBody {
	return datasetBody{
		ID: d.ID, ProjectID: r.Project(), Name: d.Name, Description: nullText(d.Description), Metadata: d.Metadata,
		InputSchema: d.InputSchema, ExpectedOutputSchema: d.ExpectedOutputSchema,
		CreatedAt: timestamp(d.CreatedAt), UpdatedAt: timestamp(d.UpdatedAt),
	}
}

func (a *API) listDatasets(ctx context.Context, r *web.Request) (web.Reply, error) {
	page, err := pageParams(r)
	if err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.Datasets(ctx, r.Project(), page)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newPage(list, page, func(d *model.Dataset) datasetBody { return newDataset(r, d) })), nil
}

func (a *API) getDataset(ctx context.Context, r *web.Request) (web.Reply, error) {
	dataset, err := a.Catalog.Dataset(ctx, r.Project(), r.Segment("name"))
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newDataset(r, &dataset)), nil
}

func (a *API) createDataset(ctx context.Context, r *web.Request) (web.Reply, error) {
	dataset, err := a.upsertDataset(ctx, r)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newDataset(r, &dataset)), nil
}

func (a *API) upsertDataset(ctx context.Context, r *web.Request) (model.Dataset, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return model.Dataset{}, err
	}
	upsert := catalog.DatasetUpsert{
		Name: o.RequiredText("name", 1, maxText), Description: optionalText(o, "description"), Metadata: o.Raw("metadata"),
		InputSchema: o.Raw("inputSchema"), ExpectedOutputSchema: o.Raw("expectedOutputSchema"),
	}
	if err := o.Err(); err != nil {
		return model.Dataset{}, err
	}
	return a.Catalog.UpsertDataset(ctx, r.Project(), upsert)
}

func (a *API) listOldDatasets(ctx context.Context, r *web.Request) (web.Reply, error) {
	page, err := pageParams(r)
	if err != nil {
		return web.Reply{}, err
	}
	list, err := a.Catalog.Datasets(ctx, r.Project(), page)
	if err != nil {
		return web.Reply{}, err
	}
	left := room(a.MaxResponse)
	old := catalog.List[oldDatasetBody[string]]{Total: list.Total}
	for i := range list.Rows {
		items, err := a.Catalog.DatasetItemIDs(ctx, r.Project(), list.Rows[i].ID)
		if err != nil {
			return web.Reply{}, err
		}
		if err := left.take(items...); err != nil {
			return web.Reply{}, err
		}
		body := oldDatasetBody[string]{datasetBody: newDataset(r, &list.Rows[i]), Items: items}
		if body.Runs, err = a.runNames(ctx, r.Project(), list.Rows[i].Name); err != nil {
			return web.Reply{}, err
		}
		old.Rows = append(old.Rows, body)
	}
	return web.JSON(newPage(old, page, func(body *oldDatasetBody[string]) oldDatasetBody[string] { return *body })), nil
}

func (a *API) getOldDataset(ctx context.Context, r *web.Request) (web.Reply, error) {
	dataset, err := a.Catalog.Dataset(ctx, r.Project(), r.Segment("name"))
	if err != nil {
		return web.Reply{}, err
	}
	return a.oldDataset(ctx, r, &dataset)
}

func (a *API) createOldDataset(ctx context.Context, r *web.Request) (web.Reply, error) {
	dataset, err := a.upsertDataset(ctx, r)
	if err != nil {
		return web.Reply{}, err
	}
	return a.oldDataset(ctx, r, &dataset)
}

func (a *API) oldDataset(ctx context.Context, r *web.Request, dataset *model.Dataset) (web.Reply, error) {
	items, err := a.itemsOf(ctx, r.Project(), dataset.Name)
	if err != nil {
		return web.Reply{}, err
	}
	body := oldDatasetBody[datasetItemBody]{datasetBody: newDataset(r, dataset)}
	if body.Items, err = a.newDatasetItems(ctx, r, items); err != nil {
		return web.Reply{}, err
	}
	if body.Runs, err = a.runNames(ctx, r.Project(), dataset.Name); err != nil {
		return web.Reply{}, err
	}
	return web.JSON(body), nil
}

// itemsOf are all active items of a dataset, as far as they fit in an answer.
func (a *API) itemsOf(ctx context.Context, project, name string) ([]model.DatasetItem, error) {
	left := room(a.MaxResponse)
	return allPages(func(page catalog.Page) (catalog.List[model.DatasetItem], error) {
		list, err := a.Catalog.DatasetItems(ctx, project, catalog.DatasetItemQuery{DatasetName: name, MaxBytes: a.MaxResponse}, page)
		for i := range list.Rows {
			item := &list.Rows[i]
			if err := left.take(string(item.Input), string(item.ExpectedOutput), string(item.Metadata)); err != nil {
				return catalog.List[model.DatasetItem]{}, err
			}
		}
		return list, err
	})
}

// runNames are the names of all runs of a dataset; never null.
func (a *API) runNames(ctx context.Context, project, name string) ([]string, error) {
	runs, err := allPages(func(page catalog.Page) (catalog.List[model.DatasetRun], error) {
		return a.Catalog.Runs(ctx, project, name, page)
	})
	names := make([]string, len(runs))
	for i := range runs {
		names[i] = runs[i].Name
	}
	return names, err
}

// allPages reads a list from its begin to its end.
func allPages[T any](read func(catalog.Page) (catalog.List[T], error)) ([]T, error) {
	var all []T
	for number := 1; ; number++ {
		list, err := read(catalog.Page{Number: number, Limit: query.MaxLimit})
		if err != nil {
			return nil, err
		}
		all = append(all, list.Rows...)
		if len(list.Rows) < query.MaxLimit {
			return all, nil
		}
	}
}
