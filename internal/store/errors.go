// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"errors"
	"fmt"
)

// Every error of a store is one of these, possibly wrapped; the text says what to do.
var (
	// ErrNotFound says that there is no such thing in the project.
	ErrNotFound = errors.New("not found")
	// ErrInvalid says that the request can never be answered as it is.
	ErrInvalid = errors.New("invalid request")
	// ErrConflict says that the request contradicts what is stored.
	ErrConflict = errors.New("conflict")
	// ErrUnavailable says that the same request may succeed later: the store is full, busy, closing or away.
	ErrUnavailable = errors.New("store unavailable")
	// ErrTooExpensive says that a query hit its limit of time or memory; a narrower one may not.
	ErrTooExpensive = errors.New("query too expensive")
	// ErrTooLarge says that a page would be larger than its reader can take; one with fewer rows or fields may not.
	ErrTooLarge = fmt.Errorf("%w: the page is too large; ask for fewer rows or fewer fields", ErrTooExpensive)
)
