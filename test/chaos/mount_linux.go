// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"syscall"
)

// mount puts a disk of so many megabytes at a folder.
func mount(dir string, megabytes int) error {
	return syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dm", megabytes))
}

func unmount(dir string) error { return syscall.Unmount(dir, syscall.MNT_DETACH) }
