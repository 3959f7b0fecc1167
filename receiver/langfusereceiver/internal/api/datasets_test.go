// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	emptyPage = `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0}}`
	// oddName is one segment of a path only when it is escaped.
	oddName = "folder/my set + 100% ?&#\"ü"
)

func TestDatasets(t *testing.T) {
	h := start(t)
	h.like(t, 200, emptyPage, h.get(t, "/v2/datasets"))

	bare := `{"id":"<id>","projectId":"<project>","name":"bare","description":null,"metadata":null,"inputSchema":null,"expectedOutputSchema":null,"createdAt":"<time>","updatedAt":"<time>"}`
	first := h.send(t, http.MethodPost, "/v2/datasets", `{"name":"bare","description":null,"metadata":null,"inputSchema":null,"expectedOutputSchema":null,"unknown":1}`)
	h.like(t, 200, bare, first)
	full := `{"id":"<id>","projectId":"<project>","name":"full","description":"all","metadata":{"a":[1,null]},"inputSchema":{"type":"object"},"expectedOutputSchema":{"type":"string"},"createdAt":"<time>","updatedAt":"<time>"}`
	h.like(t, 200, full, h.send(t, http.MethodPost, "/v2/datasets", `{"name":"full","description":"all","metadata":{"a": [1, null]},"inputSchema":{"type":"object"},"expectedOutputSchema":{"type":"string"}}`))
	h.like(t, 200, `{"data":[`+full+`,`+bare+`],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1}}`, h.get(t, "/v2/datasets"))
	h.like(t, 200, full, h.get(t, "/v2/datasets/full"))

	again := h.send(t, http.MethodPost, "/v2/datasets", `{"name":"bare","metadata":"text"}`).decode(t)
	assert.Equal(t, first.decode(t)["id"], again["id"], "the same name is the same dataset")
	assert.Equal(t, "text", again["metadata"])
	assert.Equal(t, 2.0, h.get(t, "/v2/datasets", "limit", "1", "page", "2").decode(t)["meta"].(map[string]any)["totalPages"])
}

func TestDatasetNames(t *testing.T) {
	h := start(t)
	for _, name := range []string{oddName, "a b", "a+b", "a?b", "a/b", "100%", "%2F", "ünï 日本", strings.Repeat("x", 500), "...", ".a", "a..b"} {
		dataset := h.made(t, "/v2/datasets", map[string]any{"name": name})
		escaped := strings.ReplaceAll(url.PathEscape(name), ".", "%2E")
		assert.Equal(t, dataset, h.get(t, "/v2/datasets/"+escaped).decode(t), name)
		assert.Equal(t, dataset["id"], h.get(t, "/datasets/"+escaped).decode(t)["id"], name)
		assert.Equal(t, dataset["id"], h.made(t, "/dataset-items", map[string]any{"datasetName": name})["datasetId"], name)
		assert.Len(t, h.get(t, "/dataset-items", "datasetName", name).data(t), 1, name)
		assert.Empty(t, h.get(t, "/datasets/"+escaped+"/runs").data(t), name)
	}
	assert.Equal(t, 404, h.get(t, "/v2/datasets/%FF").status)
	assert.Equal(t, 404, h.get(t, "/v2/datasets/c%00d").status)
	assert.Equal(t, 404, h.get(t, "/v2/datasets/").status, "an empty name is not the list")
}

func TestLargeDatasetItems(t *testing.T) {
	h := start(t, map[string]any{"limits": map[string]any{"max_response_size": 3000}})
	h.made(t, "/v2/datasets", `{"name":"large"}`)
	for _, id := range []string{"-1", "-2", "-3"} {
		h.made(t, "/dataset-items", `{"datasetName":"large","id":"`+h.project+id+`","input":"`+strings.Repeat("x", 1200)+`"}`)
	}
	got := h.get(t, "/dataset-items", "limit", "50")
	assert.Equal(t, http.StatusUnprocessableEntity, got.status)
	assert.JSONEq(t, "{\"message\":\"Response payload is too large. Ask for fewer items a page (`limit`).\",\"error\":\"PayloadTooLargeError\"}", got.body)
	assert.Len(t, h.get(t, "/dataset-items", "limit", "1").data(t), 1)
	got = h.get(t, "/datasets/large")
	assert.Equal(t, http.StatusUnprocessableEntity, got.status)
	assert.Contains(t, got.body, "PayloadTooLargeError")
	assert.Equal(t, []any{h.project + "-3", h.project + "-2", h.project + "-1"}, h.get(t, "/datasets").data(t)[0]["items"], "bodies are not read for ids")
}

