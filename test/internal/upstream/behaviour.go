// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package upstream // import "github.com/weirhq/weir/test/internal/upstream"

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
)

// Behaviour is what becomes of a request. The zero value is a service that is well.
type Behaviour struct {
	// Status is answered instead of a success, and nothing is kept.
	Status int
	// Header goes with it.
	Header map[string]string
	// Keep has the service keep what came, whatever becomes of the answer.
	Keep bool
	// Hang gives no answer until the sender leaves.
	Hang bool
	// Cut ends the connection instead of an answer.
	Cut bool
}

func (b Behaviour) isWell() bool { return b.Status == 0 && !b.Hang && !b.Cut }

func (s *Service) act(w http.ResponseWriter, r *http.Request, content Content, b Behaviour) {
	if b.isWell() || b.Keep {
		s.keep(r, content)
	}
	switch {
	case b.Hang:
		s.mu.Lock()
		left := s.left
		s.mu.Unlock()
		select {
		case <-r.Context().Done():
		case <-left:
		}
		cut()
	case b.Cut:
		cut()
	case b.Status != 0:
		for name, value := range b.Header {
			w.Header().Set(name, value)
		}
		w.WriteHeader(b.Status)
		_, _ = io.WriteString(w, `{"message":"told to answer so"}`)
		if heard(w, r) {
			s.refuse(content, b.Status)
		}
	default:
		content.accept(w)
		if heard(w, r) {
			s.answered(content)
		}
	}
}

// heard tells whether an answer is on its way. A sender who left meanwhile, or a connection that was cut, has heard nothing.
func heard(w http.ResponseWriter, r *http.Request) bool {
	return http.NewResponseController(w).Flush() == nil && r.Context().Err() == nil
}

// cut closes the connection without a word. A handler that just returned would have said 200.
func cut() { panic(http.ErrAbortHandler) }

// keep remembers what came.
func (s *Service) keep(r *http.Request, content Content) {
	s.note(content, func(d *Deliveries) { d.Kept++ })
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, span := range content.spans {
		s.last, s.header = span, r.Header.Clone()
	}
	for _, e := range content.events {
		s.bodies[e.id()] = maps.Clone(e.Body)
	}
}

// answered remembers that the sender knows.
func (s *Service) answered(content Content) {
	s.note(content, func(d *Deliveries) { d.Answered++ })
}

// refuse remembers the status that the sender knows.
func (s *Service) refuse(content Content, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range content.IDs() {
		s.refused[id] = status
	}
}

func (s *Service) note(content Content, change func(*Deliveries)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.spans
	if len(content.events) > 0 {
		all = s.scores
	}
	for _, id := range content.IDs() {
		d := all[id]
		change(&d)
		all[id] = d
	}
}

// accept answers as the service does: spans with an empty object, each event with a verdict of its own.
func (c Content) accept(w http.ResponseWriter) {
	if len(c.events) == 0 {
		_, _ = io.WriteString(w, "{}")
		return
	}
	type verdict struct {
		ID     string `json:"id"`
		Status int    `json:"status"`
	}
	answer := map[string][]verdict{"successes": {}, "errors": {}}
	for _, e := range c.events {
		answer["successes"] = append(answer["successes"], verdict{e.ID, http.StatusCreated})
	}
	w.WriteHeader(http.StatusMultiStatus)
	_ = json.NewEncoder(w).Encode(answer)
}
