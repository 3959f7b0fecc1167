// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type (
	sessionBody struct {
		ID          string    `json:"id"`
		CreatedAt   timestamp `json:"createdAt"`
		ProjectID   string    `json:"projectId"`
		Environment string    `json:"environment"`
	}
	sessionWithTraces struct {
		sessionBody
		Traces []legacyTraceBody `json:"traces"`
		noticed
	}
)

func newSession(project string, row *store.Session) sessionBody {
	return sessionBody{ID: row.ID, CreatedAt: timestamp(row.CreatedAt), ProjectID: project, Environment: environmentOr(row.Environment)}
}

func (a *API) legacySessions(ctx context.Context, r *web.Request) (legacyBody, error) {
	q, page, err := query.ParseSessions(r.Project(), r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	found, err := a.Store.ListSessions(ctx, q)
	if err != nil {
		return nil, err
	}
	return paged(found.Rows, page, found.Total, func(row *store.Session) sessionBody { return newSession(q.Project, row) }), nil
}

// legacySession is one session with its traces, the newest first.
func (a *API) legacySession(ctx context.Context, r *web.Request) (legacyBody, error) {
	id := r.Segment("sessionId")
	found, err := a.Store.ListSessions(ctx, query.Sessions{Project: r.Project(), IDs: []string{id}, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(found.Rows) == 0 {
		return nil, web.NotFound("Session not found within authorized project")
	}
	body := &sessionWithTraces{sessionBody: newSession(r.Project(), &found.Rows[0]), Traces: []legacyTraceBody{}}
	left := room(a.MaxResponse)
	q := query.Traces{Project: r.Project(), SessionIDs: []string{id}, Parts: query.TraceIO, Limit: query.MaxLimit}
	for {
		page, err := a.Store.ListTraces(ctx, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			row := &page.Rows[i]
			if err := left.take(row.Input, row.Output, row.Metadata); err != nil {
				return nil, err
			}
			body.Traces = append(body.Traces, newLegacyTrace(q.Project, row, q.Parts))
		}
		if len(page.Rows) < q.Limit {
			return body, nil
		}
		q.Offset += q.Limit
	}
}
