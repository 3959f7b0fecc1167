// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"crypto/tls"
	"database/sql"
	"maps"
	"net"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// maxStatement is how long a statement may be: a text to compare with may be as large as one that is stored.
const maxStatement = 512 << 20

// options are what all connections have in common.
func (s *Settings) options() *clickhouse.Options {
	return &clickhouse.Options{
		Addr:            s.Endpoints,
		Auth:            clickhouse.Auth{Username: s.Username, Password: s.Password},
		TLS:             s.TLS,
		DialTimeout:     s.DialTimeout,
		DialContext:     s.dial,
		ReadTimeout:     max(s.QueryTimeout, writeTime) + 10*time.Second,
		MaxOpenConns:    s.MaxConnections,
		MaxIdleConns:    s.MaxConnections,
		Compression:     &clickhouse.Compression{Method: clickhouse.CompressionLZ4},
		ClientInfo:      clickhouse.ClientInfo{Products: []struct{ Name, Version string }{{Name: "weir"}}},
		BlockBufferSize: 2,
	}
}

// dial connects to an address. All endpoints must have had their turn when the time for it is over, so one that swallows what is
// sent to it has a part of it only.
func (s *Settings) dial(ctx context.Context, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: s.DialTimeout / time.Duration(len(s.Endpoints))}
	if s.TLS != nil {
		return (&tls.Dialer{NetDialer: dialer, Config: s.TLS}).DialContext(ctx, "tcp", address)
	}
	return dialer.DialContext(ctx, "tcp", address)
}

// openWriter opens the connections for writing, and for everything that is not bounded as a query is.
func (s *Settings) openWriter(endpoints []string, database string) (driver.Conn, error) {
	o := s.options()
	o.Addr, o.Auth.Database = endpoints, database
	o.Settings = clickhouse.Settings{
		"max_execution_time": int(writeTime.Seconds()),
		"max_query_size":     maxStatement,
		// A row may be in any month, and a batch in many.
		"max_partitions_per_insert_block": 0,
		// An answer must mean that the rows are on the disk of their shard, all of them, even such that were there before.
		"async_insert":                  0,
		"distributed_foreground_insert": 1,
		"insert_deduplicate":            0,
		// Every index is files more to bring to the disk. Small parts are read through without one, and merges make them.
		"materialize_skip_indexes_on_insert": 0,
		// A delete must have happened when it is over.
		"mutations_sync":           2,
		"lightweight_deletes_sync": 2,
	}
	maps.Copy(o.Settings, s.replication())
	return clickhouse.Open(o)
}

// openReader opens the connections for queries.
func (s *Settings) openReader() *sql.DB {
	o := s.options()
	o.Auth.Database = s.Database
	o.Settings = clickhouse.Settings{
		"max_execution_time": int(s.QueryTimeout.Seconds()) + 1,
		"max_memory_usage":   s.QueryMemory,
		"max_query_size":     maxStatement,
		"max_ast_elements":   10_000_000, "max_expanded_ast_elements": 10_000_000,
		// What SQL says, where ClickHouse by itself says something else.
		"aggregate_functions_null_for_empty":             1,
		"cast_keep_nullable":                             1,
		"join_use_nulls":                                 1,
		"prefer_column_name_to_alias":                    1,
		"enable_extended_results_for_datetime_functions": 1,
		// A subquery sees all shards, wherever it runs.
		"distributed_product_mode": "global",
	}
	maps.Copy(o.Settings, s.replication())
	db := clickhouse.OpenDB(o)
	db.SetMaxOpenConns(s.MaxConnections)
	db.SetMaxIdleConns(s.MaxConnections)
	return db
}

// replication is what replicas need to be as good as one server: who reads sees all that was acknowledged, or is told to try again.
func (s *Settings) replication() clickhouse.Settings {
	if !s.Replicated {
		return nil
	}
	return clickhouse.Settings{
		// A majority has every row; one insert into a table after the other, so that it is known which replica has all.
		"insert_quorum":                 "auto",
		"insert_quorum_parallel":        0,
		"insert_quorum_timeout":         int(writeTime.Milliseconds()),
		"select_sequential_consistency": 1,
		// All use the same replica as long as it is there, and it has all that went through it.
		"load_balancing":           "in_order",
		"prefer_localhost_replica": 0,
		// An insert whose turn it was not is sent again; what it had written by then is not written twice.
		"insert_deduplicate": 1,
		// What has ended is deleted by what the ends of its own shard say, which are the same on all its replicas.
		"allow_nondeterministic_mutations": 1,
	}
}
