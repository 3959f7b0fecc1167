// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"fmt"

	"github.com/weirhq/weir/internal/store"
)

// Error is an error that the caller of the API is told about. Its text is just the message; errors.Is finds
// store.ErrNotFound, store.ErrInvalid or store.ErrConflict in it. Every other error of this package is one of the store.
type Error struct {
	Kind    error
	Message string
	// Path names the fields of the request that are at fault, where they are known.
	Path []string
}

func (e *Error) Error() string { return e.Message }

func (e *Error) Unwrap() error { return e.Kind }

func notFound(format string, args ...any) error {
	return &Error{Kind: store.ErrNotFound, Message: fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) error {
	return &Error{Kind: store.ErrConflict, Message: fmt.Sprintf(format, args...)}
}

// invalid is about a field of the request, "" for the whole.
func invalid(field, format string, args ...any) *Error {
	err := &Error{Kind: store.ErrInvalid, Message: fmt.Sprintf(format, args...)}
	if field != "" {
		err.Path = []string{field}
	}
	return err
}
