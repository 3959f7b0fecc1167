// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// legacyReads are the deprecated paths and what replaces them. Those with an id name something that fillLegacy writes.
func legacyReads(t *testing.T) map[string]string {
	t.Helper()
	const observations, scores, metrics = "GET /api/public/v2/observations", "GET /api/public/v3/scores", "GET /api/public/v2/metrics"
	const experiments, items = "GET /api/public/experiments", "GET /api/public/experiment-items"
	return map[string]string{
		"/traces": observations, "/traces/" + traceID: observations, "/observations": observations, "/observations/" + spanID: observations,
		"/sessions": observations, "/sessions/s-1": observations, "/scores": scores, "/scores/s1": scores, "/v2/scores": scores, "/v2/scores/s1": scores,
		"/metrics?query=" + url.QueryEscape(metricsQuery(t, object{"view": "traces"})): metrics, "/metrics/daily": metrics,
		"/datasets/set/runs": experiments, "/datasets/set/runs/run": items,
	}
}

func (h *harness) fillLegacy(t *testing.T) {
	t.Helper()
	h.postGeneration(t)
	h.writeScores(t, score("s1", noon))
	h.made(t, "/v2/datasets", `{"name":"set"}`)
	h.made(t, "/dataset-items", `{"datasetName":"set","id":"item"}`)
	h.made(t, "/dataset-run-items", object{"runName": "run", "datasetItemId": "item", "traceId": traceID})
}

func TestDeprecationNotice(t *testing.T) {
	h := start(t)
	h.fillLegacy(t)
	for path, replacement := range legacyReads(t) {
		got := h.call(t, http.MethodGet, "/api/public"+path, nil)
		require.Equal(t, http.StatusOK, got.status, "%s: %s", path, got.body)
		assert.Equal(t, object{
			"message": "This endpoint is deprecated. Use " + replacement + " instead.", "replacement": replacement, "sunsetAt": "2026-11-16",
		}, got.decode(t)["_deprecation"], path)
		assert.Equal(t, 1, strings.Count(got.body, "_deprecation"), path)
		assert.Equal(t, http.StatusUnauthorized, h.call(t, http.MethodGet, "/api/public"+path, nil, "Authorization", "").status, path)
	}
	assert.NotContains(t, h.get(t, "/v2/observations").body, "_deprecation")
}

func TestLegacyReadsOff(t *testing.T) {
	for name, h := range map[string]*harness{
		"with a store": start(t, map[string]any{"legacy_reads": false}), "without": startWith(t, nil, map[string]any{"legacy_reads": false}),
	} {
		for path, replacement := range legacyReads(t) {
			got := h.call(t, http.MethodGet, "/api/public"+path, nil, "Authorization", "")
			assert.Equal(t, http.StatusNotFound, got.status, "%s %s", name, path)
			assert.Equal(t, object{
				"message": "This endpoint is not available on deployments running in Langfuse v4 events_only mode. Use " + replacement + " instead.",
			}, got.decode(t), path)
		}
	}
	h := start(t, map[string]any{"legacy_reads": false})
	assert.Equal(t, http.StatusOK, h.call(t, http.MethodDelete, "/api/public/traces/x", nil).status, "only reads are off")
	assert.Equal(t, http.StatusAccepted, h.call(t, http.MethodDelete, "/api/public/scores/x", nil).status)
	assert.Equal(t, http.StatusNotImplemented, startWith(t, nil).get(t, "/traces").status)
}

var retiredWrites = []string{"POST /traces", "POST /events", "POST /spans", "PATCH /spans", "POST /generations", "PATCH /generations"}

// Whoever still calls a write of version 3 is told what to send instead, whatever the settings and the key.
func TestRetiredWrites(t *testing.T) {
	for name, h := range map[string]*harness{
		"with a store": start(t), "without": startWith(t, nil), "no older reads": start(t, map[string]any{"legacy_reads": false}),
	} {
		for _, route := range retiredWrites {
			method, path, _ := strings.Cut(route, " ")
			got := h.call(t, method, "/api/public"+path, []byte(`{"id":"a"}`), "Authorization", "")
			assert.Equal(t, http.StatusNotFound, got.status, "%s: %s", name, route)
			assert.Equal(t, object{
				"message": "This endpoint is not available on deployments running in Langfuse v4 events_only mode. Use POST /api/public/otel/v1/traces instead.",
			}, got.decode(t), route)
		}
		assert.Equal(t, http.StatusMethodNotAllowed, h.call(t, http.MethodPut, "/api/public/spans", nil).status)
	}
}

