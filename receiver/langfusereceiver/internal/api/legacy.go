// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// What replaces the older routes.
const (
	newObservations    = "GET /api/public/v2/observations"
	newScores          = "GET /api/public/v3/scores"
	newMetrics         = "GET /api/public/v2/metrics"
	newExperiments     = "GET /api/public/experiments"
	newExperimentItems = "GET /api/public/experiment-items"
	// There is no way to delete an experiment; without its traces there is none.
	newRunDeletion = "DELETE /api/public/traces"
	newSpans       = "POST /api/public/otel/v1/traces"
)

// legacyHandler answers an older route.
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
		{"/traces", newObservations, a.legacyTraces},
		{"/traces/{traceId}", newObservations, a.legacyTrace},
		{"/observations", newObservations, a.legacyObservations},
		{"/observations/{observationId}", newObservations, a.legacyObservation},
		{"/sessions", newObservations, a.legacySessions},
		{"/sessions/{sessionId}", newObservations, a.legacySession},
		{"/scores", newScores, a.legacyScoresOf(1)},
		{"/scores/{scoreId}", newScores, a.legacyScoreOf(1)},
		{"/v2/scores", newScores, a.legacyScoresOf(2)},
		{"/v2/scores/{scoreId}", newScores, a.legacyScoreOf(2)},
		{"/metrics", newMetrics, a.legacyMetrics},
		{"/metrics/daily", newMetrics, a.legacyDaily},
		{"/dataset-run-items", newExperimentItems, a.listRunItems},
		{"/datasets/{name}/runs", newExperiments, a.listRuns},
		{"/datasets/{name}/runs/{run}", newExperimentItems, a.getRun},
	} {
		routes = append(routes, a.legacy(readRoute(read.path, withNotice(read.handle, read.replacement)), read.replacement))
	}
	deletion := writeRoute(http.MethodDelete, "/datasets/{name}/runs/{run}", withNotice(a.deleteRun, newRunDeletion))
	return append(routes, a.legacy(deletion, newRunDeletion))
}

// retiredRoutes took traces and observations one by one, until version 3 of the service.
func retiredRoutes() []web.Route {
	var routes []web.Route
	for _, route := range []struct{ method, path string }{
		{http.MethodPost, "/traces"},
		{http.MethodPost, "/events"},
		{http.MethodPost, "/spans"},
		{http.MethodPatch, "/spans"},
		{http.MethodPost, "/generations"},
		{http.MethodPatch, "/generations"},
	} {
		routes = append(routes, goneRoute(writeRoute(route.method, route.path, nil), newSpans))
	}
	return routes
}

func (a *API) legacy(route web.Route, replacement string) web.Route {
	switch {
	case !a.LegacyReads:
		return goneRoute(route, replacement)
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

func goneRoute(route web.Route, replacement string) web.Route {
	err := web.NotFound("This endpoint is not available on deployments running in Langfuse v4 events_only mode. Use " + replacement + " instead.")
	route.Access, route.Style = web.Open, web.StyleMessage
	route.Handle = func(context.Context, *web.Request) (web.Reply, error) { return web.Reply{}, err }
	return route
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
