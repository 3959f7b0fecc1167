// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// experimentItemBody is one input of a run and what came of it. Texts are shown as they were sent, an absent one as "".
type experimentItemBody struct {
	ID               string      `json:"id"`
	TraceID          string      `json:"traceId"`
	StartTime        timestamp   `json:"startTime"`
	EndTime          timestamp   `json:"endTime"`
	Level            model.Level `json:"level"`
	Environment      string      `json:"environment"`
	ExperimentID     string      `json:"experimentId"`
	ExperimentName   string      `json:"experimentName"`
	ExperimentItemID string      `json:"experimentItemId"`

	*itemDataset
	*itemIO
	Metadata     json.RawMessage `json:"metadata,omitempty"`
	ItemMetadata json.RawMessage `json:"experimentItemMetadata,omitempty"`
	*itemExperiment
	*scoresFields
}

type itemDataset struct {
	DatasetID   nullText  `json:"experimentDatasetId"`
	ItemVersion timestamp `json:"experimentItemVersion"`
}

type itemIO struct {
	Input          string `json:"input"`
	Output         string `json:"output"`
	ExpectedOutput string `json:"expectedOutput"`
}

type itemExperiment struct {
	Metadata    json.RawMessage `json:"experimentMetadata"`
	Description string          `json:"experimentDescription"`
}

// experimentItems lists items of all runs, newest first.
func (a *API) experimentItems(ctx context.Context, r *web.Request) (web.Reply, error) {
	asked, err := query.ParseExperimentItems(r.Project(), r.URL.RawQuery)
	if err != nil {
		return web.Reply{}, err
	}
	page, err := a.Store.ListExperimentItems(ctx, asked.Query)
	if err != nil {
		return web.Reply{}, err
	}
	list := listBody[experimentItemBody]{Data: make([]experimentItemBody, len(page.Rows))}
	for i := range page.Rows {
		list.Data[i] = newExperimentItem(r.Project(), &page.Rows[i], asked.Groups)
	}
	if page.Next != nil {
		list.Meta.Cursor = query.EncodeCursor(query.ListExperimentItems, r.Project(), query.Position{
			Time: page.Next.Start, TraceID: page.Next.TraceID, ID: page.Next.ID,
		})
	}
	return web.JSON(list), nil
}

func newExperimentItem(project string, row *store.ExperimentItem, groups query.ItemGroups) experimentItemBody {
	o, e := &row.Observation, &row.Experiment
	body := experimentItemBody{
		ID: o.ID, TraceID: o.TraceID, StartTime: timestamp(o.Start), EndTime: timestamp(o.End), Level: o.Level, Environment: o.Environment,
		ExperimentID: e.ID, ExperimentName: e.Name, ExperimentItemID: e.ItemID,
	}
	if groups.Has(query.ItemGroupDataset) {
		body.itemDataset = &itemDataset{DatasetID: nullText(e.DatasetID), ItemVersion: timestamp(e.ItemVersion)}
	}
	if groups.Has(query.ItemGroupIO) {
		body.itemIO = &itemIO{Input: o.Input, Output: o.Output, ExpectedOutput: e.ItemExpectedOutput}
	}
	if groups.Has(query.ItemGroupMetadata) {
		body.Metadata = textMetadata(o.Metadata)
	}
	if groups.Has(query.ItemGroupItemMetadata) {
		body.ItemMetadata = textMetadata(e.ItemMetadata)
	}
	if groups.Has(query.ItemGroupExperimentMetadata) {
		body.itemExperiment = &itemExperiment{Metadata: textMetadata(e.Metadata), Description: e.Description}
	}
	if groups.Has(query.ItemGroupScores) {
		body.scoresFields = &scoresFields{scoreBodies(project, row.Scores, query.ScoreGroupSubject)}
	}
	return body
}
