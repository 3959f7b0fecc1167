// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"net/http"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

const public = "/api/public"

// Most routes are one of these.

func readRoute(path string, handle web.Handler) web.Route {
	return web.Route{Method: http.MethodGet, Path: public + path, Access: web.Read, Handle: handle}
}

func writeRoute(method, path string, handle web.Handler) web.Route {
	return web.Route{Method: method, Path: public + path, Access: web.Write, Handle: handle}
}

// resourceRoutes are about what is no signal.
func (a *API) resourceRoutes() []web.Route {
	return []web.Route{
		readRoute("/score-configs", a.listScoreConfigs),
		writeRoute(http.MethodPost, "/score-configs", a.createScoreConfig),
		readRoute("/score-configs/{id}", a.getScoreConfig),
		writeRoute(http.MethodPatch, "/score-configs/{id}", a.updateScoreConfig),
	}
}