func TestOldDatasets(t *testing.T) {
	h := start(t)
	empty := `{"id":"<id>","projectId":"<project>","name":"old","description":"d","metadata":null,"inputSchema":null,"expectedOutputSchema":null,"createdAt":"<time>","updatedAt":"<time>","items":[],"runs":[]}`
	h.like(t, 200, empty, h.send(t, http.MethodPost, "/datasets", `{"name":"old","description":"d"}`))
	h.made(t, "/dataset-items", `{"datasetName":"old","id":"`+h.project+`-1","input":1}`)
	h.made(t, "/dataset-run-items", `{"runName":"run","datasetItemId":"`+h.project+`-1","traceId":"t"}`)

	head := `"id":"<id>","projectId":"<project>","name":"old","description":"d","metadata":null,"inputSchema":null,"expectedOutputSchema":null,"createdAt":"<time>","updatedAt":"<time>","runs":["run"]`
	item := `{"id":"` + h.project + `-1","datasetId":"<id>","datasetName":"old","status":"ACTIVE","input":1,"expectedOutput":null,"metadata":null,
		"sourceTraceId":null,"sourceObservationId":null,"createdAt":"<time>","updatedAt":"<time>","mediaReferences":[]}`
	h.like(t, 200, `{`+head+`,"items":[`+item+`]}`, h.get(t, "/datasets/old"))
	h.like(t, 200, `{`+head+`,"items":[`+item+`]}`, h.send(t, http.MethodPost, "/datasets", `{"name":"old"}`))
	h.like(t, 200, `{"data":[{`+head+`,"items":["`+h.project+`-1"]}],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`, h.get(t, "/datasets"))
}

func TestDatasetItems(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/datasets", `{"name":"set"}`)
	full := `{"id":"item 1","datasetId":"<id>","datasetName":"set","status":"ACTIVE","input":{"q":[1,"ü"]},"expectedOutput":"four","metadata":[true],
		"sourceTraceId":"t","sourceObservationId":"o","createdAt":"<time>","updatedAt":"<time>","mediaReferences":[]}`
	h.like(t, 200, full, h.send(t, http.MethodPost, "/dataset-items",
		`{"datasetName":"set","id":"item 1","input":{"q":[1,"ü"]},"expectedOutput":"four","metadata":[true],"sourceTraceId":"t","sourceObservationId":"o","status":"ACTIVE"}`))
	h.like(t, 200, full, h.get(t, "/dataset-items/item%201"))
	bare := `{"id":"<id>","datasetId":"<id>","datasetName":"set","status":"ACTIVE","input":null,"expectedOutput":null,"metadata":null,
		"sourceTraceId":null,"sourceObservationId":null,"createdAt":"<time>","updatedAt":"<time>","mediaReferences":[]}`
	h.like(t, 200, bare, h.send(t, http.MethodPost, "/dataset-items", `{"datasetName":"set","id":null,"input":null,"status":null,"sourceTraceId":null}`))
	h.like(t, 200, `{"data":[`+bare+`,`+full+`],"meta":{"page":1,"limit":50,"totalItems":2,"totalPages":1}}`, h.get(t, "/dataset-items", "datasetName", "set"))
	h.like(t, 200, `{"data":[`+bare+`],"meta":{"page":1,"limit":1,"totalItems":2,"totalPages":2}}`, h.get(t, "/dataset-items", "limit", "1"))
	for _, parameters := range [][]string{{"sourceTraceId", "t"}, {"sourceObservationId", "o"}, {"datasetName", "set", "sourceTraceId", "t", "sourceObservationId", "o"}} {
		h.like(t, 200, `{"data":[`+full+`],"meta":{"page":1,"limit":50,"totalItems":1,"totalPages":1}}`, h.get(t, "/dataset-items", parameters...))
	}
	h.like(t, 200, emptyPage, h.get(t, "/dataset-items", "sourceTraceId", "other"))

	changed := h.made(t, "/dataset-items", `{"datasetName":"set","id":"item 1","expectedOutput":5}`)
	assert.Equal(t, 5.0, changed["expectedOutput"])
	assert.Equal(t, map[string]any{"q": []any{1.0, "ü"}}, changed["input"], "what is not sent stays")

	h.made(t, "/dataset-items", `{"datasetName":"set","id":"item 1","status":"ARCHIVED"}`)
	assert.Len(t, h.get(t, "/dataset-items").data(t), 1, "the list shows active items")
	assert.Equal(t, "ARCHIVED", h.get(t, "/dataset-items/item%201").decode(t)["status"])

	h.like(t, 200, `{"message":"Dataset item successfully deleted"}`, h.send(t, http.MethodDelete, "/dataset-items/item%201", nil))
	h.refuses(t, refusal{http.MethodGet, "/dataset-items/item%201", nil, 404, "Dataset item not found", nil})
}

