// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouseserver // import "github.com/weirhq/weir/test/internal/clickhouseserver"

import (
	"os"
	"path/filepath"

	"github.com/weirhq/weir/test/internal/ports"
)

// Launch starts a server for a program that is no test, with its data in a folder. It runs until it is killed.
func Launch(root, dir string) (*Server, error) {
	program, library, err := find(root)
	if err != nil {
		return nil, err
	}
	addresses, err := ports.Free(2)
	if err != nil {
		return nil, err
	}
	s := &Server{
		Address: addresses[0], http: addresses[1], program: program, library: library,
		dir: filepath.Join(dir, "data"), config: filepath.Join(dir, "config.xml"),
	}
	if err := os.WriteFile(s.config, []byte(clusterConfig(addresses[:1], "")), 0o600); err != nil {
		return nil, err
	}
	if err := s.Start(); err != nil {
		return nil, err
	}
	return s, nil
}
