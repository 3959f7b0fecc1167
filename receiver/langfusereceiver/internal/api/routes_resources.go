// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"fmt"
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

// named is a route that tells also those who are not let in the class of the error.
func named(route web.Route) web.Route {
	route.Style = web.StyleNamed
	return route
}

// resourceRoutes are about what is no signal.
func (a *API) resourceRoutes() []web.Route {
	return []web.Route{
		readRoute("/score-configs", a.listScoreConfigs),
		writeRoute(http.MethodPost, "/score-configs", a.createScoreConfig),
		readRoute("/score-configs/{id}", a.getScoreConfig),
		writeRoute(http.MethodPatch, "/score-configs/{id}", a.updateScoreConfig),

		readRoute("/v2/datasets", a.listDatasets),
		writeRoute(http.MethodPost, "/v2/datasets", a.createDataset),
		readRoute("/v2/datasets/{name}", a.getDataset),
		readRoute("/datasets", a.listOldDatasets),
		writeRoute(http.MethodPost, "/datasets", a.createOldDataset),
		readRoute("/datasets/{name}", a.getOldDataset),

		readRoute("/dataset-items", a.listDatasetItems),
		writeRoute(http.MethodPost, "/dataset-items", a.createDatasetItem),
		readRoute("/dataset-items/{id}", a.getDatasetItem),
		writeRoute(http.MethodDelete, "/dataset-items/{id}", a.deleteDatasetItem),

		writeRoute(http.MethodPost, "/dataset-run-items", a.createRunItem),

		named(readRoute("/v2/prompts", a.listPrompts)),
		named(writeRoute(http.MethodPost, "/v2/prompts", a.createPrompt)),
		named(readRoute("/v2/prompts/{name}", a.getPrompt)),
		named(writeRoute(http.MethodDelete, "/v2/prompts/{name}", a.deletePrompt)),
		named(writeRoute(http.MethodPatch, "/v2/prompts/{name}/versions/{version}", a.labelPrompt)),

		readRoute("/models", a.listModels),
		writeRoute(http.MethodPost, "/models", a.createModel),
		readRoute("/models/{id}", a.getModel),
		writeRoute(http.MethodDelete, "/models/{id}", a.deleteModel),

		readRoute("/comments", a.listComments),
		writeRoute(http.MethodPost, "/comments", a.createComment),
		readRoute("/comments/{id}", a.getComment),

		readRoute("/annotation-queues", a.listQueues),
		writeRoute(http.MethodPost, "/annotation-queues", a.createQueue),
		readRoute("/annotation-queues/{queue}", a.getQueue),
		readRoute("/annotation-queues/{queue}/items", a.listQueueItems),
		writeRoute(http.MethodPost, "/annotation-queues/{queue}/items", a.createQueueItem),
		readRoute("/annotation-queues/{queue}/items/{item}", a.getQueueItem),
		writeRoute(http.MethodPatch, "/annotation-queues/{queue}/items/{item}", a.updateQueueItem),
		writeRoute(http.MethodDelete, "/annotation-queues/{queue}/items/{item}", a.deleteQueueItem),
		writeRoute(http.MethodPost, "/annotation-queues/{queue}/assignments", a.assignQueue),
		writeRoute(http.MethodDelete, "/annotation-queues/{queue}/assignments", a.unassignQueue),
	}
}

// mediaRoutes are about files that traces and dataset items refer to.
func (a *API) mediaRoutes() []web.Route {
	return []web.Route{
		writeRoute(http.MethodPost, "/media", a.createMedia),
		readRoute("/media/{id}", a.getMedia),
		writeRoute(http.MethodPatch, "/media/{id}", a.updateMedia),
		{Method: http.MethodGet, Path: public + "/media/{id}/content", Access: web.Signed, Handle: a.getContent},
		{Method: http.MethodPut, Path: public + "/media/{id}/content", Access: web.Signed, AnySize: true, Handle: a.putContent},
	}
}

// withoutMedia answers for a store that has no folder for the contents of media.
func (a *API) withoutMedia(context.Context, *web.Request) (web.Reply, error) {
	return web.Reply{}, web.NotImplemented(fmt.Sprintf(
		"This server takes no media: set `media::path` of the extension `%s` to a folder that all collectors of the store share", a.StoreID))
}
