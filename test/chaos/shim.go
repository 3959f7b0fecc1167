// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// shim compiles a library that is loaded into the process before all others, and returns its path. The compiler is the one
// that the store is built with.
func (f *field) shim(name, source string, flags ...string) (string, error) {
	compiler := os.Getenv("CC")
	if compiler == "" {
		compiler = "cc"
	}
	library := filepath.Join(f.dir, name+".so")
	args := append([]string{"-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-x", "c", "-", "-o", library, "-ldl"}, flags...)
	cmd := exec.Command(compiler, args...)
	cmd.Stdin = strings.NewReader(source)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("failed to compile %s: %w\n%s", name, err, out)
	}
	return library, nil
}
