// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// Page asks for a part of a list: the first page has the number 1.
type Page struct {
	Number int
	Limit  int
}

// List is a part of a list.
type List[T any] struct {
	Rows []T
	// Total is the number of rows on all pages.
	Total int
}

// offset is where the page begins.
func (p Page) offset() (int, error) {
	if p.Number < 1 {
		return 0, invalid("page", "Too small: expected number to be >=1")
	}
	if p.Limit < 1 || p.Limit > query.MaxLimit {
		return 0, invalid("limit", "limit must be 1 to %d", query.MaxLimit)
	}
	if p.Number > query.MaxOffset/p.Limit {
		return 0, invalid("page", "page is too large")
	}
	return (p.Number - 1) * p.Limit, nil
}

// cut is a page of rows that are all there.
func cut[T any](rows []T, page Page) (List[T], error) {
	offset, err := page.offset()
	if err != nil {
		return List[T]{}, err
	}
	return List[T]{Rows: rows[min(offset, len(rows)):min(offset+page.Limit, len(rows))], Total: len(rows)}, nil
}

// record makes a thing of its document.
type record[T any] func(store.Document) (T, error)

// list reads a page of documents as things.
func list[T any](ctx context.Context, c *Catalog, q query.Documents, page Page, read record[T]) (List[T], error) {
	offset, err := page.offset()
	if err != nil {
		return List[T]{}, err
	}
	q.Offset, q.Limit = offset, page.Limit
	found, err := c.documents.ListDocuments(ctx, q)
	if err != nil {
		return List[T]{}, err
	}
	rows, err := readAll(found.Rows, read)
	return List[T]{Rows: rows, Total: found.Total}, err
}

func readAll[T any](documents []store.Document, read record[T]) ([]T, error) {
	rows := make([]T, 0, len(documents))
	for _, d := range documents {
		row, err := read(d)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// maxCollected bounds what is read at once where a question cannot be put to the store.
const (
	maxCollected      = 100_000
	maxCollectedBytes = 256 << 20
)

// collect reads all documents that a query finds.
func (c *Catalog) collect(ctx context.Context, q query.Documents) ([]store.Document, error) {
	var all []store.Document
	q.MaxBytes = maxCollectedBytes
	for q.Limit = query.MaxLimit; ; q.Offset += q.Limit {
		page, err := c.documents.ListDocuments(ctx, q)
		if errors.Is(err, store.ErrTooLarge) {
			return nil, fmt.Errorf("%w: the entries to look through are too large together", store.ErrTooExpensive)
		}
		if err != nil {
			return nil, err
		}
		for i := range page.Rows {
			q.MaxBytes -= int64(len(page.Rows[i].Body))
		}
		q.MaxBytes = max(q.MaxBytes, 1) // 0 is no bound
		if page.Total > maxCollected {
			return nil, fmt.Errorf("%w: there are %d entries to look through, more than %d", store.ErrTooExpensive, page.Total, maxCollected)
		}
		all = append(all, page.Rows...)
		if len(page.Rows) < q.Limit {
			return all, nil
		}
	}
}

// find is the document with an id; it has no revision where there is none.
func (c *Catalog) find(ctx context.Context, project, kind, id string) (store.Document, error) {
	if id == "" || len(id) > store.MaxDocumentKey {
		return store.Document{}, nil
	}
	page, err := c.documents.ListDocuments(ctx, query.Documents{Project: project, Kind: kind, IDs: []string{id}, Limit: 2})
	if err != nil || len(page.Rows) == 0 {
		return store.Document{}, err
	}
	return page.Rows[0], nil
}

// maxTries is how often a change is tried when others change the same thing at the same time. One of them succeeds each
// time, so that it takes very many of them for one to fail.
const maxTries = 100

// change makes changes that depend on what is stored; plan is asked again when somebody else was faster.
func (c *Catalog) change(ctx context.Context, project string, plan func() ([]store.DocumentChange, error)) error {
	for range maxTries {
		changes, err := plan()
		if err != nil || len(changes) == 0 {
			return err
		}
		err = c.documents.WriteDocuments(ctx, project, changes)
		if !errors.Is(err, store.ErrConflict) {
			return err
		}
	}
	return fmt.Errorf("%w: too many others change the same thing at the same time; try again", store.ErrUnavailable)
}

// remove is a change that deletes a document as it was read.
func remove(d store.Document) store.DocumentChange {
	return store.DocumentChange{Document: store.Document{Kind: d.Kind, ID: d.ID}, Delete: true, Expect: d.Revision}
}

// delete deletes a document by its id, and gives an error when there is none.
func (c *Catalog) delete(ctx context.Context, project, kind, id string, missing error) error {
	return c.change(ctx, project, func() ([]store.DocumentChange, error) {
		d, err := c.find(ctx, project, kind, id)
		if err != nil {
			return nil, err
		}
		if d.Revision == store.NoRevision {
			return nil, missing
		}
		return []store.DocumentChange{remove(d)}, nil
	})
}

// encode is the body of a document. Unlike json.Marshal it leaves <, > and & alone.
func encode(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", invalid("", "cannot be stored as JSON: %v", err)
	}
	return string(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), nil
}

func decode(d store.Document, into any) error {
	if err := json.Unmarshal([]byte(d.Body), into); err != nil {
		return fmt.Errorf("the %s %q is stored in a form that cannot be read: %w", d.Kind, d.ID, err)
	}
	return nil
}
