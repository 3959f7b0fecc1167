// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package weirproc // import "github.com/weirhq/weir/test/internal/weirproc"

import (
	"errors"
	"syscall"
)

func asUser(uint32) (*syscall.SysProcAttr, error) { return nil, errors.ErrUnsupported }
