// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"fmt"
	"net/http"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// openRoutes need no store.
func (a *API) openRoutes() []web.Route {
	return []web.Route{
		{Method: web.AnyMethod, Path: "/api/public/health", Handle: a.health},
		{Method: web.AnyMethod, Path: "/api/public/ready", Handle: a.ready},
		{Method: http.MethodGet, Path: "/api/openapi.yaml", Handle: a.description},
		{Method: http.MethodGet, Path: "/api/docs", Handle: a.reference},
		{
			Method: http.MethodGet, Path: "/api/public/projects", Access: web.Read, Style: web.StyleMessage,
			Denied: "Invalid API key. Are you using an organization key?", Handle: a.projects,
		},
	}
}

// storeRoutes answer from the store.
func (a *API) storeRoutes() []web.Route {
	return []web.Route{
		{Method: http.MethodGet, Path: "/api/public/v2/observations", Access: web.Read, Handle: a.observations},
		{Method: http.MethodGet, Path: "/api/public/v3/scores", Access: web.Read, Handle: a.scores},
		{Method: http.MethodGet, Path: "/api/public/experiments", Access: web.Read, Handle: a.experiments},
		{Method: http.MethodGet, Path: "/api/public/experiment-items", Access: web.Read, Handle: a.experimentItems},
		{Method: http.MethodGet, Path: "/api/public/v2/metrics", Access: web.Read, Handle: a.metrics},

		{Method: http.MethodDelete, Path: "/api/public/traces", Access: web.Write, Handle: a.deleteTraces},
		{Method: http.MethodDelete, Path: "/api/public/traces/{traceId}", Access: web.Write, Handle: a.deleteTrace},
		{Method: http.MethodDelete, Path: "/api/public/scores/{scoreId}", Access: web.Write, Handle: a.deleteScore},
	}
}

// withoutStore answers for a receiver that only hands data on.
func (a *API) withoutStore(context.Context, *web.Request) (web.Reply, error) {
	return web.Reply{}, web.NotImplemented(fmt.Sprintf(
		"This server hands data on and keeps none: add an extension `%s:`, its id to the list `service::extensions`, and the exporter `langfuse_store` to the pipelines of %s",
		a.StoreID, a.ReceiverID))
}
