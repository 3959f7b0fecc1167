// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// legacyTraceBody is a trace by itself.
type legacyTraceBody struct {
	ID          string          `json:"id"`
	ProjectID   string          `json:"projectId"`
	Timestamp   timestamp       `json:"timestamp"`
	Name        nullText        `json:"name"`
	UserID      nullText        `json:"userId"`
	SessionID   nullText        `json:"sessionId"`
	Release     nullText        `json:"release"`
	Version     nullText        `json:"version"`
	Environment string          `json:"environment"`
	Public      bool            `json:"public"`
	Bookmarked  bool            `json:"bookmarked"`
	Tags        []string        `json:"tags"`
	Input       json.RawMessage `json:"input"`
	Output      json.RawMessage `json:"output"`
	Metadata    json.RawMessage `json:"metadata"`
	// ExternalID is always null; readers look for the key.
	ExternalID nullText  `json:"externalId"`
	CreatedAt  timestamp `json:"createdAt"`
	UpdatedAt  timestamp `json:"updatedAt"`
}

// traceWith is a trace with what belongs to it: ids in a list, all of it for one trace.
type traceWith[O, S any] struct {
	legacyTraceBody
	HTMLPath     string  `json:"htmlPath"`
	Latency      float64 `json:"latency"`
	TotalCost    amount  `json:"totalCost"`
	Observations []O     `json:"observations"`
	Scores       []S     `json:"scores"`
	noticed
}

// notAsked stands where a number was not asked for.
const notAsked = -1

func (a *API) legacyTraces(ctx context.Context, r *web.Request) (legacyBody, error) {
	q, page, err := query.ParseTraces(r.Project(), r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	found, err := a.Store.ListTraces(ctx, q)
	if err != nil {
		return nil, err
	}
	return paged(found.Rows, page, found.Total, func(row *store.Trace) *traceWith[string, string] {
		body := newTraceWith[string, string](q.Project, row, q.Parts)
		body.Observations, body.Scores = listOf(row.ObservationIDs), listOf(row.ScoreIDs)
		return body
	}), nil
}

// legacyTrace is one trace with its observations, in the order in which they began, and its scores.
func (a *API) legacyTrace(ctx context.Context, r *web.Request) (legacyBody, error) {
	parts, err := query.ParseTraceParts(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	id := r.Segment("traceId")
	found, err := a.Store.ListTraces(ctx, query.Traces{
		Project: r.Project(), IDs: []string{id}, Parts: parts &^ (query.TraceObservations | query.TraceScores), Limit: 1,
	})
	if err != nil {
		return nil, err
	}
	if len(found.Rows) == 0 {
		return nil, web.NotFound(fmt.Sprintf("Trace %s not found within authorized project", id))
	}
	body := newTraceWith[*legacyObservationBody, *legacyScoreBody](r.Project(), &found.Rows[0], parts)
	left := room(a.MaxResponse)
	if parts.Has(query.TraceObservations) {
		if body.Observations, err = a.observationsOf(ctx, r, id, &left); err != nil {
			return nil, err
		}
	}
	if parts.Has(query.TraceScores) {
		if body.Scores, err = a.scoresOf(ctx, r.Project(), id, &left); err != nil {
			return nil, err
		}
	}
	return body, nil
}

func newTraceWith[O, S any](project string, row *store.Trace, parts query.TraceParts) *traceWith[O, S] {
	body := &traceWith[O, S]{
		legacyTraceBody: newLegacyTrace(project, row, parts),
		HTMLPath:        "/project/" + url.PathEscape(project) + "/traces/" + url.PathEscape(row.ID),
		Latency:         notAsked, TotalCost: amount(model.DecimalFromFloat(notAsked)),
		Observations: []O{}, Scores: []S{},
	}
	if parts.Has(query.TraceMetrics) {
		body.Latency, body.TotalCost = float64(row.Latency.Milliseconds())/1000, amount(row.TotalCost)
	}
	return body
}

func newLegacyTrace(project string, row *store.Trace, parts query.TraceParts) legacyTraceBody {
	body := legacyTraceBody{
		ID: row.ID, ProjectID: project, Timestamp: timestamp(row.Timestamp), Name: nullText(row.Name), UserID: nullText(row.UserID),
		SessionID: nullText(row.SessionID), Release: nullText(row.Release), Version: nullText(row.Version), Environment: environmentOr(row.Environment),
		Public: row.Public, Bookmarked: row.Bookmarked, Tags: listOf(row.Tags), Input: nullJSON, Output: nullJSON, Metadata: nullJSON,
		CreatedAt: timestamp(row.CreatedAt), UpdatedAt: timestamp(row.UpdatedAt),
	}
	if parts.Has(query.TraceIO) {
		body.Input, body.Output, body.Metadata = parsedJSON(row.Input), parsedJSON(row.Output), nestMetadata(row.Metadata)
	}
	return body
}

// observationsOf are all observations of a trace, the first one first.
func (a *API) observationsOf(ctx context.Context, r *web.Request, traceID string, left *room) ([]*legacyObservationBody, error) {
	project := r.Project()
	prices, err := a.Catalog.Prices(ctx, project)
	if err != nil {
		return nil, err
	}
	bodies := []*legacyObservationBody{}
	q := query.Observations{
		Project: project, Groups: query.GroupAll, Limit: query.MaxLimit,
		Where: []query.Condition{{Column: query.ColumnTraceID, Operator: query.OpEqual, Text: traceID}},
	}
	for {
		page, err := a.listObservations(ctx, r, q)
		if errors.Is(err, store.ErrTooLarge) {
			return nil, errAnswerTooLarge // there are no fewer rows to be asked for
		}
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			row := &page.Rows[i]
			if err := left.take(row.Input, row.Output, row.Metadata); err != nil {
				return nil, err
			}
			bodies = append(bodies, newLegacyObservation(project, row, prices))
		}
		if q.After = page.Next; q.After == nil {
			slices.Reverse(bodies)
			return bodies, nil
		}
	}
}

// scoresOf are all scores of a trace and of its observations, the newest first. A client library does not know
// corrections in this place, and refuses the whole trace.
func (a *API) scoresOf(ctx context.Context, project, traceID string, left *room) ([]*legacyScoreBody, error) {
	bodies := []*legacyScoreBody{}
	q := query.Scores{
		Project: project, TraceIDs: []string{traceID}, ExceptDataTypes: []model.ScoreDataType{model.ScoreCorrection}, Limit: query.MaxLimit,
	}
	for {
		page, err := a.Store.ListScores(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			row := &page.Rows[i]
			if err := left.take(row.Text, row.Comment, row.Metadata); err != nil {
				return nil, err
			}
			bodies = append(bodies, newLegacyScore(project, row, 1))
		}
		if q.After = page.Next; q.After == nil {
			return bodies, nil
		}
	}
}
