// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// experimentBody is a run with a summary of what happened in it.
type experimentBody struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	StartTime   timestamp `json:"startTime"`
	EndTime     timestamp `json:"endTime"`
	ItemCount   int64     `json:"itemCount"`
	DatasetID   nullText  `json:"datasetId"`

	Metadata json.RawMessage `json:"metadata,omitempty"`
	*scoresFields
}

type scoresFields struct {
	Scores []scoreBody `json:"scores"`
}

// experiments lists runs, those with the latest activity first.
func (a *API) experiments(ctx context.Context, r *web.Request) (web.Reply, error) {
	q, err := query.ParseExperiments(r.Project(), r.URL.RawQuery)
	if err != nil {
		return web.Reply{}, err
	}
	page, err := a.Store.ListExperiments(ctx, q)
	if err != nil {
		return web.Reply{}, err
	}
	list := listBody[experimentBody]{Data: make([]experimentBody, len(page.Rows))}
	for i := range page.Rows {
		row := &page.Rows[i]
		body := experimentBody{
			ID: row.ID, Name: row.Name, Description: row.Description, StartTime: timestamp(row.Start), EndTime: timestamp(row.End),
			ItemCount: row.ItemCount, DatasetID: nullText(row.DatasetID),
		}
		if q.WithMetadata {
			body.Metadata = textMetadata(row.Metadata)
		}
		if q.ScoreLimit > 0 {
			body.scoresFields = &scoresFields{scoreBodies(q.Project, row.Scores, query.ScoreGroupSubject)}
		}
		list.Data[i] = body
	}
	if page.Next != nil {
		list.Meta.Cursor = query.EncodeCursor(query.ListExperiments, q.Project, query.Position{Time: page.Next.LastStart, ExperimentID: page.Next.ID})
	}
	return web.JSON(list), nil
}
