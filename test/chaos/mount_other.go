// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "errors"

func mount(string, int) error { return errors.ErrUnsupported }

func unmount(string) error { return errors.ErrUnsupported }
