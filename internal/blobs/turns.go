// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
)

// turns let those take turns who look whether a content has a record, and those who look whether a record has a content. In a
// shared folder others take no turns: so who deletes a content sets it aside first and looks for its record once more, and who
// makes a record looks for its content once more. Of two at least one finds the other.
type turns [64]sync.Mutex

var turnSeed = maphash.MakeSeed()

// take waits until nobody else has to do with a content, or with one of a few others.
func (t *turns) take(project, name string) (done func()) {
	turn := &t[maphash.Comparable(turnSeed, [2]string{project, name})%uint64(len(t))]
	turn.Lock()
	return turn.Unlock
}

// Announce makes or finds the record of a media and links it, and tells its id and whether its content is there to stay.
func (s *Store) Announce(ctx context.Context, c *catalog.Catalog, project string, create catalog.MediaCreate) (name string, isThere bool, _ error) {
	name, err := catalog.MediaID(create.SHA256)
	if err != nil {
		return "", false, err
	}
	defer s.turns.take(project, name)()
	create.HasContent = s.Has(project, name)
	_, err = c.CreateMedia(ctx, project, create)
	return name, err == nil && create.HasContent && s.Has(project, name), err
}

// MarkUploaded notes that a content was put. Where its record was deleted meanwhile, the content goes too.
func (s *Store) MarkUploaded(ctx context.Context, c *catalog.Catalog, project, name string, upload catalog.MediaUpload) error {
	defer s.turns.take(project, name)()
	err := c.MarkUploaded(ctx, project, name, upload)
	if errors.Is(err, store.ErrNotFound) {
		return errors.Join(err, s.deleteRecordless(ctx, c, project, name))
	}
	return err
}

// deleteUnused deletes contents whose records are gone, if they still are: somebody may have announced one anew.
func (s *Store) deleteUnused(ctx context.Context, c *catalog.Catalog, project string, names []string) error {
	var failures []error
	for _, name := range names {
		failures = append(failures, s.deleteOneUnused(ctx, c, project, name))
	}
	return errors.Join(failures...)
}

func (s *Store) deleteOneUnused(ctx context.Context, c *catalog.Catalog, project, name string) error {
	defer s.turns.take(project, name)()
	if _, err := c.Media(ctx, project, name); !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return s.deleteRecordless(ctx, c, project, name)
}

// deleteRecordless deletes a content that has no record, unless it gets one meanwhile.
func (s *Store) deleteRecordless(ctx context.Context, c *catalog.Catalog, project, name string) error {
	aside, err := s.setAside(project, name)
	if err != nil || aside == nil {
		return err
	}
	if _, err := c.Media(ctx, project, name); !errors.Is(err, store.ErrNotFound) {
		return errors.Join(err, aside.putBack())
	}
	return aside.remove()
}
