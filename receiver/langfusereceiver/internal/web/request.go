// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/go-chi/chi/v5"
)

// Request is a request whose caller is known.
type Request struct {
	*http.Request
	// Caller is nil on open routes.
	Caller *Caller
	// ID names the request in logs and in its answer.
	ID string

	server *Server
	writer http.ResponseWriter
	// inPlace says that the request has one of the places of those that are worked on.
	inPlace bool
	// reserved is what the request has of a budget.
	budget   *Budget
	reserved int64
}

// enter takes a place among the requests that are worked on at a time.
func (r *Request) enter() error {
	if !r.server.requests.Take(1) {
		return errBusy
	}
	r.inPlace = true
	return nil
}

// leave gives it back, if there is one.
func (r *Request) leave() (left bool) {
	if !r.inPlace {
		return false
	}
	r.server.requests.Give(1)
	r.inPlace = false
	return true
}

// Project is the project of the caller.
func (r *Request) Project() string { return r.Caller.Project.ID }

// Segment is a part of the path by its name in the route, unescaped: names may hold slashes. What is no UTF-8 becomes the
// character that stands for that, as in parameters: no engine takes it.
func (r *Request) Segment(name string) string {
	text := chi.URLParam(r.Request, name)
	if unescaped, err := url.PathUnescape(text); err == nil {
		text = unescaped
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

const headerRequestID = "X-Request-Id"

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,128}$`)

// withID names every request, and every answer after it: by the id that the caller gave, where that is fit for a log, or by
// a new one.
func withID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !requestID.MatchString(r.Header.Get(headerRequestID)) {
			var random [8]byte
			_, _ = rand.Read(random[:]) // never fails
			r.Header.Set(headerRequestID, hex.EncodeToString(random[:]))
		}
		w.Header().Set(headerRequestID, r.Header.Get(headerRequestID))
		next.ServeHTTP(w, r)
	})
}
