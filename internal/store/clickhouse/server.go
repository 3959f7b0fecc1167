// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// oldestServer is the first version that has all we use: text indexes above all.
var oldestServer = [2]uint64{26, 2}

// checkServer refuses a server that cannot do what is needed.
func checkServer(ctx context.Context, conn driver.Conn, s *Settings) error {
	version, err := conn.ServerVersion()
	if err != nil {
		return err
	}
	if problem := tooOld(version.Version.Major, version.Version.Minor); problem != "" {
		return fmt.Errorf("%s", problem)
	}
	// What is switched off in a server that is new enough.
	var missing []string
	err = conn.QueryRow(ctx, `SELECT arrayFilter(name -> name NOT IN (SELECT name FROM system.settings), ['additional_table_filters', 'distributed_foreground_insert'])`).Scan(&missing)
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return fmt.Errorf("this ClickHouse lacks the settings %v: use a newer one", missing)
	}
	if s.Cluster == "" {
		return nil
	}
	var replicas uint32
	var spreads bool
	err = conn.QueryRow(ctx, "SELECT max(replica_num), min(internal_replication) = 0 FROM system.clusters WHERE cluster = "+quote(s.Cluster)).Scan(&replicas, &spreads)
	if err != nil {
		return err
	}
	switch {
	case replicas == 0:
		return fmt.Errorf("ClickHouse knows no cluster %q: set `cluster` to one of `SELECT DISTINCT cluster FROM system.clusters`", s.Cluster)
	case replicas > 1 && !s.Replicated:
		return fmt.Errorf("the cluster %q has shards of several replicas, which would not have the same rows: set `replicated`, or `cluster` to one with a server a shard", s.Cluster)
	case replicas > 1 && spreads:
		return fmt.Errorf("the cluster %q would write every row to each replica, and each would pass it on: set `internal_replication` to true for its shards in ClickHouse", s.Cluster)
	case s.Replicated:
		return checkKeeper(ctx, conn)
	default:
		return nil
	}
}

func checkKeeper(ctx context.Context, conn driver.Conn) error {
	var isThere bool
	if err := conn.QueryRow(ctx, "SELECT count() > 0 FROM system.tables WHERE database = 'system' AND name = 'zookeeper'").Scan(&isThere); err != nil {
		return err
	}
	if !isThere {
		return errors.New("`replicated` needs a Keeper, and this ClickHouse has none: configure one, or switch `replicated` off")
	}
	return nil
}

func tooOld(major, minor uint64) string {
	if major > oldestServer[0] || major == oldestServer[0] && minor >= oldestServer[1] {
		return ""
	}
	return fmt.Sprintf("ClickHouse %d.%d is too old: %d.%d or later is needed", major, minor, oldestServer[0], oldestServer[1])
}

// shardAddresses are the servers that hold rows: those of each shard of the cluster, in the order in which all collectors find
// them. Without a cluster it is one, with all its addresses.
func shardAddresses(ctx context.Context, conn driver.Conn, s *Settings) ([][][]string, error) {
	if s.Cluster == "" {
		return [][][]string{{s.Endpoints}}, nil
	}
	rows, err := conn.Query(ctx, "SELECT shard_num, host_name, port FROM system.clusters WHERE cluster = "+quote(s.Cluster)+" ORDER BY shard_num, replica_num")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var shards [][][]string
	var last uint32
	for rows.Next() {
		var shard uint32
		var host string
		var port uint16
		if err := rows.Scan(&shard, &host, &port); err != nil {
			return nil, err
		}
		if shard != last {
			shards, last = append(shards, nil), shard
		}
		replicas := &shards[len(shards)-1]
		*replicas = append(*replicas, []string{net.JoinHostPort(host, strconv.Itoa(int(port)))})
	}
	return shards, rows.Err()
}

// checkEndpoints refuses several endpoints that are several servers: without a cluster each would have a part of the rows. A
// table that one of them made tells; who does not answer is not asked.
func checkEndpoints(ctx context.Context, s *Settings) error {
	if s.Cluster != "" || len(s.Endpoints) == 1 {
		return nil
	}
	tables := make([]string, len(s.Endpoints))
	steps := make([]func(context.Context) error, len(s.Endpoints))
	for i := range s.Endpoints {
		steps[i] = func(ctx context.Context) error {
			conn, err := s.openWriter(s.Endpoints[i:i+1], "default")
			if err != nil {
				return err
			}
			defer func() { _ = conn.Close() }()
			err = conn.QueryRow(ctx, "SELECT toString(any(uuid)) FROM system.tables WHERE name = 'commits' AND database = "+quote(s.Database)).Scan(&tables[i])
			if isAway(err) {
				return nil
			}
			return err
		}
	}
	if err := together(ctx, steps...); err != nil {
		return err
	}
	first := -1
	for i, table := range tables {
		switch {
		case table == "":
		case first < 0:
			first = i
		case table != tables[first]:
			return fmt.Errorf("the `endpoints` %s and %s are different servers, each of which would have a part of the rows: name addresses of one server, or set `cluster`",
				s.Endpoints[first], s.Endpoints[i])
		}
	}
	return nil
}
