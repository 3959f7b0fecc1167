// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// resources are all routes about what is no signal, as the contract lists them.
var resources = map[string][]string{
	"/score-configs":                   {http.MethodGet, http.MethodPost},
	"/score-configs/x":                 {http.MethodGet, http.MethodPatch},
	"/v2/datasets":                     {http.MethodGet, http.MethodPost},
	"/v2/datasets/x":                   {http.MethodGet},
	"/datasets":                        {http.MethodGet, http.MethodPost},
	"/datasets/x":                      {http.MethodGet},
	"/datasets/x/runs":                 {http.MethodGet},
	"/datasets/x/runs/x":               {http.MethodGet, http.MethodDelete},
	"/dataset-items":                   {http.MethodGet, http.MethodPost},
	"/dataset-items/x":                 {http.MethodGet, http.MethodDelete},
	"/dataset-run-items":               {http.MethodGet, http.MethodPost},
	"/v2/prompts":                      {http.MethodGet, http.MethodPost},
	"/v2/prompts/x":                    {http.MethodGet, http.MethodDelete},
	"/v2/prompts/x/versions/1":         {http.MethodPatch},
	"/media":                           {http.MethodPost},
	"/media/x":                         {http.MethodGet, http.MethodPatch},
	"/models":                          {http.MethodGet, http.MethodPost},
	"/models/x":                        {http.MethodGet, http.MethodDelete},
	"/comments":                        {http.MethodGet, http.MethodPost},
	"/comments/x":                      {http.MethodGet},
	"/annotation-queues":               {http.MethodGet, http.MethodPost},
	"/annotation-queues/x":             {http.MethodGet},
	"/annotation-queues/x/items":       {http.MethodGet, http.MethodPost},
	"/annotation-queues/x/items/x":     {http.MethodGet, http.MethodPatch, http.MethodDelete},
	"/annotation-queues/x/assignments": {http.MethodPost, http.MethodDelete},
}

// Reading needs a key that may read, writing one that may write, and neither the public key alone.
func TestResourcesNeedKeys(t *testing.T) {
	pair := func(public, access string) any {
		return map[string]any{"public_key": public, "secret_key": "sk", "access": []any{access}}
	}
	h := start(t, map[string]any{"projects": []any{
		map[string]any{"id": "project-keys", "keys": []any{pair("pk-read", "read"), pair("pk-write", "write")}},
	}})
	reader, writer := *h, *h
	reader.keys, writer.keys = [2]string{"pk-read", "sk"}, [2]string{"pk-write", "sk"}
	for path, methods := range resources {
		for _, method := range methods {
			t.Run(method+" "+path, func(t *testing.T) {
				class := func(name string) string {
					if strings.HasPrefix(path, "/v2/prompts") {
						return fmt.Sprintf(`,"error":%q`, name)
					}
					return ""
				}
				h.like(t, 401, `{"message":"No authorization header"`+class("UnauthorizedError")+`}`, h.call(t, method, "/api/public"+path, nil, "Authorization", ""))
				h.like(t, 403, `{"message":"Access denied - insufficient permissions for this endpoint"`+class("ForbiddenError")+`}`,
					h.call(t, method, "/api/public"+path, nil, "Authorization", "Bearer pk-read"))
				may, mayNot := &reader, &writer
				if method != http.MethodGet {
					may, mayNot = mayNot, may
				}
				assert.Equal(t, 403, mayNot.send(t, method, path, "{").status)
				assert.Contains(t, []int{200, 400, 404}, may.beyond().send(t, method, path, "{").status)
			})
		}
	}
}

func TestResourcesWithoutAStore(t *testing.T) {
	h := startWith(t, nil)
	for path, methods := range resources {
		for _, method := range methods {
			assert.Equal(t, 501, h.send(t, method, path, "{}").status, "%s %s", method, path)
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPut} {
		assert.Equal(t, 501, h.send(t, method, "/media/x/content", nil).status)
	}
}

// A store without a folder for media refuses them with a sentence, and answers everything else.
func TestAStoreWithoutMedia(t *testing.T) {
	h := start(t)
	h = startWith(t, withoutMedia{h.store})
	f := newFile("x")
	for _, got := range []answer{
		h.send(t, http.MethodPost, "/media", f.announce("t", "a/b")),
		h.get(t, "/media/"+f.id),
		h.send(t, http.MethodPatch, "/media/"+f.id, `{"uploadedAt":"2026-11-15T12:00:00.000Z","uploadHttpStatus":200}`),
	} {
		assert.Equal(t, 501, got.status)
		assert.Contains(t, got.body, "set `media::path` of the extension `langfuse_store` to a folder that all collectors of the store share")
	}
	h.made(t, "/v2/datasets", map[string]any{"name": "d"})
	item := h.made(t, "/dataset-items", map[string]any{"datasetName": "d", "input": "@@@langfuseMedia:type=a/b|id=" + f.id + "|source=bytes@@@"})
	assert.Equal(t, 200, h.get(t, "/dataset-items/"+item["id"].(string)).status)
}
