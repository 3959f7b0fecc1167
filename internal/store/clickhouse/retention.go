// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"fmt"
	"time"

	"go.uber.org/zap"
)

// expiryInterval is how often what is older than the retention is deleted: it takes a look at every key.
const expiryInterval = time.Hour

// expiring are the tables whose rows do not stay for ever: the column that tells their age, and whether there is a partition for
// each month of it.
var expiring = []struct {
	table, column string
	byMonth       bool
}{
	{"observations", "start_time", true},
	{"scores", "timestamp", true},
	{"keys", "start_time", false},
}

// deleteExpired deletes what is older than the retention.
func (e *engine) deleteExpired(ctx context.Context, now time.Time) error {
	if e.settings.Retention == 0 || now.Sub(e.expired) < expiryInterval {
		return nil
	}
	before := now.Add(-e.settings.Retention).UTC()
	for _, x := range expiring {
		if x.byMonth {
			if err := e.dropMonths(ctx, x.table, before); err != nil {
				return err
			}
		}
		rows, err := e.deleteWhere(ctx, x.table, x.column+" < ?", before)
		if err != nil {
			return err
		}
		if rows > 0 {
			e.settings.Logger.Info("Deleted what is older than the retention.", zap.String("table", x.table), zap.Uint64("rows", rows), zap.Time("before", before))
		}
	}
	e.expired = now
	return nil
}

// dropMonths drops the months that were over at a time. That gives back their space at once, also that of rows which had been
// deleted: parts of old months are hardly ever written anew.
func (e *engine) dropMonths(ctx context.Context, table string, before time.Time) error {
	month, err := bind("SELECT DISTINCT partition_id FROM system.parts WHERE active AND database = ? AND table = ? AND toUInt32(partition_id) < ?",
		[]any{e.settings.Database, e.settings.target().localName(table), before.Year()*100 + int(before.Month())})
	if err != nil {
		return err
	}
	for _, replicas := range e.shards {
		var months []string
		if err := replicas[0].QueryRow(ctx, "SELECT groupArray(partition_id) FROM ("+month+")").Scan(&months); err != nil {
			return err
		}
		for _, id := range months {
			// However large: the limit of the server is there for what a person does by mistake.
			err := replicas[0].Exec(ctx, fmt.Sprintf("ALTER TABLE %s DROP PARTITION ID %s SETTINGS max_partition_size_to_drop = 0", e.settings.target().Local(table), quote(id)))
			if err != nil {
				return err
			}
			e.settings.Logger.Info("Dropped a month that is older than the retention.", zap.String("table", table), zap.String("month", id))
		}
	}
	return nil
}
