// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
)

// service is the other side: it takes what a Langfuse-compatible service takes, and remembers it.
type service struct {
	t       *testing.T
	address string

	mu     sync.Mutex
	spans  map[string]int // how often each span arrived, by trace and span id
	last   ptrace.Span
	scores map[string]map[string]any // body by id
	header http.Header               // of the last trace request
	refuse bool                      // everything, for wrong keys
}

func newService(t *testing.T) *service {
	return &service{t: t, address: freeAddress(t), spans: map[string]int{}, scores: map[string]map[string]any{}}
}

// listen opens the port; before that the service is down.
func (s *service) listen() {
	s.t.Helper()
	listener, err := net.Listen("tcp", s.address)
	require.NoError(s.t, err)
	server := &http.Server{Handler: s}
	go func() { _ = server.Serve(listener) }()
	s.t.Cleanup(func() { _ = server.Close() })
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		zipped, err := gzip.NewReader(r.Body)
		if !assert.NoError(s.t, err) {
			return
		}
		body = zipped
	}
	data, err := io.ReadAll(body)
	assert.NoError(s.t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch r.URL.Path {
	case "/api/public/otel/v1/traces":
		s.header = r.Header.Clone()
		s.takeSpans(data)
		_, _ = io.WriteString(w, "{}")
	case "/api/public/ingestion":
		w.WriteHeader(http.StatusMultiStatus)
		s.takeScores(data)
		_, _ = io.WriteString(w, `{"successes":[],"errors":[]}`)
	case "/api/public/projects":
		_, _ = io.WriteString(w, `{"data":[{"id":"p","name":"E2E Project"}]}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *service) takeSpans(data []byte) {
	request := ptraceotlp.NewExportRequest()
	assert.NoError(s.t, request.UnmarshalProto(data))
	for _, rs := range request.Traces().ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				s.spans[span.TraceID().String()+span.SpanID().String()]++
				s.last = span
			}
		}
	}
}

func (s *service) takeScores(data []byte) {
	var request struct {
		Batch []struct {
			Body map[string]any `json:"body"`
		} `json:"batch"`
	}
	assert.NoError(s.t, json.Unmarshal(data, &request))
	for _, event := range request.Batch {
		s.scores[event.Body["id"].(string)] = event.Body
	}
}

// arrived is the number of different spans that the service has.
func (s *service) arrived() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.spans)
}

// score is the body of a score that arrived.
func (s *service) score(id string) (body map[string]any, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, ok = s.scores[id]
	return body, ok
}
