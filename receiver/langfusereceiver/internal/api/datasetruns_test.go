// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/catalog"
)

const (
	useExperiments = `"_deprecation":{"message":"This endpoint is deprecated. Use GET /api/public/experiments instead.","replacement":"GET /api/public/experiments","sunsetAt":"2026-11-16"}`
	useItems       = `"_deprecation":{"message":"This endpoint is deprecated. Use GET /api/public/experiment-items instead.","replacement":"GET /api/public/experiment-items","sunsetAt":"2026-11-16"}`
	useTraces      = `"_deprecation":{"message":"This endpoint is deprecated. Use DELETE /api/public/traces instead.","replacement":"DELETE /api/public/traces","sunsetAt":"2026-11-16"}`
)

func TestDatasetRuns(t *testing.T) {
	h := start(t)
	set := h.made(t, "/v2/datasets", map[string]any{"name": oddName})["id"].(string)
	h.made(t, "/dataset-items", map[string]any{"datasetName": oddName, "id": "i1"})
	runs := "/datasets/" + url.PathEscape(oddName) + "/runs"
	h.like(t, 200, `{"data":[],"meta":{"page":1,"limit":50,"totalItems":0,"totalPages":0},`+useExperiments+`}`, h.get(t, runs))

	const runName = `run / "1"`
	id := catalog.ExperimentID(h.project, set, runName)
	first := h.send(t, http.MethodPost, "/dataset-run-items", map[string]any{
		"runName": runName, "runDescription": "try", "metadata": map[string]any{"m": 1}, "datasetItemId": "i1", "traceId": "t1", "observationId": "o1",
		"datasetVersion": nil, "createdAt": "2026-01-02T03:04:05.678Z",
	})
	withObservation := `{"id":"<id>","datasetRunId":"` + id + `","datasetRunName":"run / \"1\"","datasetItemId":"i1","traceId":"t1","observationId":"o1","createdAt":"2026-01-02T03:04:05.678Z","updatedAt":"<time>"}`
	h.like(t, 200, withObservation, first)
	bare := `{"id":"<id>","datasetRunId":"` + id + `","datasetRunName":"run / \"1\"","datasetItemId":"i1","traceId":"t2","observationId":null,"createdAt":"<time>","updatedAt":"<time>"}`
	h.like(t, 200, bare, h.send(t, http.MethodPost, "/dataset-run-items", map[string]any{"runName": runName, "datasetItemId": "i1", "traceId": "t2", "observationId": nil, "runDescription": nil}))
	alone := h.send(t, http.MethodPost, "/dataset-run-items", `{"runName":"second","datasetItemId":"i1","observationId":"o"}`)
	assert.Contains(t, alone.body, `"traceId":"","observationId":"o"`, "a text even when there is none")

	head := `"id":"` + id + `","name":"run / \"1\"","description":"try","metadata":{"m":1},"datasetId":"` + set + `","datasetName":"folder/my set + 100% ?&#\"ü","createdAt":"<time>","updatedAt":"<time>"`
	h.like(t, 200, `{`+head+`,"datasetRunItems":[`+bare+`,`+withObservation+`],`+useItems+`}`, h.get(t, runs+"/"+url.PathEscape(runName)))
	h.like(t, 200, `{"data":[{`+head+`}],"meta":{"page":2,"limit":1,"totalItems":2,"totalPages":2},`+useExperiments+`}`, h.get(t, runs, "limit", "1", "page", "2"))
	h.like(t, 200, `{"data":[`+bare+`],"meta":{"page":1,"limit":1,"totalItems":2,"totalPages":2},`+useItems+`}`,
		h.get(t, "/dataset-run-items", "datasetId", set, "runName", runName, "limit", "1"))

	h.made(t, "/dataset-run-items", map[string]any{"runName": runName, "datasetItemId": "i1", "traceId": "t2", "runDescription": "later"})
	got := h.get(t, runs+"/"+url.PathEscape(runName)).decode(t)
	assert.Equal(t, "later", got["description"])
	assert.Equal(t, map[string]any{"m": 1.0}, got["metadata"], "what is not sent stays")
	assert.Len(t, got["datasetRunItems"], 2, "the same link again is the same")

	h.like(t, 200, `{"message":"Dataset run successfully deleted",`+useTraces+`}`, h.send(t, http.MethodDelete, runs+"/"+url.PathEscape(runName), nil))
	assert.Equal(t, 404, h.get(t, runs+"/"+url.PathEscape(runName)).status)
	assert.Equal(t, []any{"second"}, names(h.get(t, runs).data(t)))
}

func TestDatasetRunRefusals(t *testing.T) {
	h := start(t)
	set := h.made(t, "/v2/datasets", `{"name":"set"}`)["id"]
	h.made(t, "/dataset-items", `{"datasetName":"set","id":"i"}`)
	const post, path = http.MethodPost, "/dataset-run-items"
	h.refuses(t,
		refusal{post, path, `{"datasetItemId":"i","traceId":"t"}`, 400, "Invalid input: expected string, received undefined", []any{"runName"}},
		refusal{post, path, `{"runName":"","datasetItemId":"i","traceId":"t"}`, 400, "Too small: expected string to have >=1 characters", []any{"runName"}},
		refusal{post, path, `{"runName":"r","traceId":"t"}`, 400, "Invalid input: expected string, received undefined", []any{"datasetItemId"}},
		refusal{post, path, `{"runName":"r","datasetItemId":"i"}`, 400, "observationId or traceId must be provided", []any{"observationId", "traceId"}},
		refusal{post, path, `{"runName":"r","datasetItemId":"none","traceId":"t"}`, 404, "Dataset item not found", nil},
		refusal{post, path, `{"runName":"r","datasetItemId":"i","traceId":"t","foo":1}`, 400, `Unrecognized key: "foo"`, []any{}},
		refusal{post, path, `{"runName":"r","datasetItemId":"i","traceId":"t","createdAt":"2026-01-01"}`, 400, "Invalid ISO datetime", []any{"createdAt"}},
		refusal{post, path, `{"runName":"r","datasetItemId":"i","traceId":"t","datasetVersion":"soon"}`, 400, "Invalid input: expected date, received Date", []any{"datasetVersion"}},
		refusal{post, path, `{"runName":"r","datasetItemId":"i","traceId":"t","datasetVersion":"2020-01-01"}`, 404, "Dataset item not found", nil},
		refusal{http.MethodGet, path, nil, 400, "Invalid input: expected string, received undefined", []any{"datasetId"}},
		refusal{http.MethodGet, path, nil, 400, "Invalid input: expected string, received undefined", []any{"runName"}},
		refusal{http.MethodGet, path + fmt.Sprintf("?datasetId=%s&runName=none", set), nil, 404, "Dataset run not found", nil},
		refusal{http.MethodGet, path + "?datasetId=a&datasetId=b&runName=r", nil, 400, "Invalid input: expected string, received array", []any{"datasetId"}},
		refusal{http.MethodGet, "/datasets/none/runs", nil, 404, "Dataset not found", nil},
		refusal{http.MethodGet, "/datasets/set/runs?limit=1000", nil, 400, "Too big: expected number to be <=100", []any{"limit"}},
		refusal{http.MethodGet, "/datasets/set/runs/none", nil, 404, "Dataset run not found", nil},
		refusal{http.MethodDelete, "/datasets/set/runs/none", nil, 404, "Dataset run not found", nil},
	)
}