func TestLegacyNotFound(t *testing.T) {
	h := start(t)
	h.asOther().fillLegacy(t)
	for path, message := range map[string]string{
		"/traces/" + traceID: "Trace " + traceID + " not found within authorized project", "/traces/a%2Fb": "Trace a/b not found within authorized project",
		"/observations/" + spanID: "Observation not found within authorized project", "/sessions/s-1": "Session not found within authorized project",
		"/scores/s1": "Score not found", "/v2/scores/s1": "Score not found",
	} {
		got := h.get(t, path)
		assert.Equal(t, http.StatusNotFound, got.status, path)
		assert.Equal(t, object{"message": message, "error": "LangfuseNotFoundError"}, got.decode(t), "what another project has is not there")
	}
	for _, path := range []string{"/traces", "/observations", "/sessions", "/scores", "/v2/scores", "/metrics/daily"} {
		body := h.get(t, path).decode(t)
		assert.Equal(t, []any{}, body["data"], path)
		assert.Equal(t, object{"page": 1.0, "limit": 50.0, "totalItems": 0.0, "totalPages": 0.0}, body["meta"], path)
	}
}

func TestLegacyPages(t *testing.T) {
	h := start(t)
	for i := range 7 {
		row := observation(fmt.Sprintf("o%d", i), noon.Add(-time.Duration(i)*24*time.Hour))
		row.TraceID, row.SessionID = fmt.Sprintf("t%d", i), fmt.Sprintf("s%d", i)
		judged := score(fmt.Sprintf("c%d", i), noon.Add(-time.Duration(i/2)*time.Hour))
		judged.TraceID = row.TraceID
		h.write(t, row)
		h.writeScores(t, judged)
		h.asOther().write(t, row)
	}
	for path, key := range map[string]string{"/traces": "id", "/observations": "id", "/sessions": "id", "/scores": "id", "/v2/scores": "id", "/metrics/daily": "date"} {
		var all []string
		for page := 1; page <= 4; page++ {
			got := h.get(t, path, "page", strconv.Itoa(page), "limit", "3")
			assert.Equal(t, object{"page": float64(page), "limit": 3.0, "totalItems": 7.0, "totalPages": 3.0}, got.decode(t)["meta"], path)
			for _, row := range got.data(t) {
				all = append(all, row[key].(string))
			}
		}
		assert.Len(t, all, 7, path)
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(all))), 7, path)
		assert.Len(t, h.get(t, path, "page", "", "limit", "").data(t), 7, "an empty one was not sent")
		for _, parameters := range [][]string{{"page", "0"}, {"page", "1.5"}, {"limit", "0"}, {"limit", "101"}, {"limit", "x"}} {
			assert.Equal(t, http.StatusBadRequest, h.get(t, path, parameters...).status, "%s %s", path, parameters)
		}
	}
}

// without leaves some keys out.
func without(row map[string]any, keys ...string) map[string]any {
	kept := maps.Clone(row)
	for _, key := range keys {
		delete(kept, key)
	}
	return kept
}

func TestLegacyReadsOfTwoProjects(t *testing.T) {
	h := start(t)
	for _, one := range []*harness{h, h.asOther()} {
		row, judged := observation("o-"+one.project, noon), score("s-"+one.project, noon)
		row.UserID, row.SessionID, row.Input, judged.TraceID = one.project, "same", one.project, "trace"
		same, sameScore := observation("same", noon.Add(time.Minute)), score("same", noon.Add(time.Minute))
		same.Output, sameScore.TraceID, sameScore.Comment = one.project, "trace", one.project
		one.write(t, row, same)
		one.writeScores(t, judged, sameScore)
	}
	query := metricsQuery(t, object{"view": "traces", "dimensions": []any{object{"field": "userId"}}})
	for _, one := range []*harness{h, h.asOther()} {
		for _, path := range []string{
			"/traces", "/traces/trace", "/observations", "/observations/same", "/sessions", "/sessions/same",
			"/scores", "/scores/same", "/v2/scores", "/v2/scores/same", "/metrics?query=" + url.QueryEscape(query),
		} {
			got := one.call(t, http.MethodGet, "/api/public"+path, nil)
			require.Equal(t, http.StatusOK, got.status, got.body)
			assert.Contains(t, got.body, one.project, path)
			assert.NotContains(t, got.body, one.other, path)
		}
		trace := one.get(t, "/traces/trace").decode(t)
		assert.Equal(t, []any{"o-" + one.project, "same"}, idsOf(trace["observations"]), "the first one first")
		assert.Equal(t, []any{"same", "s-" + one.project}, idsOf(trace["scores"]), "the newest first")
		assert.EqualValues(t, 2, one.get(t, "/metrics/daily").data(t)[0]["countObservations"])
	}
}

func idsOf(rows any) []any {
	var found []any
	for _, row := range rows.([]any) {
		found = append(found, row.(map[string]any)["id"])
	}
	return found
}
