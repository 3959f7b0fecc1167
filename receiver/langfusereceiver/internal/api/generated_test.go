// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"maps"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
)

const (
	// requestsEnv is how many requests are made for each route.
	requestsEnv     = "WEIR_API_REQUESTS"
	defaultRequests = 24
	// longest is how long any of them may take.
	longest = 30 * time.Second
)

// Whatever is asked, along the description or against it, is answered: in time, never as a fault of the server, and in a
// form that is described. The transport holds each answer against the description.
func TestGeneratedRequests(t *testing.T) {
	h := start(t)
	e := h.settle(t)
	known := maps.Clone(e)
	known["projectId"], known["objectId"], known["name"] = h.project, traceID, e["promptName"]
	requests := defaultRequests
	if text := os.Getenv(requestsEnv); text != "" {
		var err error
		requests, err = strconv.Atoi(text)
		require.NoError(t, err, requestsEnv)
	}
	for n, route := range apidoctest.Routes() {
		generator := apidoctest.NewGenerator(uint64(n+1), known)
		t.Run(route.Method+" "+route.Path, func(t *testing.T) {
			for turn := range requests {
				made := generator.Request(route, turn%2 == 1)
				sender := h
				if made.Wild {
					sender = h.beyond()
				}
				var body any
				if made.Body != nil {
					body = made.Body
				}
				began := time.Now()
				got := sender.call(t, made.Method, made.Path, body)
				assert.Less(t, time.Since(began), longest, "%s %s", made.Method, made.Path)
				if got.status == http.StatusServiceUnavailable && route.Path == "/api/public/health" {
					continue // who asks so is told that nothing came of late
				}
				assert.Less(t, got.status, http.StatusInternalServerError, "%s %.500s\n%.1000s\n%s", made.Method, made.Path, made.Body, got.body)
			}
		})
	}
}
