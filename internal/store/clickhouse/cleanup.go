// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"strings"
	"time"

	"go.uber.org/zap"
)

// everywhere runs a statement on every server that holds rows; a table in braces is the one there.
func (e *engine) everywhere(ctx context.Context, statement string, args ...any) error {
	text, err := bind(statement, args)
	if err != nil {
		return err
	}
	open, end := strings.Index(text, "{"), strings.Index(text, "}")
	text = text[:open] + e.settings.target().Local(text[open+1:end]) + text[end+1:]
	for _, server := range e.servers {
		if err := server.Exec(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// numbered are the tables of rows and their column with the batch; the end of a row belongs to the batch that ended it.
var numberedTables = map[string]string{"observations": "batch", "keys": "batch", "scores": "batch", "documents": "batch", "ends": "ended_by"}

// deleteUncommitted deletes what was left of batches between two numbers which never came to count. None comes any more.
func (e *engine) deleteUncommitted(ctx context.Context, from, to batchNumber) error {
	for table, column := range numberedTables {
		batches, err := e.numbers(ctx, "SELECT DISTINCT "+column+" FROM "+table+" WHERE "+column+" >= ? AND "+column+" < ? AND "+
			column+" NOT IN (SELECT batch FROM commits WHERE batch >= ?) SETTINGS distributed_product_mode = 'global'", uint64(from), uint64(to), uint64(from))
		if err != nil {
			return err
		}
		for len(batches) > 0 {
			some := batches[:min(len(batches), maxDeleted)]
			batches = batches[len(some):]
			if err := e.everywhere(ctx, "DELETE FROM {"+table+"} WHERE "+column+" IN ("+strings.Join(some, ", ")+")"); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxDeleted is how many rows one statement deletes by their numbers.
const maxDeleted = 5000

// deleteEnded deletes the rows that a batch below a number ended.
func (e *engine) deleteEnded(ctx context.Context, below batchNumber) error {
	ended, err := e.numbers(ctx, "SELECT DISTINCT concat('(', toString(batch), ', ', toString(place), ')') FROM ends WHERE ended_by < ?", uint64(below))
	if err != nil {
		return err
	}
	for len(ended) > 0 {
		some := ended[:min(len(ended), maxDeleted)]
		ended = ended[len(some):]
		for _, table := range tablesOfRows {
			if err := e.everywhere(ctx, "DELETE FROM {"+table+"} WHERE (batch, place) IN ("+strings.Join(some, ", ")+")"); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers reads a column of numbers as they are written.
func (e *engine) numbers(ctx context.Context, statement string, args ...any) ([]string, error) {
	text, err := bind("SELECT toString(*) FROM ("+statement+")", args)
	if err != nil {
		return nil, err
	}
	rows, err := e.conn.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var number string
		if err := rows.Scan(&number); err != nil {
			return nil, err
		}
		found = append(found, number)
	}
	return found, rows.Err()
}

// deleteExpired deletes what is older than the retention.
func (e *engine) deleteExpired(ctx context.Context, nowMicros int64) error {
	if e.settings.Retention == 0 {
		return nil
	}
	before := time.UnixMicro(nowMicros).Add(-e.settings.Retention).UTC()
	for table, column := range map[string]string{"observations": "start_time", "keys": "start_time", "scores": "timestamp"} {
		old, err := e.numbers(ctx, "SELECT count() FROM "+table+" WHERE "+column+" < ?", before)
		if err != nil {
			return err
		}
		if old[0] == "0" {
			continue
		}
		if err := e.everywhere(ctx, "DELETE FROM {"+table+"} WHERE "+column+" < ?", before); err != nil {
			return err
		}
		e.settings.Logger.Info("Deleted what is older than the retention.", zap.String("table", table), zap.String("rows", old[0]), zap.Time("before", before))
	}
	return nil
}
