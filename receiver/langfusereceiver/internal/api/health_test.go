// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

func TestHealth(t *testing.T) {
	h := start(t)
	for _, path := range []string{"/api/public/health", "/api/public/ready", "/api/public/health?failIfDatabaseUnavailable=true"} {
		got := h.call(t, http.MethodGet, path, nil, "Authorization", "")
		assert.Equal(t, 200, got.status)
		assert.JSONEq(t, `{"status":"OK","version":"4.55.0","weir":"latest"}`, got.body)
	}
	assert.Equal(t, 200, h.call(t, http.MethodHead, "/api/public/health", nil, "Authorization", "").status)
}

func TestHealthWithoutEvents(t *testing.T) {
	h := start(t)
	got := h.get(t, "/health", "failIfNoRecentEvents", "true")
	assert.Equal(t, 503, got.status)
	assert.JSONEq(t, `{"status":"No events within the last 3 minutes","version":"4.55.0","weir":"latest"}`, got.body)
	assert.Equal(t, 200, h.get(t, "/health", "failIfNoRecentEvents", "yes").status, "only the word true counts")

	h.write(t, model.Observation{
		TraceID: "t", ID: "o", Start: time.Now().UTC().Truncate(time.Millisecond), Type: model.TypeSpan,
		Level: model.LevelDefault, Environment: model.DefaultEnvironment,
	})
	require.Eventually(t, func() bool { return h.get(t, "/health", "failIfNoRecentEvents", "true").status == 200 },
		time.Minute, 10*time.Millisecond, "the store is asked once a second")
}

// away is a store that cannot be reached.
type away struct{ store.Store }

func (away) ListObservations(context.Context, query.Observations) (store.ObservationPage, error) {
	return store.ObservationPage{}, store.ErrUnavailable
}

func TestHealthWithTheStoreAway(t *testing.T) {
	s, err := engine()
	require.NoError(t, err)
	h := startWith(t, away{s})
	assert.Equal(t, 200, h.get(t, "/health").status)
	got := h.get(t, "/health", "failIfDatabaseUnavailable", "true")
	assert.Equal(t, 503, got.status)
	assert.JSONEq(t, `{"status":"Database not available","version":"4.55.0","weir":"latest"}`, got.body)
	got = h.get(t, "/health", "failIfNoRecentEvents", "true")
	assert.Equal(t, 503, got.status)
	assert.JSONEq(t, `{"status":"Couldn't fetch recent events","version":"4.55.0","weir":"latest"}`, got.body)
	got = h.get(t, "/ready")
	assert.Equal(t, 503, got.status)
	assert.JSONEq(t, `{"status":"Readiness check failed","version":"4.55.0","weir":"latest"}`, got.body)
	got = h.get(t, "/v2/observations")
	assert.Equal(t, 503, got.status)
	assert.Equal(t, "1", got.header.Get("Retry-After"))
	assert.JSONEq(t, `{"message":"The store is not available now; try again later","error":"ServiceUnavailableError"}`, got.body)
}

func TestWithoutAStore(t *testing.T) {
	h := startWith(t, nil)
	got := h.get(t, "/v2/observations")
	assert.Equal(t, http.StatusNotImplemented, got.status)
	assert.JSONEq(t, "{\"message\":\"This server hands data on and keeps none: add an extension `langfuse_store:`, its id to the list `service::extensions`, and the exporter `langfuse_store` to the pipelines of langfuse\",\"error\":\"NotImplementedError\"}", got.body)
	assert.Equal(t, http.StatusOK, h.get(t, "/health", "failIfDatabaseUnavailable", "true", "failIfNoRecentEvents", "true").status)
	assert.Equal(t, http.StatusOK, h.get(t, "/ready").status)
	assert.Equal(t, http.StatusOK, h.get(t, "/projects").status)
}

func TestProjects(t *testing.T) {
	h := start(t)
	got := h.get(t, "/projects")
	assert.Equal(t, 200, got.status)
	assert.JSONEq(t, `{"data":[{"id":"`+h.project+`","name":"First","organization":{"id":"org","name":"Org"},"metadata":{}}]}`, got.body)
	other := h.asOther().get(t, "/projects")
	assert.JSONEq(t, `{"data":[{"id":"`+h.other+`","name":"`+h.other+`","organization":{"id":"default","name":"default"},"metadata":{}}]}`, other.body)

	got = h.call(t, http.MethodGet, "/api/public/projects", nil, "Authorization", "Bearer pk-a")
	assert.Equal(t, 403, got.status)
	assert.JSONEq(t, `{"message":"Invalid API key. Are you using an organization key?"}`, got.body)
	got = h.call(t, http.MethodGet, "/api/public/projects", nil, "Authorization", "Basic cGs6c2s=")
	assert.Equal(t, 401, got.status)
	assert.JSONEq(t, `{"message":"Invalid credentials. Confirm that you've configured the correct host."}`, got.body)
}
