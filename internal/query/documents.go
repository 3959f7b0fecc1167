// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// DocumentOrder is how a list of documents is sorted. Every order is total.
type DocumentOrder int

// The orders of documents.
const (
	// NewestFirst is by the time of creation, then by id, both descending.
	NewestFirst DocumentOrder = iota
	// ByName is by name, then by id, both ascending, byte by byte.
	ByName
)

// MaxKeys is how many values a condition on documents may list.
const MaxKeys = 1000

// MaxOffset bounds how far into a list a page may begin.
const MaxOffset = math.MaxInt32

// Documents asks for a page of the documents of one kind.
//
// Of the lists, nil is no condition; else the text must be one of those listed, so that an empty list finds nothing.
type Documents struct {
	Project string
	Kind    string

	IDs     []string
	Parents []string
	Names   []string
	States  []string

	// AsOf asks for what was there at a time, as far as older versions were kept; zero is now.
	AsOf time.Time

	Order  DocumentOrder
	Offset int
	// Limit is how many documents to give; with 0 they are only counted.
	Limit int
	// MaxBytes bounds the bodies of the page together; 0 is no bound.
	MaxBytes int64
	// NoBodies asks for documents without their bodies.
	NoBodies bool
}

// Validate tells why no engine could answer the query.
func (q *Documents) Validate() error {
	switch {
	case q.Project == "":
		return errors.New("a query needs a project")
	case q.Kind == "":
		return errors.New("a query for documents needs a kind")
	case q.Order != NewestFirst && q.Order != ByName:
		return fmt.Errorf("there is no order %d", q.Order)
	case q.Offset < 0 || q.Offset > MaxOffset:
		return fmt.Errorf("a page begins at 0 to %d, not at %d", MaxOffset, q.Offset)
	case q.Limit < 0 || q.Limit > MaxLimit:
		return fmt.Errorf("a page has 0 to %d documents, not %d", MaxLimit, q.Limit)
	}
	for _, list := range [][]string{q.IDs, q.Parents, q.Names, q.States} {
		if len(list) > MaxKeys {
			return fmt.Errorf("a condition lists at most %d texts, not %d", MaxKeys, len(list))
		}
	}
	return nil
}
