// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/weirhq/weir/internal/blobs"
)

// media are the contents of media in two folders.
type media struct{ from, to string }

// check refuses to leave contents behind that nobody said could be.
func (m media) check(without bool) error {
	if without || m.to != "" {
		return nil
	}
	some, err := blobs.HasContents(m.from)
	if err != nil {
		return err
	}
	if some {
		return fmt.Errorf("there are media in %s: set `media::path` to a folder that all collectors share, or leave them behind with `--without-media`", m.from)
	}
	return nil
}

func (m media) copyAll(ctx context.Context) (table, error) {
	t := table{name: "media"}
	if _, err := os.Stat(m.from); errors.Is(err, os.ErrNotExist) || m.to == "" {
		return t, nil
	}
	copied, all, err := blobs.CopyContents(ctx, m.from, m.to)
	if err != nil {
		return t, err
	}
	t.rows, t.copied, t.before = all, copied, all-copied
	t.found, err = blobs.CountContents(m.from, m.to)
	t.missing = t.rows - t.found
	return t, err
}
