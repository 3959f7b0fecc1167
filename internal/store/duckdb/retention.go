// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"go.uber.org/zap"
)

// expirySlice is how much time a deletion covers at once. Writers wait for it, so it must not take long.
const expirySlice = 6 * time.Hour

// expiring is a table from which rows are deleted that are too old, by a column with their time.
type expiring struct{ table, column string }

var (
	expiringObservations = expiring{"observations", "start_time"}
	expiringScores       = expiring{"scores", "timestamp"}
)

// deleteExpired deletes what is older than the retention, the oldest first, and frees its space.
func (e *engine) deleteExpired() {
	before := e.settings.Now().UTC().Add(-e.settings.Retention)
	observations, err := e.deleteOlder(expiringObservations, before)
	scores, errScores := e.deleteOlder(expiringScores, before)
	if err := errors.Join(err, errScores); err != nil {
		e.noteInvalidation(err)
		if e.closing.Err() == nil {
			e.settings.Logger.Warn("Could not delete what is older than the retention; it is tried again.", zap.Error(err))
		}
	}
	if observations+scores > 0 {
		e.deleted.Store(true)
		e.settings.Logger.Info("Deleted what is older than the retention.",
			zap.Int64("observations", observations), zap.Int64("scores", scores), zap.Time("before", before))
		e.tidy() // which frees their blocks for new rows
		e.renewSeen()
	}
}

func (e *engine) deleteOlder(x expiring, before time.Time) (deleted int64, _ error) {
	upTo, err := e.oldest(x)
	for err == nil && upTo.Before(before) {
		upTo = upTo.Add(expirySlice)
		if upTo.After(before) {
			upTo = before
		}
		var n int64
		if n, err = e.deleteBefore(x, upTo); n > 0 {
			deleted += n
			upTo, err = e.oldest(x) // years without a row are not walked through
		}
	}
	return deleted, err
}

// oldest is the earliest time in a table; far in the future when there is none.
func (e *engine) oldest(x expiring) (time.Time, error) {
	var oldest sql.NullTime
	err := e.db.QueryRowContext(e.closing, "SELECT min("+x.column+") FROM "+x.table).Scan(&oldest)
	if !oldest.Valid {
		return lastTime, err
	}
	return oldest.Time.UTC(), err
}

func (e *engine) deleteBefore(x expiring, before time.Time) (deleted int64, _ error) {
	err := e.writer.Submit(e.closing, &job{run: func(ctx context.Context, tx *sql.Tx, _ *sql.Conn) error {
		result, err := tx.ExecContext(ctx, "DELETE FROM "+x.table+" WHERE "+x.column+" < ?", before) //nolint:gosec // our own names
		if err != nil {
			return err
		}
		deleted, err = result.RowsAffected()
		return err
	}}, 0)
	return deleted, err
}
