// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/weirhq/weir/internal/disk"
	"github.com/weirhq/weir/internal/store"
)

// Settings of a store of contents. Zero values stand for the defaults.
type Settings struct {
	// Dir is the folder of the files; it is made if it is not there.
	Dir string
	// Shared says that other processes use the folder at the same time.
	Shared bool
	// MaxSize is the largest content in bytes; the default is 1 GiB.
	MaxSize int64
	// MaxTotal bounds the sum of all contents in bytes; 0 is no limit.
	MaxTotal int64
	// Lifetime is how long a signed address is good for; the default is an hour.
	Lifetime time.Duration
	// Now gives the time, for tests.
	Now func() time.Time
	// FreeSpace gives how many bytes can still be written to the disk of a folder, for tests.
	FreeSpace func(dir string) int64
}

const (
	// DefaultMaxSize is the largest content when nothing is said.
	DefaultMaxSize = 1 << 30
	// DefaultLifetime is how long an address is good for when nothing is said.
	DefaultLifetime = time.Hour

	dirMode  os.FileMode = 0o700
	fileMode os.FileMode = 0o600

	// unfinished is the folder of what is not complete yet.
	unfinished = "unfinished"
)

// The errors of a store of contents, beside store.ErrNotFound and store.ErrUnavailable.
var (
	// ErrMismatch says that a content is not what was announced.
	ErrMismatch = errors.New("the content is not what was announced")
	// ErrBroken says that a content broke off while it was read.
	ErrBroken = errors.New("the content broke off")
)

// Store keeps contents by project and id. It is used by many at once.
type Store struct {
	settings Settings
	key      []byte
	room     room
	turns    turns
}

// Open opens the store in a folder, or makes a new one there. Only one process may have it open, unless it is shared.
func Open(settings Settings) (*Store, error) {
	if settings.MaxSize == 0 {
		settings.MaxSize = DefaultMaxSize
	}
	if settings.Lifetime == 0 {
		settings.Lifetime = DefaultLifetime
	}
	if settings.Now == nil {
		settings.Now = time.Now
	}
	if settings.FreeSpace == nil {
		settings.FreeSpace = disk.Free
	}
	if err := clearUnfinished(settings); err != nil {
		return nil, fmt.Errorf("failed to clear the folder of the media: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(settings.Dir, unfinished), dirMode); err != nil {
		return nil, fmt.Errorf("failed to make the folder of the media: %w", err)
	}
	// A folder that was there before may be open to others.
	if err := os.Chmod(settings.Dir, dirMode); err != nil {
		return nil, fmt.Errorf("failed to take the folder of the media away from other users: %w", err)
	}
	s := &Store{settings: settings}
	if err := s.measure(); err != nil {
		return nil, err
	}
	var err error
	s.key, err = s.loadKey()
	return s, err
}

// MaxSize is the largest content in bytes.
func (s *Store) MaxSize() int64 { return s.settings.MaxSize }

// id is what a content may be called: nothing that leads elsewhere.
var id = regexp.MustCompile(`^[A-Za-z0-9_-]{22}$`)

// path is where a content is. Each project has a folder of its own, so that no project learns what another one has; its id
// can be any text, and its hash is a name.
func (s *Store) path(project, name string) (string, error) {
	if !id.MatchString(name) {
		return "", fmt.Errorf("%w: no content is called %q", store.ErrNotFound, name)
	}
	sum := sha256.Sum256([]byte(project))
	return filepath.Join(s.settings.Dir, hex.EncodeToString(sum[:16]), name[:2], name), nil
}

// Has tells whether a content is there, complete and checked.
func (s *Store) Has(project, name string) bool {
	path, err := s.path(project, name)
	if err != nil {
		return false
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// Open opens a content for reading.
func (s *Store) Open(project, name string) (io.ReadSeekCloser, error) {
	path, err := s.path(project, name)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path) //nolint:gosec // made of a hash and of a name that was checked
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no content %s", store.ErrNotFound, name)
	case err != nil:
		return nil, fmt.Errorf("%w: failed to open a content: %w", store.ErrUnavailable, err)
	}
	return file, nil
}
