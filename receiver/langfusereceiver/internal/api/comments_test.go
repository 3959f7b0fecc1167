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

func TestComments(t *testing.T) {
	h := start(t)
	h.like(t, 200, emptyPage, h.get(t, "/comments"))
	create := func(object, id, author string) string {
		got := h.send(t, http.MethodPost, "/comments", map[string]any{
			"projectId": h.project, "objectType": object, "objectId": id, "content": "about " + id, "authorUserId": author,
		})
		h.like(t, 200, `{"id":"<id>"}`, got)
		return got.decode(t)["id"].(string)
	}
	trace, prompt := create("TRACE", "t/1", "ann"), create("PROMPT", "p", "")
	create("OBSERVATION", "t/1", "ann")
	create("SESSION", "s", "bob")
	shown := `{"id":"` + trace + `","projectId":"<project>","objectType":"TRACE","objectId":"t/1","content":"about t/1","authorUserId":"ann","createdAt":"<time>","updatedAt":"<time>"}`
	h.like(t, 200, shown, h.get(t, "/comments/"+trace))
	h.like(t, 200, `{"id":"`+prompt+`","projectId":"<project>","objectType":"PROMPT","objectId":"p","content":"about p","authorUserId":null,"createdAt":"<time>","updatedAt":"<time>"}`,
		h.get(t, "/comments/"+prompt))
	h.like(t, 200, `{"data":[`+shown+`],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`, h.get(t, "/comments", "objectType", "TRACE", "objectId", "t/1", "authorUserId", "ann"))
	assert.Len(t, h.get(t, "/comments").data(t), 4)
	assert.Len(t, h.get(t, "/comments", "authorUserId", "ann").data(t), 2)
	assert.Len(t, h.get(t, "/comments", "objectType", "SESSION").data(t), 1)
	assert.Len(t, h.get(t, "/comments", "limit", "3", "page", "2").data(t), 1)
}

func TestCommentRefusals(t *testing.T) {
	h := start(t)
	objects := `Invalid option: expected one of "TRACE"|"OBSERVATION"|"SESSION"|"PROMPT"`
	body := func(more string) string {
		return fmt.Sprintf(`{"projectId":%q,"objectType":"TRACE"%s}`, h.project, more)
	}
	h.refuses(t,
		refusal{http.MethodGet, "/comments?foo=1", nil, 400, `Unrecognized key: "foo"`, []any{}},
		refusal{http.MethodGet, "/comments?objectType=MODEL", nil, 400, objects, []any{"objectType"}},
		refusal{http.MethodGet, "/comments?objectId=x", nil, 400, "objectType is required when objectId is provided", []any{"objectType"}},
		refusal{http.MethodGet, "/comments?limit=101", nil, 400, "Too big: expected number to be <=100", []any{"limit"}},
		refusal{http.MethodGet, "/comments/none", nil, 404, "Comment not found within authorized project", nil},
		refusal{http.MethodPost, "/comments", body(`,"objectId":"x"`), 400, "Invalid input: expected string, received undefined", []any{"content"}},
		refusal{http.MethodPost, "/comments", body(`,"objectId":"x","content":""`), 400, "Too small: expected string to have >=1 characters", []any{"content"}},
		refusal{http.MethodPost, "/comments", body(`,"objectId":"x","content":"` + strings.Repeat("ü", 5001) + `"`), 400, "Too big: expected string to have <=5000 characters", []any{"content"}},
		refusal{http.MethodPost, "/comments", body(`,"content":"c"`), 400, "Invalid input: expected string, received undefined", []any{"objectId"}},
		refusal{http.MethodPost, "/comments", body(`,"objectId":"x","content":"c","foo":1`), 400, `Unrecognized key: "foo"`, []any{}},
		refusal{http.MethodPost, "/comments", `{"objectType":"TRACE","objectId":"x","content":"c"}`, 400, "Invalid input: expected string, received undefined", []any{"projectId"}},
		refusal{http.MethodPost, "/comments", `{"projectId":"foreign","objectType":"TRACE","objectId":"x","content":"c"}`, 400, "projectId must be the project of the API key", []any{"projectId"}},
		refusal{http.MethodPost, "/comments", `{"objectType":"MODEL"}`, 400, objects, []any{"objectType"}},
	)
	assert.Equal(t, 200, h.send(t, http.MethodPost, "/comments", body(`,"objectId":"x","content":"`+strings.Repeat("ü", 5000)+`"`)).status)
}

func TestCommentsOfOthers(t *testing.T) {
	h := start(t)
	id := h.made(t, "/comments", map[string]any{"projectId": h.project, "objectType": "TRACE", "objectId": "t", "content": "c"})["id"].(string)
	other := h.asOther()
	assert.Empty(t, other.get(t, "/comments").data(t))
	other.refuses(t, refusal{http.MethodGet, "/comments/" + id, nil, 404, "Comment not found within authorized project", nil})
	assert.Equal(t, 400, other.send(t, http.MethodPost, "/comments", map[string]any{"projectId": h.project, "objectType": "TRACE", "objectId": "t", "content": "c"}).status)
}
