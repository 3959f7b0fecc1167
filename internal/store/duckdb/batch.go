// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb // import "github.com/weirhq/weir/internal/store/duckdb"

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// batch is the rows of a commit, in the order in which they came.
type batch struct {
	keys  []string // of the rows, one for each
	rows  []batchRow
	index map[string]int // where the row of a key is
	now   time.Time
}

// batchRow is one of them. It points to what the caller handed over, who waits for the commit.
type batchRow struct {
	project   string
	row       *model.Observation
	createdAt time.Time
}

// lastRows puts the rows of a group together; of equal keys the last counts.
func lastRows(group []*turn, now time.Time) *batch {
	count := 0
	for _, t := range group {
		count += len(t.Work.rows)
	}
	b := &batch{
		keys: make([]string, 0, count), rows: make([]batchRow, 0, count), index: make(map[string]int, count),
		now: now.UTC().Truncate(time.Millisecond),
	}
	for _, t := range group {
		keys := rowKeys(t.Work.project, t.Work.rows)
		for i := range t.Work.rows {
			row := batchRow{project: t.Work.project, row: &t.Work.rows[i], createdAt: b.now}
			if at, again := b.index[keys[i]]; again {
				b.rows[at] = row
				continue
			}
			b.index[keys[i]] = len(b.rows)
			b.keys = append(b.keys, keys[i])
			b.rows = append(b.rows, row)
		}
	}
	return b
}

// records gives the rows as they are stored, each until the next.
func (b *batch) records(yield func(*sqlstore.ObservationRecord) bool) {
	var record sqlstore.ObservationRecord
	for _, r := range b.rows {
		record = sqlstore.ObservationRecord{
			Project:           r.project,
			StoredObservation: store.StoredObservation{Observation: *r.row, CreatedAt: r.createdAt, UpdatedAt: b.now},
		}
		if !yield(&record) {
			return
		}
	}
}

// takeOut deletes the stored rows with the keys of a batch, if there are any, and keeps the time at which each was first stored.
func takeOut(ctx context.Context, tx *sql.Tx, b *batch) (isThere bool, _ error) {
	projects, traces, ids := make([]string, len(b.rows)), make([]string, len(b.rows)), make([]string, len(b.rows))
	for i, r := range b.rows {
		projects[i], traces[i], ids[i] = r.project, r.row.TraceID, r.row.ID
	}
	const which = "(project, trace_id, id) IN (SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]))"
	found, err := tx.QueryContext(ctx, "SELECT project, trace_id, id, created_at FROM observations WHERE "+which, projects, traces, ids)
	if err != nil {
		return false, err
	}
	defer found.Close()
	for found.Next() {
		var project, traceID, id string
		var createdAt time.Time
		if err := found.Scan(&project, &traceID, &id, &createdAt); err != nil {
			return false, err
		}
		at, asked := b.index[rowKey(project, traceID, id)]
		if !asked {
			return false, errors.New("a row came back that was not asked for")
		}
		b.rows[at].createdAt = createdAt.UTC()
		isThere = true
	}
	if err := errors.Join(found.Err(), found.Close()); err != nil || !isThere {
		return false, err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM observations WHERE "+which, projects, traces, ids)
	return true, err
}

// rowKey names a row. The lengths keep the parts apart, whatever is in them.
func rowKey(project, traceID, id string) string {
	return string(appendRowKey(nil, project, traceID, id))
}

// rowKeys names rows of a project, all in one piece of memory.
func rowKeys(project string, rows []model.Observation) []string {
	var text []byte
	ends := make([]int, len(rows))
	for i := range rows {
		text = appendRowKey(text, project, rows[i].TraceID, rows[i].ID)
		ends[i] = len(text)
	}
	keys, all, begin := make([]string, len(rows)), string(text), 0
	for i, end := range ends {
		keys[i], begin = all[begin:end], end
	}
	return keys
}

func appendRowKey(dst []byte, project, traceID, id string) []byte {
	dst = append(strconv.AppendInt(dst, int64(len(project)), 10), ':')
	dst = append(strconv.AppendInt(dst, int64(len(traceID)), 10), ':')
	dst = append(dst, project...)
	dst = append(dst, traceID...)
	return append(dst, id...)
}
