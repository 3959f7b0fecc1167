// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/weirhq/weir/internal/store"
)

// Put stores what a reader gives, if it has that length and that SHA-256. When it returns nil, the content is durable.
func (s *Store) Put(project, name string, length int64, hash []byte, content io.Reader) error {
	path, err := s.path(project, name)
	if err != nil {
		return err
	}
	if length > s.settings.MaxSize {
		return fmt.Errorf("%w: %d bytes are more than %d", ErrMismatch, length, s.settings.MaxSize)
	}
	space, err := s.promise(length)
	if err != nil {
		return err
	}
	defer space.close()
	return s.write(path, space.keep, func(file *os.File) error {
		space.file = file
		return fill(space, length, hash, content)
	})
}

// write makes a file of a content: it has its name when all of it is there, and else there is none.
func (s *Store) write(path string, keep func(from, to string) error, fill func(*os.File) error) error {
	file, err := os.CreateTemp(filepath.Join(s.settings.Dir, unfinished), "content-*")
	if err != nil {
		return unavailable(err)
	}
	defer func() {
		_ = file.Close()
		_ = os.Remove(file.Name()) // not there any more where all went well
	}()
	if err := fill(file); err != nil {
		return err
	}
	return s.settle(file, path, keep)
}

// fill writes a content to a file and checks it on the way.
func fill(file io.Writer, length int64, hash []byte, content io.Reader) error {
	sum := sha256.New()
	source := &source{reader: io.LimitReader(content, length+1)}
	n, err := io.Copy(io.MultiWriter(file, sum), source)
	switch {
	case source.err != nil:
		return fmt.Errorf("%w after %d of %d bytes: %w", ErrBroken, n, length, source.err)
	case errors.Is(err, ErrFull):
		return err
	case err != nil:
		return unavailable(err)
	case n > length:
		return fmt.Errorf("%w: it has more than %d bytes", ErrMismatch, length)
	case n < length:
		return fmt.Errorf("%w: it has %d bytes and not %d", ErrMismatch, n, length)
	case subtle.ConstantTimeCompare(sum.Sum(nil), hash) != 1:
		return fmt.Errorf("%w: it has another SHA-256", ErrMismatch)
	}
	return nil
}

// settle gives a complete file its name. The file and then its name are on disk when it returns.
func (s *Store) settle(file *os.File, path string, rename func(from, to string) error) error {
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return unavailable(err)
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, dirMode); err != nil {
		return unavailable(err)
	}
	if err := rename(file.Name(), path); err != nil {
		return unavailable(err)
	}
	for _, dir := range []string{folder, filepath.Dir(folder), s.settings.Dir} {
		if err := syncDir(dir); err != nil {
			return unavailable(err)
		}
	}
	return nil
}

// syncDir makes the names in a folder durable; where a folder is no file, the system does so by itself.
func syncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(path) //nolint:gosec // a folder of ours
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func unavailable(err error) error {
	return fmt.Errorf("%w: failed to write a content: %w", store.ErrUnavailable, err)
}

// source remembers whether reading failed, which is the sender's fault, and not ours.
type source struct {
	reader io.Reader
	err    error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}
