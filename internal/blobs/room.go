// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/weirhq/weir/internal/store"
)

const (
	// reserve is what contents leave free on the disk. The engine is on the same one, and needs twice its log, which is
	// 32 MiB before it is written into the file and more when much comes at once.
	reserve = 256 << 20
	// checkEvery is after how many bytes of a content the disk is looked at again: others write to it too.
	checkEvery = 8 << 20
)

// ErrFull says that there is no room for a content. It is a store.ErrUnavailable: later there may be some.
var ErrFull = fmt.Errorf("%w: there is no room for a content", store.ErrUnavailable)

// room is how much there is, and how much was promised to contents that are on their way.
type room struct {
	mu sync.Mutex
	// used are the bytes of all contents, and all that was promised.
	used int64
	// unwritten is the part of what was promised that is not on the disk yet.
	unwritten int64
}

// measure counts what is there already.
func (s *Store) measure() error {
	err := filepath.WalkDir(s.settings.Dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !id.MatchString(entry.Name()) || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			s.room.used += info.Size()
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil // another process has just deleted it
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("failed to look through the folder of the media: %w", err)
	}
	return nil
}

// space is a promise of room for one content. It writes the content, and notices when the disk fills up all the same.
type space struct {
	store   *Store
	file    io.Writer
	length  int64
	written int64
	checked int64
	isKept  bool
}

// promise sets room aside for a content.
func (s *Store) promise(length int64) (*space, error) {
	s.room.mu.Lock()
	defer s.room.mu.Unlock()
	if limit := s.settings.MaxTotal; limit > 0 && s.room.used+length > limit {
		return nil, fmt.Errorf("%w: the media have %d bytes, and %d more would be more than `max_size` (%d); raise it, or delete traces",
			ErrFull, s.room.used, length, limit)
	}
	if err := s.checkDisk(s.room.unwritten + length); err != nil {
		return nil, err
	}
	s.room.used += length
	s.room.unwritten += length
	return &space{store: s, length: length}, nil
}

// checkDisk tells whether the disk can take so many bytes more.
func (s *Store) checkDisk(more int64) error {
	if free := s.settings.FreeSpace(s.settings.Dir); free-more < reserve {
		return fmt.Errorf("%w: the disk of %s has %d bytes free, of which the media leave %d; make room", ErrFull, s.settings.Dir, free, reserve)
	}
	return nil
}

func (p *space) Write(content []byte) (int, error) {
	if p.written-p.checked >= checkEvery {
		p.checked = p.written
		if err := p.store.checkDisk(0); err != nil {
			return 0, err
		}
	}
	n, err := p.file.Write(content)
	// One byte more than announced is read, to tell that there is one.
	now := min(p.written+int64(n), p.length)
	p.store.room.mu.Lock()
	p.store.room.unwritten -= now - p.written
	p.store.room.mu.Unlock()
	p.written = now
	return n, err
}

// keep gives a content its name, and the room of what had that name back.
func (p *space) keep(from, to string) error {
	r := &p.store.room
	r.mu.Lock()
	defer r.mu.Unlock()
	old, isThere := sizeOf(to)
	if err := os.Rename(from, to); err != nil {
		return err
	}
	p.isKept = true
	if isThere {
		r.used -= old
	}
	return nil
}

// close ends the promise.
func (p *space) close() {
	r := &p.store.room
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unwritten -= p.length - p.written
	if !p.isKept {
		r.used -= p.length
	}
}

func sizeOf(path string) (size int64, isThere bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	return info.Size(), true
}
