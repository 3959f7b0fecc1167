// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "errors"

func launchClickHouse(string) (engine, error) {
	return nil, errors.New("there is a ClickHouse for tests on Linux only")
}
