// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

// madeQueue makes a queue with one score config.
func (h *harness) madeQueue(t *testing.T, name string) (queue, config string) {
	t.Helper()
	config = h.made(t, "/score-configs", `{"name":"c","dataType":"TEXT"}`)["id"].(string)
	queue = h.made(t, "/annotation-queues", map[string]any{"name": name, "scoreConfigIds": []string{config}})["id"].(string)
	return queue, config
}

func TestAnnotationQueues(t *testing.T) {
	h := start(t)
	h.like(t, 200, emptyPage, h.get(t, "/annotation-queues"))
	first, config := h.madeQueue(t, "first")
	second := fmt.Sprintf(`{"id":"<id>","name":"second","description":"d","scoreConfigIds":[%q],"createdAt":"<time>","updatedAt":"<time>"}`, config)
	h.like(t, 200, second, h.send(t, http.MethodPost, "/annotation-queues", fmt.Sprintf(`{"name":"second","description":"d","scoreConfigIds":[%q]}`, config)))
	bare := fmt.Sprintf(`{"id":%q,"name":"first","description":null,"scoreConfigIds":[%q],"createdAt":"<time>","updatedAt":"<time>"}`, first, config)
	h.like(t, 200, bare, h.get(t, "/annotation-queues/"+first))
	h.like(t, 200, `{"data":[`+second+`,`+bare+`],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1}}`, h.get(t, "/annotation-queues"))

	path := "/annotation-queues/" + first + "/assignments"
	h.like(t, 200, `{"userId":"ann","queueId":"`+first+`","projectId":"<project>"}`, h.send(t, http.MethodPost, path, `{"userId":"ann"}`))
	for range 2 {
		h.like(t, 200, `{"success":true}`, h.send(t, http.MethodDelete, path, `{"userId":"ann"}`))
	}
}

func TestAnnotationItems(t *testing.T) {
	h := start(t)
	queue, _ := h.madeQueue(t, "queue")
	path := "/annotation-queues/" + queue + "/items"
	h.like(t, 200, emptyPage, h.get(t, path))
	pending := `{"id":"<id>","queueId":"` + queue + `","objectId":"t","objectType":"TRACE","status":"PENDING","completedAt":null,"createdAt":"<time>","updatedAt":"<time>"}`
	completed := `{"id":"<id>","queueId":"` + queue + `","objectId":"o","objectType":"OBSERVATION","status":"COMPLETED","completedAt":"<time>","createdAt":"<time>","updatedAt":"<time>"}`
	first := h.send(t, http.MethodPost, path, `{"objectId":"t","objectType":"TRACE","status":null}`)
	h.like(t, 200, pending, first)
	h.like(t, 200, completed, h.send(t, http.MethodPost, path, `{"objectId":"o","objectType":"OBSERVATION","status":"COMPLETED"}`))
	h.like(t, 200, `{"data":[`+completed+`,`+pending+`],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1}}`, h.get(t, path))
	h.like(t, 200, `{"data":[`+pending+`],"meta":{"page":1,"limit":1,"totalItems":1,"totalPages":1}}`, h.get(t, path, "status", "PENDING", "limit", "1"))
	assert.Len(t, h.get(t, path, "status", "COMPLETED").data(t), 1)

	item := path + "/" + first.decode(t)["id"].(string)
	h.like(t, 200, pending, h.get(t, item))
	h.like(t, 200, pending, h.send(t, http.MethodPatch, item, `{}`))
	done := h.send(t, http.MethodPatch, item, `{"status":"COMPLETED"}`).decode(t)
	assert.Equal(t, "COMPLETED", done["status"])
	assert.NotNil(t, done["completedAt"])
	h.like(t, 200, pending, h.send(t, http.MethodPatch, item, `{"status":"PENDING"}`))
	h.like(t, 200, `{"success":true,"message":"Annotation queue item deleted successfully"}`, h.send(t, http.MethodDelete, item, nil))
	assert.Equal(t, 404, h.get(t, item).status)
	assert.Equal(t, 200, h.send(t, http.MethodPost, path, `{"objectId":"s","objectType":"SESSION"}`).status)
}

