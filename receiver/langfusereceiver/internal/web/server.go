// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"context"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/gzhttp"
	"go.uber.org/zap"
)

// Handler answers a request, or gives the error to answer with.
type Handler func(ctx context.Context, r *Request) (Reply, error)

// Route is one method of one path.
type Route struct {
	Method string
	// Path has its variable parts in braces.
	Path   string
	Access Access
	Style  Style
	// Denied is said to who has a key that is not for this route; empty is the usual text.
	Denied string
	// AnySize says that the handler bounds the body, and the server does not.
	AnySize bool
	Handle  Handler
}

// AnyMethod is the method of a route that takes all of them.
const AnyMethod = "*"

// Settings are what a server works with.
type Settings struct {
	Keys   *Keyring
	Limits BodyLimits
	// Requests bounds how many requests are worked on at a time.
	Requests *Budget
	// OwnCORS says that nobody else answers the questions of browsers.
	OwnCORS bool
	Logger  *zap.Logger
}

// Server answers by a list of routes.
type Server struct {
	keys     *Keyring
	limits   BodyLimits
	requests *Budget
	logger   *zap.Logger
}

// NewServer makes the handler of all routes.
func NewServer(set Settings, routes []Route) (http.Handler, error) {
	s := &Server{keys: set.Keys, limits: set.Limits, requests: set.Requests, logger: set.Logger}
	router := chi.NewRouter()
	for _, route := range routes {
		handler := s.handler(route)
		if route.Method == AnyMethod {
			router.Handle(route.Path, handler)
			continue
		}
		router.Method(route.Method, route.Path, handler)
	}
	router.NotFound(s.fixed(NotFound("Not Found")))
	router.MethodNotAllowed(s.fixed(NewError(http.StatusMethodNotAllowed, "Method not allowed")))

	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024))
	if err != nil {
		return nil, err
	}
	var handler http.Handler = compress(onEscapedPath(router))
	if set.OwnCORS {
		handler = withCORS(handler)
	}
	return handler, nil
}

// onEscapedPath routes on the path as it was sent, so that a name with an escaped slash stays one part. One client
// library doubles the first slash when its base address ends in one.
func onEscapedPath(router *chi.Mux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/")
		routing := chi.NewRouteContext()
		routing.RoutePath = path
		if short := strings.TrimRight(path, "/"); short != path && short != "" {
			if !router.Match(chi.NewRouteContext(), r.Method, path+"x") && router.Match(chi.NewRouteContext(), r.Method, short) {
				redirect(w, r, short)
				return
			}
		}
		router.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, routing)))
	})
}

// redirect sends a caller from a path with a slash at its end to the one without. Where something with a name could
// follow the slash, an empty name is meant, and not the list of all.
func redirect(w http.ResponseWriter, r *http.Request, path string) {
	if r.URL.RawQuery != "" {
		path += "?" + r.URL.RawQuery
	}
	http.Redirect(w, r, path, http.StatusPermanentRedirect)
}

// fixed always answers with the same error.
func (s *Server) fixed(e *Error) http.HandlerFunc {
	return s.handler(Route{Handle: func(context.Context, *Request) (Reply, error) { return Reply{}, e }})
}

// handler bounds, admits, answers, and tells the log.
func (s *Server) handler(route Route) http.HandlerFunc {
	return func(w http.ResponseWriter, plain *http.Request) {
		began := time.Now()
		plain.Pattern = route.Path
		r := &Request{Request: plain, ID: idOf(plain), server: s, writer: w}
		w.Header().Set(headerRequestID, r.ID)
		if s.limits.Compressed > 0 && !route.AnySize {
			plain.Body = http.MaxBytesReader(w, plain.Body, s.limits.Compressed)
		}
		var reply Reply
		var err error
		if release, ok := s.enter(route); ok {
			defer release() // when the answer is sent
			reply, err = s.answer(route, r)
		} else {
			err = Unavailable("The server is busy with other requests")
		}
		s.limits.InFlight.Give(r.reserved)
		if err == nil {
			err = reply.write(w, plain)
		}
		if err != nil {
			failed := AsError(err)
			reply = Reply{Status: failed.Status, Value: route.Style.body(failed)}
			_ = reply.write(w, plain)
		}
		s.log(route, r, reply.Status, time.Since(began), err)
	}
}

// enter takes a place among the requests that are worked on at a time. Open routes need none: who asks whether the server
// is well shall hear it also when it is busy.
func (s *Server) enter(route Route) (release func(), ok bool) {
	if route.Access == Open {
		return func() {}, true
	}
	return func() { s.requests.Give(1) }, s.requests.Take(1)
}

// answer runs a handler; a panic in it is an error like others.
func (s *Server) answer(route Route, r *Request) (_ Reply, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			s.logger.Error("A request made a handler panic.", zap.String("request_id", r.ID), zap.Any("panic", caught), zap.ByteString("stack", debug.Stack()))
			err = NewError(http.StatusInternalServerError, "Internal Server Error")
		}
	}()
	if route.Access != Open && route.Access != Signed {
		caller, err := s.keys.admit(r.Header.Get("Authorization"), route.Access)
		if err != nil {
			return Reply{}, route.deny(err)
		}
		r.Caller = caller
	}
	return route.Handle(r.Context(), r)
}

func (route Route) deny(err error) error {
	if denied := AsError(err); denied.Status == http.StatusForbidden && route.Denied != "" {
		return forbidden(route.Denied)
	}
	return err
}

// log tells of every request at debug level, and of those that failed by our fault at a level that people see. Addresses
// are left out: filters hold texts of prompts.
func (s *Server) log(route Route, r *Request, status int, took time.Duration, err error) {
	fields := []zap.Field{
		zap.String("request_id", r.ID), zap.String("method", r.Method), zap.String("route", route.Path),
		zap.Int("status", status), zap.Duration("took", took),
	}
	if r.Caller != nil {
		fields = append(fields, zap.String("project", r.Caller.Project.ID))
	}
	switch {
	case status == http.StatusServiceUnavailable, status == http.StatusNotImplemented:
		s.logger.Warn("A request could not be answered.", append(fields, zap.Error(err))...)
	case status >= http.StatusInternalServerError:
		s.logger.Error("A request failed.", append(fields, zap.Error(err))...)
	default:
		s.logger.Debug("Answered a request.", fields...)
	}
}
