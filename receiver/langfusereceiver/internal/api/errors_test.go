// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

const contentOfMedia = "/api/public/media/{mediaId}/content"

// openPaths need no key; of these only the content of media needs the store.
var openPaths = []string{"/api/public/health", "/api/public/ready", "/api/openapi.yaml", "/api/docs", contentOfMedia}

// Every error that a route can answer with is described: the harness holds each of these answers against the description.
func TestErrorsOfEveryRoute(t *testing.T) {
	s, err := engine()
	require.NoError(t, err)
	broken := &failing{Store: s}
	reader := map[string]any{"public_key": "pk-read", "secret_key": "sk", "access": []any{"read"}}
	h := startWith(t, broken, map[string]any{"max_request_body_size": 4000, "projects": []any{
		map[string]any{"id": "errors-a", "keys": []any{map[string]any{"public_key": "pk-a", "secret_key": "sk-a"}, reader}},
		map[string]any{"id": "errors-b", "keys": []any{map[string]any{"public_key": "pk-b", "secret_key": "sk-b"}}},
	}})
	h.project, h.other = "errors-a", "errors-b"
	e := h.settle(t)
	known := visits(t, h, h.asOther(), e)
	routes := everyRoute(t, known)

	// each asks a good request of each route.
	each := func(t *testing.T, do func(t *testing.T, route apidoctest.Route, path string, body any)) {
		for _, route := range routes {
			v := known[route.Method+" "+route.Path][0]
			query := v.query
			if v.owner != nil {
				query = v.owner
			}
			t.Run(route.Method+" "+route.Path, func(t *testing.T) { do(t, route, v.path(route.Path, e, query), v.body) })
		}
	}

	t.Run("401 and 403", func(t *testing.T) {
		each(t, func(t *testing.T, route apidoctest.Route, path string, body any) {
			if slices.Contains(openPaths, route.Path) {
				return
			}
			assert.Equal(t, 401, h.call(t, route.Method, path, body, "Authorization", "").status)
			assert.Equal(t, 401, h.call(t, route.Method, path, body, "Authorization", "Basic cGs6c2s=").status)
			denied := *h
			denied.keys = [2]string{"pk-read", "sk"}
			headers := []string{}
			if route.Method == http.MethodGet {
				headers = []string{"Authorization", "Bearer pk-a"}
			}
			assert.Equal(t, 403, denied.call(t, route.Method, path, body, headers...).status)
		})
	})
	t.Run("405", func(t *testing.T) {
		each(t, func(t *testing.T, route apidoctest.Route, path string, _ any) {
			for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodPost, http.MethodHead} {
				described := func(r apidoctest.Route) bool {
					return r.Path == route.Path && (r.Method == method || r.Method == apidoctest.AnyMethod)
				}
				if !slices.ContainsFunc(apidoctest.Routes(), described) {
					assert.Equal(t, 405, h.call(t, method, path, nil).status, method)
				}
			}
		})
	})
	t.Run("413 and 400", func(t *testing.T) {
		each(t, func(t *testing.T, route apidoctest.Route, path string, body any) {
			if body == nil || route.Path == contentOfMedia {
				return
			}
			isBatch := strings.Contains(route.Path, "/v1/")
			assert.Equal(t, 413, h.call(t, route.Method, path, `{"x":"`+strings.Repeat("x", 4000)+`"}`).status)
			if strings.HasSuffix(route.Path, "/v1/metrics") {
				return // nobody reads it
			}
			assert.Equal(t, 400, h.call(t, route.Method, path, `{`).status)
			if !isBatch {
				assert.Equal(t, 400, h.call(t, route.Method, path, `"x"`).status)
			}
		})
	})
	t.Run("501", func(t *testing.T) {
		without := startWith(t, nil)
		each(t, func(t *testing.T, route apidoctest.Route, path string, body any) {
			want := 501
			if isOpen := slices.Contains(openPaths, route.Path) && route.Path != contentOfMedia; isOpen ||
				strings.HasSuffix(route.Path, "/projects") || strings.HasSuffix(route.Path, "/v1/traces") || strings.HasSuffix(route.Path, "/v1/metrics") {
				want = 200
			}
			assert.Equal(t, want, without.call(t, methodOf(route), path, body).status)
		})
	})
	t.Run("busy", func(t *testing.T) {
		blocked := &blocked{Store: s, inside: make(chan struct{}), leave: make(chan struct{})}
		busy := startWith(t, blocked, map[string]any{"limits": map[string]any{"max_concurrent_requests": 1}})
		done := make(chan int, 1)
		go func() { done <- busy.get(t, "/v2/observations").status }() //nolint:testifylint // a failure here is one of the test
		<-blocked.inside
		each(t, func(t *testing.T, route apidoctest.Route, path string, body any) {
			if route.Path == "/api/public/ready" {
				return // it asks the store, which is blocked
			}
			want := 503
			if slices.Contains(openPaths, route.Path) && route.Path != contentOfMedia {
				want = 200
			}
			assert.Equal(t, want, busy.call(t, methodOf(route), path, body).status)
		})
		close(blocked.leave)
		assert.Equal(t, 200, <-done)
	})
	for status, failure := range map[int]error{400: store.ErrInvalid, 422: store.ErrTooExpensive, 500: errors.New("disk on fire"), 503: store.ErrUnavailable} {
		t.Run(failure.Error(), func(t *testing.T) {
			broken.err.Store(&failure)
			defer broken.err.Store(nil)
			each(t, func(t *testing.T, route apidoctest.Route, path string, body any) {
				got := h.call(t, methodOf(route), path, body)
				assert.Equal(t, whenStoreFails(route, status), got.status, got.body)
				assert.NotContains(t, got.body, "fire", "what went wrong inside stays there")
			})
		})
	}
}

// blocked is a store whose reads wait.
type blocked struct {
	store.Store
	inside, leave chan struct{}
}

func (b *blocked) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	b.inside <- struct{}{}
	<-b.leave
	return b.Store.ListObservations(ctx, q)
}

// whenStoreFails is the status of a route when the store fails in a way that mostly has another.
func whenStoreFails(route apidoctest.Route, status int) int {
	name, isPipeline := route.Method+" "+route.Path, []string{"POST /api/public/scores", "POST /api/public/ingestion"}
	switch {
	case route.Path == "/api/public/ready":
		return 503
	case slices.Contains(openPaths, route.Path) && route.Path != contentOfMedia, route.Path == "/api/public/projects", strings.HasSuffix(route.Path, "/v1/metrics"):
		return 200
	case name == "PUT "+contentOfMedia:
		return 403 // a content is sent once
	case slices.Contains(isPipeline, name), strings.Contains(route.Path, "/v1/"):
		if status == 400 {
			return 400
		}
		return 503
	default:
		return status
	}
}
