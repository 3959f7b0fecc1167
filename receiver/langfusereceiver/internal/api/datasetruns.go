// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type runItemBody struct {
	ID             string    `json:"id"`
	DatasetRunID   string    `json:"datasetRunId"`
	DatasetRunName string    `json:"datasetRunName"`
	DatasetItemID  string    `json:"datasetItemId"`
	TraceID        string    `json:"traceId"`
	ObservationID  nullText  `json:"observationId"`
	CreatedAt      timestamp `json:"createdAt"`
	UpdatedAt      timestamp `json:"updatedAt"`
}

type runBody struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description nullText        `json:"description"`
	Metadata    json.RawMessage `json:"metadata"`
	DatasetID   string          `json:"datasetId"`
	DatasetName string          `json:"datasetName"`
	CreatedAt   timestamp       `json:"createdAt"`
	UpdatedAt   timestamp       `json:"updatedAt"`
}

// The answers of the routes that the experiments have replaced, lists aside.
type (
	runWithItemsBody struct {
		runBody
		DatasetRunItems []runItemBody `json:"datasetRunItems"`
		noticed
	}
	runDeletedBody struct {
		web.MessageBody
		noticed
	}
)

func newRun(run *model.DatasetRun) runBody {
	return runBody{
		ID: run.ID, Name: run.Name, Description: nullText(run.Description), Metadata: run.Metadata,
		DatasetID: run.DatasetID, DatasetName: run.DatasetName, CreatedAt: timestamp(run.CreatedAt), UpdatedAt: timestamp(run.UpdatedAt),
	}
}

func newRunItem(item *model.DatasetRunItem) runItemBody {
	return runItemBody{
		ID: item.ID, DatasetRunID: item.RunID, DatasetRunName: item.RunName, DatasetItemID: item.DatasetItemID,
		TraceID: item.TraceID, ObservationID: nullText(item.ObservationID),
		CreatedAt: timestamp(item.CreatedAt), UpdatedAt: timestamp(item.UpdatedAt),
	}
}

func (a *API) createRunItem(ctx context.Context, r *web.Request) (web.Reply, error) {
	o, err := readObject(r, maxBody)
	if err != nil {
		return web.Reply{}, err
	}
	create := catalog.RunItemCreate{
		RunName: o.RequiredText("runName", 1, maxText), RunDescription: optionalText(o, "runDescription"), RunMetadata: o.Raw("metadata"),
		DatasetItemID: o.RequiredText("datasetItemId", 1, maxText),
		TraceID:       o.OptionalText("traceId", 0, maxText), ObservationID: o.OptionalText("observationId", 0, maxText),
		DatasetVersion: o.LenientTime("datasetVersion"), CreatedAt: o.Time("createdAt"),
	}
	o.NoOthers()
	if err := o.Err(); err != nil {
		return web.Reply{}, err
	}
	item, err := a.Catalog.CreateRunItem(ctx, r.Project(), create)
	if err != nil {
		return web.Reply{}, err
	}
	return web.JSON(newRunItem(&item)), nil
}

func (a *API) listRunItems(ctx context.Context, r *web.Request) (legacyBody, error) {
	p := validation.NewParams(r.URL.RawQuery)
	dataset, run := requiredParam(p, "datasetId"), requiredParam(p, "runName")
	page := catalog.Page(p.Page(defaultLimit))
	if err := p.Err(); err != nil {
		return nil, err
	}
	list, err := a.Catalog.RunItems(ctx, r.Project(), dataset, run, page)
	if err != nil {
		return nil, err
	}
	return newPage(list, page, newRunItem), nil
}

// requiredParam is a parameter without which there is no answer.
func requiredParam(p *validation.Params, name string) string {
	if len(p.Texts(name)) == 0 {
		p.Add(validation.Missing("string", name))
	}
	return textParam(p, name)
}

func (a *API) listRuns(ctx context.Context, r *web.Request) (legacyBody, error) {
	page, err := pageParams(r)
	if err != nil {
		return nil, err
	}
	list, err := a.Catalog.Runs(ctx, r.Project(), r.Segment("name"), page)
	if err != nil {
		return nil, err
	}
	return newPage(list, page, newRun), nil
}

func (a *API) getRun(ctx context.Context, r *web.Request) (legacyBody, error) {
	run, items, err := a.Catalog.Run(ctx, r.Project(), r.Segment("name"), r.Segment("run"))
	if err != nil {
		return nil, err
	}
	body := &runWithItemsBody{runBody: newRun(&run), DatasetRunItems: make([]runItemBody, len(items))}
	for i := range items {
		body.DatasetRunItems[i] = newRunItem(&items[i])
	}
	return body, nil
}

func (a *API) deleteRun(ctx context.Context, r *web.Request) (legacyBody, error) {
	if err := a.Catalog.DeleteRun(ctx, r.Project(), r.Segment("name"), r.Segment("run")); err != nil {
		return nil, err
	}
	return &runDeletedBody{MessageBody: web.MessageBody{Message: "Dataset run successfully deleted"}}, nil
}
