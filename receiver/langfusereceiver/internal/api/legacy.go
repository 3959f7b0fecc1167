// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// What replaces the older reads.
const (
	newObservations = "GET /api/public/v2/observations"
	newScores       = "GET /api/public/v3/scores"
	newMetrics      = "GET /api/public/v2/metrics"
)

// noticed is a body that can tell that it comes from an older read.
type noticed struct {
	Deprecation *deprecation `json:"_deprecation,omitempty"`
}

func (n *noticed) notice(d *deprecation) { n.Deprecation = d }

// legacyHandler answers an older read.
type legacyHandler func(ctx context.Context, r *web.Request) (legacyBody, error)

type legacyBody interface{ notice(d *deprecation) }

// legacyRoutes are the older reads. Without them each answers as a server that has them no more: the same text for
// everybody, before anybody is asked for a key.
func (a *API) legacyRoutes() []web.Route {
	var routes []web.Route
	for _, read := range []struct {
		path, replacement string
		handle            legacyHandler
	}{
		{"/api/public/traces", newObservations, a.legacyTraces},
		{"/api/public/traces/{traceId}", newObservations, a.legacyTrace},
		{"/api/public/observations", newObservations, a.legacyObservations},
		{"/api/public/observations/{observationId}", newObservations, a.legacyObservation},
		{"/api/public/sessions", newObservations, a.legacySessions},
		{"/api/public/sessions/{sessionId}", newObservations, a.legacySession},
		{"/api/public/scores", newScores, a.legacyScoresOf(1)},
		{"/api/public/scores/{scoreId}", newScores, a.legacyScoreOf(1)},
		{"/api/public/v2/scores", newScores, a.legacyScoresOf(2)},
		{"/api/public/v2/scores/{scoreId}", newScores, a.legacyScoreOf(2)},
		{"/api/public/metrics", newMetrics, a.legacyMetrics},
		{"/api/public/metrics/daily", newMetrics, a.legacyDaily},
	} {
		route := web.Route{Method: http.MethodGet, Path: read.path, Access: web.Read, Handle: withNotice(read.handle, read.replacement)}
		routes = append(routes, a.legacy(route, read.replacement))
	}
	return append(routes,
		a.legacy(readRoute("/dataset-run-items", a.listRunItems), newExperimentItems),
		a.legacy(readRoute("/datasets/{name}/runs", a.listRuns), newExperiments),
		a.legacy(readRoute("/datasets/{name}/runs/{run}", a.getRun), newExperimentItems),
		a.legacy(writeRoute(http.MethodDelete, "/datasets/{name}/runs/{run}", a.deleteRun), newRunDeletion),
	)
}

func (a *API) legacy(route web.Route, replacement string) web.Route {
	switch {
	case !a.LegacyReads:
		route.Access, route.Style, route.Handle = web.Open, web.StyleMessage, gone(replacement)
	case a.Store == nil:
		route.Handle = a.withoutStore
	}
	return route
}

func withNotice(handle legacyHandler, replacement string) web.Handler {
	d := deprecatedFor(replacement)
	return func(ctx context.Context, r *web.Request) (web.Reply, error) {
		body, err := handle(ctx, r)
		if err != nil {
			return web.Reply{}, err
		}
		body.notice(&d)
		return web.JSON(body), nil
	}
}

func gone(replacement string) web.Handler {
	err := web.NotFound("This endpoint is not available on deployments running in Langfuse v4 events_only mode. Use " + replacement + " instead.")
	return func(context.Context, *web.Request) (web.Reply, error) { return web.Reply{}, err }
}

// pagedBody is a page of a list that is read by the number of the page.
type pagedBody[T any] struct {
	Data []T      `json:"data"`
	Meta pageMeta `json:"meta"`
	noticed
}

// paged shows rows as a page.
func paged[R, T any](rows []R, page validation.Page, total int64, show func(*R) T) *pagedBody[T] {
	body := &pagedBody[T]{Data: make([]T, len(rows)), Meta: newPageMeta(page.Number, page.Limit, int(total))}
	for i := range rows {
		body.Data[i] = show(&rows[i])
	}
	return body
}

var nullJSON = json.RawMessage("null")

// parsedJSON is what a text says if it is JSON, else the text; nothing is null.
func parsedJSON(text string) json.RawMessage {
	switch {
	case text == "":
		return nullJSON
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	default:
		return wire.AppendString(nil, text)
	}
}

// room is how much of an answer is left to fill, for reads that put together what many rows hold.
type room int64

// take fails when an answer becomes larger than one may be.
func (r *room) take(texts ...string) error {
	for _, text := range texts {
		*r -= room(len(text))
	}
	if *r < 0 {
		return web.NewError(http.StatusUnprocessableEntity, "Response payload is too large")
	}
	return nil
}
