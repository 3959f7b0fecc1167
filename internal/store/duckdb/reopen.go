// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"errors"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store"
)

var errReopening = fmt.Errorf("%w: it is being opened again", store.ErrUnavailable)

// noteInvalidation looks whether DuckDB has given up the database, as it does when it cannot go on from an error, such as a
// disk that was full in the middle of a checkpoint. From then on it answers everything with that error.
func (e *engine) noteInvalidation(err error) {
	if err != nil && strings.Contains(err.Error(), "has been invalidated") {
		e.broken.Store(true)
	}
}

// reopen opens the file again after DuckDB gave it up. What was acknowledged is in the file or in its log. Until it works, it
// is tried again at every turn of the maintenance.
func (e *engine) reopen() {
	e.writer.alone.Lock()
	defer e.writer.alone.Unlock()
	e.reading.Lock()
	defer e.reading.Unlock()
	err := errors.Join(e.writer.disconnect(), e.db.Close())
	if err != nil {
		e.settings.Logger.Warn("Could not close the store in good order.", zap.Error(err))
	}
	db, err := openFile(e.closing, e.path, e.settings)
	if err == nil {
		e.db = db
		err = e.writer.connect(e.closing)
	}
	if err != nil {
		if e.closing.Err() == nil {
			e.settings.Logger.Error("Could not open the store again; it is tried again.", zap.String("path", e.path), zap.Error(err))
		}
		return
	}
	e.broken.Store(false)
	e.settings.Logger.Warn("Opened the store again, because DuckDB had given it up after an error.", zap.String("path", e.path))
}
