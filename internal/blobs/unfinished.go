// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"errors"
	"os"
	"path/filepath"
	"time"
)

// unfinishedTime is how long an upload to a shared folder may take at most.
const unfinishedTime = 24 * time.Hour

// clearUnfinished deletes what belonged to a process that is gone. In a shared folder only its age can tell.
func clearUnfinished(settings Settings) error {
	dir := filepath.Join(settings.Dir, unfinished)
	if !settings.Shared {
		return os.RemoveAll(dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || settings.Now().Sub(info.ModTime()) < unfinishedTime {
			continue // what another process has finished is gone
		}
		if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
