// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/weirhq/weir/internal/store"
)

// aside is a content that nobody finds any more, and that can still be put back.
type aside struct {
	store *Store
	path  string // where it was
	now   string // where it is
	size  int64
}

// setAside takes a content away; nil if it is not there.
func (s *Store) setAside(project, name string) (*aside, error) {
	path, err := s.path(project, name)
	if err != nil {
		return nil, nil //nolint:nilnil // what cannot be there is not there
	}
	a := &aside{store: s, path: path, now: filepath.Join(s.settings.Dir, unfinished, "aside-"+rand.Text())}
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	a.size, _ = sizeOf(path)
	err = os.Rename(path, a.now)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil //nolint:nilnil // there is nothing to put back
	case err != nil:
		return nil, fmt.Errorf("%w: failed to delete a content: %w", store.ErrUnavailable, err)
	}
	s.room.used -= a.size
	return a, nil
}

// putBack undoes setAside. What was put there meanwhile is the same content.
func (a *aside) putBack() error {
	room := &a.store.room
	room.mu.Lock()
	defer room.mu.Unlock()
	old, isThere := sizeOf(a.path)
	if err := os.Rename(a.now, a.path); err != nil {
		return fmt.Errorf("%w: failed to put a content back: %w", store.ErrUnavailable, err)
	}
	room.used += a.size
	if isThere {
		room.used -= old
	}
	return nil
}

func (a *aside) remove() error {
	if err := os.Remove(a.now); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%w: failed to delete a content: %w", store.ErrUnavailable, err)
	}
	return nil
}
