// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

// signatures are what differs between two answers that are the same.
var signatures = regexp.MustCompile(`expires=\d+|signature=[^"]+|"urlExpiry":"[^"]+"`)

// everything is all that the owner can read.
func (h *harness) everything(t *testing.T, e estate, routes []apidoctest.Route, known map[string][]visit) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, route := range routes {
		if route.Method != http.MethodGet {
			continue
		}
		for _, v := range known["GET "+route.Path] {
			query := v.query
			if v.owner != nil {
				query = v.owner
			}
			path := v.path(route.Path, e, query)
			got := h.call(t, http.MethodGet, path, nil)
			require.Equal(t, http.StatusOK, got.status, "%s: %s", path, got.body)
			if !v.shared {
				require.Contains(t, got.body, secret, "what others get of %s shows nothing unless its owner gets more", path)
			}
			all[path] = signatures.ReplaceAllString(got.body, "")
		}
	}
	return all
}

// Nobody reads or changes anything of another project, whatever names, ids and cursors of it they know.
func TestNobodyReachesAnotherProject(t *testing.T) {
	visitor := start(t)
	owner := visitor.asOther()
	e := owner.settle(t)
	known := visits(t, owner, visitor, e)
	routes := everyRoute(t, known)
	all := owner.everything(t, e, routes, known)
	for n, route := range routes {
		name := route.Method + " " + route.Path
		t.Run(name, func(t *testing.T) {
			for _, v := range known[name] {
				visitor.visit(t, route, v, e)
			}
		})
		if isLast := n+1 == len(routes) || routes[n+1].Method != route.Method; isLast {
			assert.Equal(t, all, owner.everything(t, e, routes, known), "what the owner has after all requests of a visitor with the method %s", route.Method)
		}
	}

	// By now the visitor has a dataset and a prompt of the same names.
	visitor.made(t, "/dataset-items", `{"datasetName":"their-set","id":"their-item","input":"mine"}`)
	visitor.made(t, "/dataset-run-items", object{"runName": e["runName"], "datasetItemId": "their-item", "traceId": traceID, "metadata": "mine"})
	visitor.made(t, "/v2/prompts", `{"name":"mine","prompt":"@@@langfusePrompt:name=their-prompt|label=production@@@","labels":["production"]}`)
	assert.Equal(t, "mine", visitor.get(t, "/v2/prompts/mine").decode(t)["prompt"])
	for _, name := range []string{"mine", e["promptName"]} {
		assert.Equal(t, http.StatusNoContent, visitor.send(t, http.MethodDelete, "/v2/prompts/"+name, nil).status)
	}
	assert.Equal(t, http.StatusOK, visitor.send(t, http.MethodDelete, "/dataset-items/their-item", nil).status)
	assert.Equal(t, all, owner.everything(t, e, routes, known))
}

// visit sends what a visitor sends, and looks for anything of the owner in the answer.
func (h *harness) visit(t *testing.T, route apidoctest.Route, v visit, e estate) {
	t.Helper()
	path := v.path(route.Path, e, v.query)
	got := h.call(t, methodOf(route), path, v.body)
	assert.Equal(t, v.status, got.status, "%s: %s", path, got.body)
	if !strings.HasPrefix(route.Path, "/api/public/") {
		return // a text for everybody, which is of no project
	}
	assert.NotContains(t, got.body, secret)
	sent := path + asJSON(t, v.body)
	for name, value := range e {
		if len(value) > 1 && !strings.Contains(sent, value) {
			assert.NotContains(t, got.body, value, "the %s of the owner, which was not sent", name)
		}
	}
	var list struct{ Data []any }
	if route.Method == http.MethodGet && !v.shared && json.Unmarshal([]byte(got.body), &list) == nil {
		assert.Empty(t, list.Data, path)
	}
}
