// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"
)

// seenRetry is how long to wait before the file is read again after a failure.
const seenRetry = 10 * time.Second

// seenSlice is about how many rows are read at once. DuckDB holds the whole answer in memory, a hundred bytes a row.
const seenSlice = 1 << 18

// loadSeen fills the filter from the file. Rows that are written meanwhile are added by the writer.
func (e *engine) loadSeen() {
	e.writer.alone.Lock()
	e.seen.renew()
	e.writer.alone.Unlock()
	for {
		err := e.readKeys(seenSlice)
		if err == nil {
			e.seen.setLoaded()
			return
		}
		if e.closing.Err() == nil {
			e.settings.Logger.Warn("Could not read which rows are stored; it is tried again. Writing goes on, but may be slower.", zap.Error(err))
		}
		select {
		case <-e.closing.Done():
			return
		case <-time.After(seenRetry):
		}
	}
}

// renewSeen makes a new filter in the background when most of what is in it has been deleted.
func (e *engine) renewSeen() {
	var rows int64
	err := e.db.QueryRowContext(e.closing, "SELECT count(*) FROM observations").Scan(&rows)
	if err == nil && e.seen.isStale(rows) {
		e.background.Go(e.loadSeen)
	}
}

// readKeys reads the keys of all rows, a range of start times after the other. Where the ranges end is a matter of how much is
// read at once and of nothing else: together they are all of time.
func (e *engine) readKeys(perSlice int64) error {
	bounds, err := e.sliceBounds(perSlice)
	if err != nil {
		return err
	}
	var from sql.NullTime
	for _, bound := range append(bounds, sql.NullTime{}) {
		if err := e.readSlice(from, bound); err != nil {
			return err
		}
		from = bound
	}
	return nil
}

// sliceBounds are the start times that cut the table into slices of about the same size.
func (e *engine) sliceBounds(perSlice int64) (bounds []sql.NullTime, err error) {
	e.reading.RLock()
	defer e.reading.RUnlock()
	var count int64
	if err := e.db.QueryRowContext(e.closing, "SELECT count(*) FROM observations").Scan(&count); err != nil || count <= perSlice {
		return nil, err
	}
	slices := count/perSlice + 1
	var shares []string // as text, since they must be constants
	for i := range slices - 1 {
		shares = append(shares, strconv.FormatFloat(float64(i+1)/float64(slices), 'f', -1, 64))
	}
	quantiles := "approx_quantile(start_time, [" + strings.Join(shares, ", ") + "])"
	rows, err := e.db.QueryContext(e.closing, "SELECT DISTINCT unnest("+quantiles+") AS bound FROM observations ORDER BY bound") //nolint:gosec // our own numbers
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var bound sql.NullTime
		if err := rows.Scan(&bound); err != nil {
			return nil, err
		}
		bounds = append(bounds, bound)
	}
	return bounds, rows.Err()
}

func (e *engine) readSlice(from, to sql.NullTime) (err error) {
	e.reading.RLock()
	defer e.reading.RUnlock()
	rows, err := e.db.QueryContext(e.closing, `SELECT project, trace_id, id FROM observations
		WHERE (?::TIMESTAMP IS NULL OR start_time >= ?::TIMESTAMP) AND (?::TIMESTAMP IS NULL OR start_time < ?::TIMESTAMP)`, from, from, to, to)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	keys := make([]string, 0, 1024)
	for rows.Next() {
		var project, traceID, id string
		if err := rows.Scan(&project, &traceID, &id); err != nil {
			return err
		}
		if keys = append(keys, rowKey(project, traceID, id)); len(keys) == cap(keys) {
			e.seen.load(keys)
			keys = keys[:0]
		}
	}
	e.seen.load(keys)
	return rows.Err()
}
