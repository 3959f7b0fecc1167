// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"go.uber.org/zap"
)

const (
	// lockTime is how old a lock is that was left behind. Who holds one gives up earlier.
	lockTime = time.Minute
	holdTime = lockTime * 3 / 4
)

// lockTable is there while somebody changes the schema.
const lockTable = "weir_schema_lock"

var errLocked = errors.New("another collector is changing the schema")

// lockSchema keeps others away who start at the same time. That a table is made by one of them only is the one thing that a
// server without a Keeper promises. The returned context ends before others break the lock.
func lockSchema(ctx context.Context, s *Settings, server driver.Conn) (held context.Context, unlock func(), err error) {
	table := s.Database + "." + lockTable
	asking := withoutDeadline{ctx} // when a statement ends for lack of time, ctx.Err says so
	rubbish := ""                  // what is left of a lock that was broken
	seen := false
	for {
		err := server.Exec(asking, "CREATE TABLE "+table+" (held UInt8) ENGINE = Memory COMMENT "+quote(rand.Text()))
		if err == nil {
			break
		}
		broken := ""
		if hasCode(err, codeTableExists) {
			seen = true
			broken, err = breakLock(asking, server, s.Database)
		}
		switch {
		case seen && ctx.Err() != nil:
			return nil, nil, fmt.Errorf("%w of the database %s; if none is, its lock, the table %s, goes away after %s", errLocked, s.Database, table, lockTime)
		case err != nil:
			return nil, nil, fmt.Errorf("failed to lock the schema of the database %s: %w", s.Database, err)
		case broken != "":
			rubbish = broken
			s.Logger.Warn("Whoever began to change the schema did not end; its lock is broken.")
		default:
			select {
			case <-ctx.Done():
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	held, cancel := context.WithTimeout(ctx, holdTime)
	return held, func() {
		cancel()
		ctx, cancel := within(ctx, lockTime-holdTime)
		defer cancel()
		// It is ours, unless it took long to tell us so and somebody has broken it since. Then the lock of another goes, and a third
		// may take the same steps at the same time, which bear being taken twice.
		err := server.Exec(ctx, "DROP TABLE IF EXISTS "+table+" SYNC")
		if err == nil && rubbish != "" {
			err = server.Exec(ctx, "DROP TABLE IF EXISTS "+rubbish+" SYNC")
		}
		if err != nil {
			s.Logger.Warn("Could not unlock the schema; others wait until the lock is old.", zap.Error(err))
		}
	}, nil
}

// breakLock takes away a lock that is too old, by the clock of the server, and tells its new name. That has the token of who
// held it, so of several who break the same lock one succeeds, and none takes away the next one.
func breakLock(ctx context.Context, server driver.Conn, database string) (broken string, err error) {
	rows, err := server.Query(ctx, fmt.Sprintf("SELECT comment FROM system.tables WHERE database = %s AND name = %s AND metadata_modification_time < now() - %d",
		quote(database), quote(lockTable), int(lockTime.Seconds())))
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var token string
	if !rows.Next() {
		return "", rows.Err()
	}
	if err := rows.Scan(&token); err != nil {
		return "", err
	}
	table := database + "." + lockTable
	broken = table + "_" + token
	err = server.Exec(ctx, "RENAME TABLE "+table+" TO "+broken)
	if hasCode(err, codeTableExists, codeUnknownTable) {
		return "", nil // somebody else was faster
	}
	return broken, err
}
