// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/weirhq/weir/test/internal/clickhouseserver"

// launchClickHouse starts a server with its data in a folder.
func launchClickHouse(root, dir string) (clickHouse, string, error) {
	server, err := clickhouseserver.Launch(root, dir)
	if err != nil {
		return nil, "", err
	}
	return server, server.Address, nil
}
