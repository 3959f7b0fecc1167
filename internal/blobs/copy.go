// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// HasContents tells whether there are contents in the folder of a store.
func HasContents(dir string) (bool, error) {
	some := false
	err := eachContent(dir, func(string, fs.FileInfo) error {
		some = true
		return fs.SkipAll
	})
	return some, err
}

// CopyContents copies the contents of a store that nobody has open into another one, as far as they are not there. It tells how
// many it copied, and how many there are. The key that signs addresses stays.
func CopyContents(ctx context.Context, from, to string) (copied, all int, err error) {
	target, err := Open(Settings{Dir: to, Shared: true})
	if err != nil {
		return 0, 0, err
	}
	err = eachContent(from, func(path string, info fs.FileInfo) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		all++
		place := filepath.Join(to, path)
		if size, isThere := sizeOf(place); isThere && size == info.Size() {
			return nil
		}
		copied++
		return target.copyFile(filepath.Join(from, path), place)
	})
	return copied, all, err
}

// CountContents counts the contents of a store that another one has too, of the same size.
func CountContents(of, in string) (found int, err error) {
	err = eachContent(of, func(path string, info fs.FileInfo) error {
		if size, isThere := sizeOf(filepath.Join(in, path)); isThere && size == info.Size() {
			found++
		}
		return nil
	})
	return found, err
}

// eachContent calls a function with the path of every content below a folder.
func eachContent(dir string, do func(path string, info fs.FileInfo) error) error {
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !id.MatchString(entry.Name()) || !entry.Type().IsRegular() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		below, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		return do(below, info)
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

func (s *Store) copyFile(from, to string) error {
	source, err := os.Open(from) //nolint:gosec // below a folder that was given
	if err != nil {
		return err
	}
	defer source.Close()
	return s.write(to, os.Rename, func(file *os.File) error {
		if _, err := io.Copy(file, source); err != nil {
			return fmt.Errorf("failed to copy the content %s: %w", from, err)
		}
		return nil
	})
}
