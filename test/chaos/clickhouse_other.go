// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package main

import "errors"

func launchClickHouse(string, string) (server clickHouse, address string, _ error) {
	return nil, "", errors.ErrUnsupported
}
