// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package upstream is the other side of the exporter: it takes what a Langfuse-compatible service takes, remembers it, and
// misbehaves when told to.
package upstream // import "github.com/weirhq/weir/test/internal/upstream"

import (
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/test/internal/ports"
)

// Project is the name of the project whose keys are shown.
const Project = "E2E Project"

// Deliveries is how often one thing came.
type Deliveries struct {
	// Kept counts the requests after which the service has it.
	Kept int
	// Answered counts those of them whose sender was told so.
	Answered int
}

// Service takes spans and scores. Before Listen it is down.
type Service struct {
	Address string
	// Behave, if set, says what becomes of a request with spans or scores.
	Behave func(*http.Request, Content) Behaviour
	// RefuseKeys has it answer everything as to somebody with wrong keys.
	RefuseKeys atomic.Bool

	mu      sync.Mutex
	server  *http.Server
	left    chan struct{} // closed when it goes down: ends what hangs
	spans   map[string]Deliveries
	scores  map[string]Deliveries
	refused map[string]int            // the last status other than a success, by id
	bodies  map[string]map[string]any // of scores, by id
	last    ptrace.Span
	header  http.Header
	faults  []error
}

// New makes a service at an address of its own.
func New() (*Service, error) {
	free, err := ports.Free(1)
	if err != nil {
		return nil, err
	}
	return &Service{
		Address: free[0], spans: map[string]Deliveries{}, scores: map[string]Deliveries{}, refused: map[string]int{},
		bodies: map[string]map[string]any{},
	}, nil
}

// URL is the base address.
func (s *Service) URL() string { return "http://" + s.Address }

// Listen opens the port.
func (s *Service) Listen() error {
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	s.left = make(chan struct{})
	server := s.server
	go func() { _ = server.Serve(listener) }()
	return nil
}

// Close cuts all connections and closes the port. What came is still known.
func (s *Service) Close() {
	s.mu.Lock()
	server := s.server
	if server != nil {
		close(s.left)
	}
	s.server = nil
	s.mu.Unlock()
	if server != nil {
		_ = server.Close()
	}
}

func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := body(r)
	if err != nil {
		cut() // the sender left in the middle
	}
	if s.RefuseKeys.Load() {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.URL.Path == wire.PathProjects {
		_, _ = io.WriteString(w, `{"data":[{"id":"p","name":"`+Project+`"}]}`)
		return
	}
	content, err := read(r.URL.Path, data)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = append(s.faults, err)
		w.WriteHeader(http.StatusNotFound)
		return
	}
	var behaviour Behaviour
	if s.Behave != nil {
		behaviour = s.Behave(r, content)
	}
	s.act(w, r, content, behaviour)
}

func body(r *http.Request) ([]byte, error) {
	if r.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(r.Body)
	}
	zipped, err := gzip.NewReader(r.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zipped)
}

// Faults are requests that no client of the service sends.
func (s *Service) Faults() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.faults)
}

// Spans are the deliveries of each span, by its trace and span id written together.
func (s *Service) Spans() map[string]Deliveries {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.spans)
}

// Scores are the deliveries of each score, by its id.
func (s *Service) Scores() map[string]Deliveries {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.scores)
}

// Refused are the spans and scores whose sender was told a status instead of a success, with the last one.
func (s *Service) Refused() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.refused)
}

// Count is the number of different spans and scores that the service has.
func (s *Service) Count() (spans, scores int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.spans), len(s.scores)
}

// Score is the body of a score as it came.
func (s *Service) Score(id string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bodies[id]
}

// LastSpan is the span that came last, and the headers of its request.
func (s *Service) LastSpan() (ptrace.Span, http.Header) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last, s.header
}
