// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package disk // import "github.com/weirhq/weir/internal/disk"

import (
	"math"
	"syscall"
)

// Free is how many bytes can still be written to the disk of a folder; as many as there are where nobody can tell.
func Free(dir string) int64 {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return math.MaxInt64
	}
	return int64(disk.Bavail) * int64(disk.Bsize) //nolint:unconvert // the types differ between systems
}
