// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/weirhq/weir/internal/query"
)

// Documents are everything that is no signal: datasets, prompts, score configs and the like. An engine does not know
// what they mean: to it a document is a text with a few others by which it is found.
type Documents interface {
	// ListDocuments gives a page and how many documents there are on all pages, both of the same moment.
	ListDocuments(ctx context.Context, q query.Documents) (DocumentPage, error)

	// DocumentProjects are the projects that have documents of a kind, sorted. It is for those who look after all of them.
	DocumentProjects(ctx context.Context, kind string) ([]string, error)

	// WriteDocuments makes all of the changes, or none and tells why. It is ErrConflict when a document has another
	// revision than a change expects; so of several who change the same revision exactly one succeeds. Nobody ever sees a
	// part of the changes.
	//
	// Changes take effect in the order given, each at a moment of its own: of all documents that one store wrote, no two
	// have the same time of creation or of their last change, and later ones have later times, even when the clock is set
	// back. When it succeeds, the documents that were put have the revision and the times that they got.
	WriteDocuments(ctx context.Context, project string, changes []DocumentChange) error
}

// Document is a thing that is kept under an id.
type Document struct {
	// Kind and ID name it in its project.
	Kind string
	ID   string
	// Parent, Name and State are what it is found by. What they mean is up to the kind; each may be empty.
	Parent string
	Name   string
	State  string
	// Body is all the rest. It comes back byte for byte.
	Body string

	// The engine fills in the rest, and ignores what it is told.

	// Revision is never 0, and grows with each change, even when the document was deleted in between.
	Revision int64
	// CreatedAt stays for as long as the document is there; UpdatedAt is when this version was written. Both are whole
	// microseconds in UTC.
	CreatedAt time.Time
	UpdatedAt time.Time
}

// DocumentChange puts a document in place of the one with its kind and id, or deletes that.
type DocumentChange struct {
	Document
	// Delete deletes; only kind and id of the document count then. That there is none is no error by itself.
	Delete bool
	// Expect is the revision that must be there, NoRevision where none must be, or AnyRevision.
	Expect int64
	// KeepOld keeps the version that is replaced or deleted, so that it is found at the times at which it was there.
	// Without it, all versions that were kept before are forgotten too.
	KeepOld bool
}

// Check tells whether the change may be made where a document has that revision, or NoRevision.
func (c *DocumentChange) Check(revision int64) error {
	switch {
	case c.Expect == AnyRevision || c.Expect == revision:
		return nil
	case c.Expect == NoRevision:
		return fmt.Errorf("%w: there already is a %s %q", ErrConflict, c.Kind, c.ID)
	default:
		return fmt.Errorf("%w: the %s %q was changed by somebody else", ErrConflict, c.Kind, c.ID)
	}
}

// Stamp gives the document that is written its revision and its times, where an old one is replaced or, without a revision,
// there is none.
func (c *DocumentChange) Stamp(now time.Time, old Document) {
	c.Revision, c.CreatedAt, c.UpdatedAt = now.UnixMicro(), now, now
	if old.Revision != NoRevision {
		c.CreatedAt = old.CreatedAt
	}
}

// What a change may expect in place of a revision.
const (
	NoRevision  int64 = 0
	AnyRevision int64 = -1
)

// DocumentPage is a part of the list of documents.
type DocumentPage struct {
	Rows []Document
	// Total is how many documents the query finds on all pages.
	Total int
}

// The limits of documents; what is beyond them is ErrInvalid.
const (
	// MaxDocumentKey is for each of kind, id, parent, name and state, in bytes.
	MaxDocumentKey = 4 << 10
	// MaxDocumentBody is in bytes.
	MaxDocumentBody = 16 << 20
	// MaxDocumentChanges is for one call.
	MaxDocumentChanges = 1000
)

// ValidateChanges tells why no engine could make some changes.
func ValidateChanges(changes []DocumentChange) error {
	if len(changes) > MaxDocumentChanges {
		return fmt.Errorf("%w: at most %d documents are changed at once, not %d", ErrInvalid, MaxDocumentChanges, len(changes))
	}
	type key struct{ kind, id string }
	seen := make(map[key]bool, len(changes))
	for i := range changes {
		c := &changes[i]
		if c.Kind == "" || c.ID == "" {
			return fmt.Errorf("%w: a document needs a kind and an id", ErrInvalid)
		}
		if c.Expect < AnyRevision {
			return fmt.Errorf("%w: no document has the revision %d", ErrInvalid, c.Expect)
		}
		if seen[key{c.Kind, c.ID}] {
			return fmt.Errorf("%w: the %s %q is changed twice at once", ErrInvalid, c.Kind, c.ID)
		}
		seen[key{c.Kind, c.ID}] = true
		for _, text := range []string{c.Kind, c.ID, c.Parent, c.Name, c.State} {
			if len(text) > MaxDocumentKey || !utf8.ValidString(text) {
				return fmt.Errorf("%w: kind, id, parent, name and state of a document are UTF-8 of at most %d bytes", ErrInvalid, MaxDocumentKey)
			}
		}
		if len(c.Body) > MaxDocumentBody || !utf8.ValidString(c.Body) {
			return fmt.Errorf("%w: the body of a document is UTF-8 of at most %d bytes", ErrInvalid, MaxDocumentBody)
		}
	}
	return nil
}