func TestDatasetItemVersions(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/datasets", `{"name":"set"}`)
	write := func(body string) string { return h.made(t, "/dataset-items", body)["updatedAt"].(string) }
	first := write(`{"datasetName":"set","id":"v","input":"old"}`)
	moment, err := time.Parse(time.RFC3339, first)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return time.Now().After(moment.Add(2 * time.Millisecond)) }, time.Second, time.Millisecond)
	second := write(`{"datasetName":"set","id":"v","input":"new"}`)
	input := func(version string) []any {
		var inputs []any
		for _, row := range h.get(t, "/dataset-items", "datasetName", "set", "version", version).data(t) {
			inputs = append(inputs, row["input"])
		}
		return inputs
	}
	assert.Equal(t, []any{"old"}, input(first))
	assert.Equal(t, []any{"new"}, input(second))
	assert.Equal(t, []any{"new"}, input(""))
	assert.Empty(t, input("2020-01-01"))
	require.Equal(t, 200, h.send(t, http.MethodDelete, "/dataset-items/v", nil).status)
	assert.Equal(t, []any{"new"}, input(second), "a version of before the deletion")
	assert.Empty(t, input(""))
	h.made(t, "/dataset-run-items", `{"runName":"run","datasetItemId":"v","traceId":"t","datasetVersion":"`+first+`"}`)
}

func TestDatasetRefusals(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/datasets", `{"name":"set","inputSchema":{"type":"object","required":["q"]}}`)
	h.made(t, "/v2/datasets", `{"name":"other"}`)
	h.made(t, "/dataset-items", `{"datasetName":"other","id":"`+h.project+`"}`)
	const post = http.MethodPost
	refusals := []refusal{
		{http.MethodGet, "/v2/datasets/none", nil, 404, "Dataset not found", nil},
		{http.MethodGet, "/datasets/none", nil, 404, "Dataset not found", nil},
		{http.MethodGet, "/dataset-items?datasetName=none", nil, 404, "Dataset not found", nil},
		{http.MethodGet, "/dataset-items?version=2026-01-01", nil, 400, "version can only be used together with datasetName", []any{"version"}},
		{http.MethodGet, "/dataset-items?datasetName=set&version=soon", nil, 400, "Invalid input: expected date, received Date", []any{"version"}},
		{http.MethodGet, "/dataset-items?datasetName=set&datasetName=other", nil, 400, "Invalid input: expected string, received array", []any{"datasetName"}},
		{http.MethodGet, "/dataset-items?limit=0", nil, 400, "Too small: expected number to be >=1", []any{"limit"}},
		{http.MethodDelete, "/dataset-items/none", nil, 404, "Dataset item not found", nil},
		{post, "/dataset-items", `{}`, 400, "Invalid input: expected string, received undefined", []any{"datasetName"}},
		{post, "/dataset-items", `{"datasetName":"none"}`, 404, "Dataset not found", nil},
		{post, "/dataset-items", `{"datasetName":"other","id":""}`, 400, "Too small: expected string to have >=1 characters", []any{"id"}},
		{post, "/dataset-items", `{"datasetName":"other","id":"` + strings.Repeat("x", 256) + `"}`, 400, "Too big: expected string to have <=255 characters", []any{"id"}},
		{post, "/dataset-items", `{"datasetName":"other","status":"GONE"}`, 400, `Invalid option: expected one of "ACTIVE"|"ARCHIVED"`, []any{"status"}},
		{post, "/dataset-items", `{"datasetName":"set","input":{"q":1},"id":"` + h.project + `"}`, 409, "Dataset item with id " + h.project + " already exists in another dataset", nil},
	}
	for _, path := range []string{"/v2/datasets", "/datasets"} {
		refusals = append(refusals,
			refusal{http.MethodGet, path + "?page=-1", nil, 400, "Too small: expected number to be >=1", []any{"page"}},
			refusal{post, path, `{}`, 400, "Invalid input: expected string, received undefined", []any{"name"}},
			refusal{post, path, `{"name":""}`, 400, "Too small: expected string to have >=1 characters", []any{"name"}},
			refusal{post, path, `{"name":7}`, 400, "Invalid input: expected string, received number", []any{"name"}},
			refusal{post, path, `{"name":"<b>x"}`, 400, "Text cannot contain HTML tags", []any{"name"}},
			refusal{post, path, `{"name":"x","description":{}}`, 400, "Invalid input: expected string, received object", []any{"description"}},
		)
	}
	h.refuses(t, refusals...)

	got := h.send(t, post, "/dataset-items", `{"datasetName":"set","input":{}}`)
	assert.Equal(t, 400, got.status, "the input does not fit the schema")
	got = h.send(t, post, "/v2/datasets", `{"name":"x","inputSchema":{"type":12}}`)
	assert.Equal(t, 400, got.status, got.body)
	got = h.send(t, post, "/dataset-items", `{"datasetName":"other","input":"`+strings.Repeat("x", 4_700_000)+`"}`)
	assert.Equal(t, 200, got.status, "4.5 MB are 4,718,592 bytes")
	got = h.send(t, post, "/dataset-items", `{"datasetName":"other","input":"`+strings.Repeat("x", 4_718_592)+`"}`)
	assert.Equal(t, 413, got.status)
	assert.Equal(t, "Body exceeded 4.5mb limit", got.decode(t)["message"])
	assert.Equal(t, 413, h.send(t, post, "/v2/datasets", `{"name":"x","metadata":"`+strings.Repeat("x", 1<<20)+`"}`).status)
}

