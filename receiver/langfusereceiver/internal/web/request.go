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
	// reserved is the part of the budget that the body holds.
	reserved int64
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

// idOf is the id that the caller gave, where it is fit for a log, or a new one.
func idOf(r *http.Request) string {
	if id := r.Header.Get(headerRequestID); requestID.MatchString(id) {
		return id
	}
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}
