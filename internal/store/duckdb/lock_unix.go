// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo && (linux || darwin)

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
)

// lockFolder keeps everybody else from opening the store, this process too: the lock that DuckDB has on its file holds off
// other processes only, and two openings by one would ruin the file. It ends with the process.
func lockFolder(path string) (io.Closer, error) {
	// Opened by package os, so no program that we start inherits it.
	file, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, fileMode) //nolint:gosec // in the folder that is configured
	if err != nil {
		return nil, explainOpen(err, path)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		defer file.Close()
		if owner, _ := io.ReadAll(file); string(owner) == strconv.Itoa(os.Getpid()) {
			return nil, fmt.Errorf("this process has the store %s open already: give each store a `path` of its own", path)
		}
		return nil, explainOpen(errLocked, path)
	}
	// A file system without locks leaves us with what DuckDB does.
	if err := errors.Join(file.Truncate(0), writeAt(file, strconv.Itoa(os.Getpid()))); err != nil {
		return nil, errors.Join(explainOpen(err, path), file.Close())
	}
	return file, nil
}

func writeAt(file *os.File, text string) error {
	_, err := file.WriteAt([]byte(text), 0)
	return err
}
