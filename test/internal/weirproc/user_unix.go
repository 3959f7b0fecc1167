// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package weirproc // import "github.com/weirhq/weir/test/internal/weirproc"

import "syscall"

// asUser has a process run as another user.
func asUser(id uint32) (*syscall.SysProcAttr, error) {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}, nil
}