func TestDatasetsOfOthers(t *testing.T) {
	h := start(t)
	set := h.made(t, "/v2/datasets", `{"name":"set"}`)
	item := h.made(t, "/dataset-items", `{"datasetName":"set"}`)["id"].(string)
	h.made(t, "/dataset-run-items", fmt.Sprintf(`{"runName":"run","datasetItemId":%q,"traceId":"t"}`, item))
	other := h.asOther()
	for _, path := range []string{"/v2/datasets", "/datasets", "/dataset-items"} {
		assert.Empty(t, other.get(t, path).data(t), path)
	}
	runItems := fmt.Sprintf("/dataset-run-items?datasetId=%s&runName=run", set["id"])
	other.refuses(t,
		refusal{http.MethodGet, "/v2/datasets/set", nil, 404, "Dataset not found", nil},
		refusal{http.MethodGet, "/datasets/set", nil, 404, "Dataset not found", nil},
		refusal{http.MethodGet, "/dataset-items?datasetName=set", nil, 404, "Dataset not found", nil},
		refusal{http.MethodGet, "/dataset-items/" + item, nil, 404, "Dataset item not found", nil},
		refusal{http.MethodDelete, "/dataset-items/" + item, nil, 404, "Dataset item not found", nil},
		refusal{http.MethodPost, "/dataset-items", `{"datasetName":"set"}`, 404, "Dataset not found", nil},
		refusal{http.MethodPost, "/dataset-run-items", fmt.Sprintf(`{"runName":"run","datasetItemId":%q,"traceId":"t"}`, item), 404, "Dataset item not found", nil},
		refusal{http.MethodGet, runItems, nil, 404, "Dataset run not found", nil},
		refusal{http.MethodGet, "/datasets/set/runs", nil, 404, "Dataset not found", nil},
		refusal{http.MethodGet, "/datasets/set/runs/run", nil, 404, "Dataset run not found", nil},
		refusal{http.MethodDelete, "/datasets/set/runs/run", nil, 404, "Dataset run not found", nil},
	)
	assert.NotEqual(t, set["id"], other.made(t, "/v2/datasets", `{"name":"set"}`)["id"])
	assert.Equal(t, 200, other.send(t, http.MethodPost, "/dataset-items", fmt.Sprintf(`{"datasetName":"set","id":%q}`, item)).status, "ids are those of a project")
	assert.Len(t, h.get(t, runItems).data(t), 1)
}
