// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"slices"
	"strconv"
	"strings"
)

// deleteWhere deletes the rows of a table that meet a condition, on every shard that has some, and tells how many. Deleting touches
// all parts of a table, so it is worth a look before: on all replicas, since one may still have what others have deleted.
func (e *engine) deleteWhere(ctx context.Context, table, condition string, args ...any) (deleted uint64, err error) {
	if condition, err = bind(condition, args); err != nil {
		return 0, err
	}
	from := e.settings.target().Local(table) + " WHERE " + condition
	for _, replicas := range e.shards {
		var most uint64
		for _, replica := range replicas {
			var rows uint64
			if err := replica.QueryRow(ctx, "SELECT count() FROM "+from).Scan(&rows); err != nil {
				return deleted, err
			}
			most = max(most, rows)
		}
		if most == 0 {
			continue
		}
		if err := replicas[0].Exec(ctx, "DELETE FROM "+from); err != nil {
			return deleted, err
		}
		deleted += most
	}
	return deleted, nil
}

// numberedTables are the tables of rows and their column with the batch; the end of a row belongs to the batch that ended it.
var numberedTables = map[string]string{"observations": "batch", "keys": "batch", "scores": "batch", "documents": "batch", "ends": "ended_by"}

// maxDeleted is how many batches one statement deletes.
const maxDeleted = 5000

// deleteUncommitted deletes what was left of batches between two numbers which never came to count. None comes any more. What
// counts is asked for last: somebody else may have settled meanwhile, and then what is left counts without a commit.
func (e *engine) deleteUncommitted(ctx context.Context, from, to batchNumber) error {
	found := map[string][]batchNumber{}
	for table, column := range numberedTables {
		var err error
		found[table], err = e.numbers(ctx, "SELECT DISTINCT "+column+" FROM "+table+" WHERE "+column+" >= ? AND "+column+" < ?", uint64(from), uint64(to))
		if err != nil {
			return err
		}
	}
	now, err := e.snapshot(ctx)
	if err != nil {
		return err
	}
	for table, batches := range found {
		batches = slices.DeleteFunc(batches, now.has)
		for some := range slices.Chunk(batches, maxDeleted) {
			if _, err := e.deleteWhere(ctx, table, numberedTables[table]+" IN ("+list(some)+")"); err != nil {
				return err
			}
		}
	}
	return nil
}

func list(batches []batchNumber) string {
	texts := make([]string, len(batches))
	for i, batch := range batches {
		texts[i] = strconv.FormatUint(uint64(batch), 10)
	}
	return strings.Join(texts, ", ")
}

// deleteEnded deletes the rows that a batch below a number ended. Their ends are on the same shard.
func (e *engine) deleteEnded(ctx context.Context, below batchNumber) error {
	ends := e.settings.target().Local("ends")
	for _, table := range tablesOfRows {
		if _, err := e.deleteWhere(ctx, table, "(batch, place) IN (SELECT batch, place FROM "+ends+" WHERE ended_by < ?)", uint64(below)); err != nil {
			return err
		}
	}
	return nil
}

// numbers reads a column with numbers of batches.
func (e *engine) numbers(ctx context.Context, statement string, args ...any) ([]batchNumber, error) {
	text, err := bind(statement, args)
	if err != nil {
		return nil, err
	}
	rows, err := e.conn.Query(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var found []batchNumber
	for rows.Next() {
		var number uint64
		if err := rows.Scan(&number); err != nil {
			return nil, err
		}
		found = append(found, batchNumber(number))
	}
	return found, rows.Err()
}
