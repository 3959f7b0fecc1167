// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package web // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/web"

import (
	"context"
	"errors"
	"net/http"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/validation"
)

// Error is an answer that says no. How it is written depends on the route: see Style.
type Error struct {
	Status  int
	Message string
	// Class is the name by which the service calls such errors.
	Class string
	// Issues are the single problems of a request that is not valid.
	Issues validation.Issues
	// cause is for the log only: it may hold what is none of the caller's business.
	cause error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

func (e *Error) Unwrap() error { return e.cause }

// Because is the same error with a cause for the log.
func (e *Error) Because(cause error) *Error {
	with := *e
	with.cause = cause
	return &with
}

// classes are the names of the errors of the service by their status.
var classes = map[int]string{
	http.StatusBadRequest:            "InvalidRequestError",
	http.StatusUnauthorized:          "UnauthorizedError",
	http.StatusForbidden:             "ForbiddenError",
	http.StatusNotFound:              "LangfuseNotFoundError",
	http.StatusMethodNotAllowed:      "MethodNotAllowedError",
	http.StatusConflict:              "LangfuseConflictError",
	http.StatusRequestEntityTooLarge: "PayloadTooLargeError",
	http.StatusUnprocessableEntity:   "PayloadTooLargeError",
	http.StatusInternalServerError:   "InternalServerError",
	http.StatusNotImplemented:        "NotImplementedError",
	http.StatusServiceUnavailable:    "ServiceUnavailableError",
}

// NewError makes an error of the class that belongs to its status.
func NewError(status int, message string) *Error {
	return &Error{Status: status, Message: message, Class: classes[status]}
}

// BadRequest says that a request can never be answered as it is.
func BadRequest(message string) *Error { return NewError(http.StatusBadRequest, message) }

// NotFound says that there is no such thing in the project.
func NotFound(message string) *Error { return NewError(http.StatusNotFound, message) }

// Unavailable says that the same request may succeed later. It is the only such status that every client library acts
// upon, and so the only one that is used.
func Unavailable(message string) *Error { return NewError(http.StatusServiceUnavailable, message) }

// errBusy says that others must finish first.
var errBusy = Unavailable("The server is busy with other requests")

// NotImplemented says which part of the configuration a request would need.
func NotImplemented(message string) *Error { return NewError(http.StatusNotImplemented, message) }

// AsError makes an answer of any error.
func AsError(err error) *Error {
	var (
		answer  *Error
		issues  validation.Issues
		refusal *validation.Refusal
		told    *catalog.Error
		large   *http.MaxBytesError
	)
	switch {
	case errors.As(err, &answer):
		return answer
	case errors.As(err, &issues):
		return &Error{Status: http.StatusBadRequest, Message: "Invalid request data", Class: classes[http.StatusBadRequest], Issues: issues}
	case errors.As(err, &refusal):
		return BadRequest(refusal.Message)
	case errors.As(err, &told) && len(told.Path) > 0:
		path := make([]any, len(told.Path))
		for i, name := range told.Path {
			path[i] = name
		}
		return AsError(validation.Issues{validation.Custom(told.Message, path...)})
	case errors.As(err, &large):
		return tooLarge(large.Limit)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &Error{Status: http.StatusServiceUnavailable, Message: "The request was given up", Class: classes[http.StatusServiceUnavailable], cause: err}
	}
	return fromStore(err)
}

// fromStore makes an answer of an error of the store; what the store did not name is our fault, and its text stays here.
func fromStore(err error) *Error {
	message := err.Error()
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, store.ErrNotFound):
		status = http.StatusNotFound
	case errors.Is(err, store.ErrInvalid):
		status = http.StatusBadRequest
	case errors.Is(err, store.ErrConflict):
		status = http.StatusConflict
	case errors.Is(err, store.ErrUnavailable):
		// Why, with paths and the words of the engine, is in the log.
		status, message = http.StatusServiceUnavailable, "The store is not available now; try again later"
	case errors.Is(err, store.ErrTooLarge):
		return &Error{Status: http.StatusUnprocessableEntity, Message: "Response payload is too large. Ask for fewer rows or fewer groups of fields.", Class: "PayloadTooLargeError", cause: err}
	case errors.Is(err, store.ErrTooExpensive):
		return &Error{Status: http.StatusUnprocessableEntity, Message: message, Class: "Request timed out", cause: err}
	default:
		message = "Internal Server Error"
	}
	return &Error{Status: status, Message: message, Class: classes[status], cause: err}
}
