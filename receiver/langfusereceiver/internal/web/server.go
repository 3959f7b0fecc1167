// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/klauspost/compress/gzhttp"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store"
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
	// Denied is said to who shows the public key alone; empty is the usual text.
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
	// MaxAnswer is the largest answer in bytes; 0 is no limit.
	MaxAnswer int64
	CORS      CORS
	// LoopbackOnly says that requests must name the own machine as their host.
	LoopbackOnly bool
	Logger       *zap.Logger
}

// Server answers by a list of routes.
type Server struct {
	keys      *Keyring
	limits    BodyLimits
	requests  *Budget
	maxAnswer int64
	logger    *zap.Logger
}

// NewServer makes the handler of all routes.
func NewServer(set Settings, routes []Route) (http.Handler, error) {
	s := &Server{keys: set.Keys, limits: set.Limits, requests: set.Requests, maxAnswer: set.MaxAnswer, logger: set.Logger}
	router := chi.NewRouter()
	messageOnly := map[string]bool{} // the paths whose errors are all a message alone
	for _, route := range routes {
		messageOnly[route.Path] = route.Style == StyleMessage
		handler := s.handler(route)
		if route.Method == AnyMethod {
			router.Handle(route.Path, handler)
			continue
		}
		router.Method(route.Method, route.Path, handler)
	}
	router.NotFound(s.fixed(NotFound("Not Found"), StyleStandard))
	wrongMethod := NewError(http.StatusMethodNotAllowed, "Method not allowed")
	router.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		style := StyleStandard
		if messageOnly[r.URL.Path] {
			style = StyleMessage
		}
		s.fixed(wrongMethod, style)(w, r)
	})

	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024))
	if err != nil {
		return nil, err
	}
	handler := set.CORS.handler(compress(onEscapedPath(router)))
	if set.LoopbackOnly {
		handler = onLoopbackHosts(handler)
	}
	return withID(handler), nil
}

// fixed always answers with the same error.
func (s *Server) fixed(e *Error, style Style) http.HandlerFunc {
	return s.handler(Route{Style: style, Handle: func(context.Context, *Request) (Reply, error) { return Reply{}, e }})
}

// handler bounds, admits, answers, and tells the log.
func (s *Server) handler(route Route) http.HandlerFunc {
	return func(w http.ResponseWriter, plain *http.Request) {
		began := time.Now()
		plain.Pattern = route.Path
		r := &Request{Request: plain, ID: plain.Header.Get(headerRequestID), server: s, writer: w}
		if s.limits.Compressed > 0 && !route.AnySize {
			plain.Body = http.MaxBytesReader(w, plain.Body, s.limits.Compressed)
		}
		// Place and memory are given back when the answer is sent, however long its reader takes.
		defer r.leave()
		defer r.giveBack()
		reply, err := s.answer(route, r) //nolint:contextcheck // the request has it
		if reply.Stream != nil {
			r.leave() // a file may take its reader minutes
		}
		if err == nil {
			err = reply.write(w, plain, r.makeRoom)
		}
		if err != nil {
			failed := AsError(err)
			reply = Reply{Status: failed.Status, Value: route.Style.body(failed)}
			_ = reply.write(w, plain, nil)
		}
		s.log(route, r, reply.Status, time.Since(began), err)
	}
}

// makeRoom has an answer take the place of the body in memory.
func (r *Request) makeRoom(size int64) error {
	if most := r.server.maxAnswer; most > 0 && size > most {
		return store.ErrTooLarge
	}
	r.giveBack()
	return r.Reserve(size)
}

// answer runs a handler; a panic in it is an error like others.
func (s *Server) answer(route Route, r *Request) (_ Reply, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			s.logger.Error("A request made a handler panic.", zap.String("request_id", r.ID), zap.Any("panic", caught), zap.ByteString("stack", debug.Stack()))
			err = NewError(http.StatusInternalServerError, "Internal Server Error")
		}
	}()
	// Open routes need no place: who asks whether the server is well shall hear it also when it is busy.
	if route.Access != Open {
		if err := r.enter(); err != nil {
			return Reply{}, err
		}
	}
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
	if errors.Is(err, errPublicKeyDenied) && route.Denied != "" {
		return forbidden(route.Denied)
	}
	return err
}

// log tells of every request at debug level, and of those that failed by our fault at a level that people see. Addresses
// are left out, since filters hold texts of prompts; and so is what was said to the caller, since that repeats what they
// sent.
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
		if err != nil {
			fields = append(fields, zap.String("error_class", AsError(err).Class))
		}
		s.logger.Debug("Answered a request.", fields...)
	}
}