func TestAnnotationRefusals(t *testing.T) {
	h := start(t)
	queue, config := h.madeQueue(t, "queue")
	const get, post, path = http.MethodGet, http.MethodPost, "/annotation-queues"
	items, assignments := path+"/"+queue+"/items", path+"/"+queue+"/assignments"
	const missing, noQueue, noItem = "Invalid input: expected string, received undefined", "Annotation queue not found", "Annotation queue item not found"
	item := items + "/" + h.made(t, items, `{"objectId":"t","objectType":"TRACE"}`)["id"].(string)
	states := `Invalid option: expected one of "PENDING"|"COMPLETED"`
	unknown := `Unrecognized key: "foo"`
	h.refuses(t,
		refusal{get, path + "?foo=1", nil, 400, unknown, []any{}},
		refusal{get, path + "?limit=101", nil, 400, "Too big: expected number to be <=100", []any{"limit"}},
		refusal{get, path + "/" + queue + "?foo=1", nil, 400, unknown, []any{}},
		refusal{get, path + "/none", nil, 404, noQueue, nil},
		refusal{post, path, `{"scoreConfigIds":["x"]}`, 400, missing, []any{"name"}},
		refusal{post, path, `{"name":"n"}`, 400, "Invalid input: expected array, received undefined", []any{"scoreConfigIds"}},
		refusal{post, path, `{"name":"n","scoreConfigIds":[]}`, 400, "Too small: expected array to have >=1 items", []any{"scoreConfigIds"}},
		refusal{post, path, `{"name":"n","scoreConfigIds":[7]}`, 400, "Invalid input: expected string, received number", []any{"scoreConfigIds", 0}},
		refusal{post, path, `{"name":"n","scoreConfigIds":["none"]}`, 400, "At least one of the score config IDs cannot be found for the given project", []any{"scoreConfigIds"}},
		refusal{post, path, fmt.Sprintf(`{"name":"queue","scoreConfigIds":[%q]}`, config), 400, "A queue with this name already exists in the project", []any{"name"}},
		refusal{post, path, fmt.Sprintf(`{"name":"n","scoreConfigIds":[%q],"foo":1}`, config), 400, unknown, []any{}},
		refusal{get, items + "?foo=1", nil, 400, unknown, []any{}},
		refusal{get, items + "?status=DONE", nil, 400, states, []any{"status"}},
		refusal{get, path + "/none/items", nil, 404, noQueue, nil},
		refusal{get, items + "/none", nil, 404, noItem, nil},
		refusal{get, item + "?foo=1", nil, 400, unknown, []any{}},
		refusal{post, items, `{"objectType":"TRACE"}`, 400, missing, []any{"objectId"}},
		refusal{post, items, `{"objectId":"t","objectType":"PROMPT"}`, 400, `Invalid option: expected one of "TRACE"|"OBSERVATION"|"SESSION"`, []any{"objectType"}},
		refusal{post, items, `{"objectId":"t","objectType":"TRACE","status":"x"}`, 400, states, []any{"status"}},
		refusal{post, items, `{"objectId":"t","objectType":"TRACE","foo":1}`, 400, unknown, []any{}},
		refusal{post, path + "/none/items", `{"objectId":"t","objectType":"TRACE"}`, 404, noQueue, nil},
		refusal{http.MethodPatch, item, `{"status":"x"}`, 400, states, []any{"status"}},
		refusal{http.MethodPatch, item, `{"foo":1}`, 400, unknown, []any{}},
		refusal{http.MethodPatch, items + "/none", `{"status":"PENDING"}`, 404, noItem, nil},
		refusal{http.MethodDelete, items + "/none", nil, 404, noItem, nil},
		refusal{post, assignments, `{}`, 400, missing, []any{"userId"}},
		refusal{post, assignments, `{"userId":"u","foo":1}`, 400, unknown, []any{}},
		refusal{post, path + "/none/assignments", `{"userId":"u"}`, 404, noQueue, nil},
		refusal{http.MethodDelete, path + "/none/assignments", `{"userId":"u"}`, 404, noQueue, nil},
	)
}

func TestAnnotationQueuesOfOthers(t *testing.T) {
	h := start(t)
	queue, config := h.madeQueue(t, "queue")
	path := "/annotation-queues/" + queue
	item := path + "/items/" + h.made(t, path+"/items", `{"objectId":"t","objectType":"TRACE"}`)["id"].(string)
	other := h.asOther()
	assert.Empty(t, other.get(t, "/annotation-queues").data(t))
	const noQueue, noItem = "Annotation queue not found", "Annotation queue item not found"
	other.refuses(t,
		refusal{http.MethodGet, path, nil, 404, noQueue, nil},
		refusal{http.MethodGet, path + "/items", nil, 404, noQueue, nil},
		refusal{http.MethodPost, path + "/items", `{"objectId":"t","objectType":"TRACE"}`, 404, noQueue, nil},
		refusal{http.MethodGet, item, nil, 404, noItem, nil},
		refusal{http.MethodPatch, item, `{"status":"COMPLETED"}`, 404, noItem, nil},
		refusal{http.MethodDelete, item, nil, 404, noItem, nil},
		refusal{http.MethodPost, path + "/assignments", `{"userId":"u"}`, 404, noQueue, nil},
		refusal{http.MethodDelete, path + "/assignments", `{"userId":"u"}`, 404, noQueue, nil},
		refusal{
			http.MethodPost, "/annotation-queues", fmt.Sprintf(`{"name":"n","scoreConfigIds":[%q]}`, config), 400,
			"At least one of the score config IDs cannot be found for the given project",
			[]any{"scoreConfigIds"},
		},
	)
	assert.Equal(t, "PENDING", h.get(t, item).decode(t)["status"])
}
