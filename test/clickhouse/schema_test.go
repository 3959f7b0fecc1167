// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"context"
	"net"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
	"github.com/weirhq/weir/test/internal/ports"
)

// A lock on the schema that was left behind keeps nobody away for ever.
func TestSchemaLock(t *testing.T) {
	server := clickhouseserver.Start(t)
	conn := connect(t, server.Address, "default")
	settings := engine.Settings{Endpoints: []string{server.Address}, Database: "d"}
	tryToOpen := func(limit time.Duration) error {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		s, err := engine.Open(ctx, settings)
		if err == nil {
			require.NoError(t, s.Close(t.Context()))
		}
		return err
	}
	lock := func() {
		require.NoError(t, conn.Exec(t.Context(), "CREATE TABLE d.weir_schema_lock (held UInt8) ENGINE = Memory COMMENT 'token'"))
	}
	locks := func() []string {
		return readAll[string](t, conn, "SELECT name FROM system.tables WHERE database = 'd' AND name LIKE 'weir_schema_lock%'")
	}

	require.NoError(t, conn.Exec(t.Context(), "CREATE DATABASE d"))
	lock()
	err := tryToOpen(3 * time.Second)
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.ErrorContains(t, err, "another collector is changing the schema of the database d; if none is, its lock, the table d.weir_schema_lock, goes away")
	require.NotContains(t, err.Error(), "does not answer")
	require.Len(t, locks(), 1, "it may still be at work")

	file := readAll[string](t, conn,
		"SELECT (SELECT path FROM system.disks) || metadata_path FROM system.tables WHERE database = 'd' AND name = 'weir_schema_lock'")[0]
	old := time.Now().Add(-2 * time.Minute)
	require.NoError(t, os.Chtimes(file, old, old))
	require.NoError(t, tryToOpen(time.Minute), "it is too old")
	require.Empty(t, locks())

	lock()
	require.NoError(t, tryToOpen(time.Minute), "who changes nothing needs no lock")
}

// Several servers that know nothing of each other are no store.
func TestSeveralServers(t *testing.T) {
	servers := clickhouseserver.StartCluster(t, 2)
	settings := engine.Settings{Endpoints: []string{servers[0].Address, servers[1].Address}, Database: "d"}
	_, err := engine.Open(t.Context(), settings)
	require.ErrorContains(t, err, "the `endpoints` "+servers[0].Address+" and "+servers[1].Address+" are different servers")
	require.NotErrorIs(t, err, store.ErrUnavailable)

	_, port, err := net.SplitHostPort(servers[0].Address)
	require.NoError(t, err)
	away, err := ports.Free(1)
	require.NoError(t, err)
	settings.Endpoints = []string{servers[0].Address, net.JoinHostPort("localhost", port), away[0]}
	s, err := engine.Open(t.Context(), settings)
	require.NoError(t, err, "names of one server, and one that is away")
	require.NoError(t, s.Close(t.Context()))
}

// swallowing is an address at which nobody ever answers: more are waiting to be let in there than may wait.
func swallowing(t *testing.T) string {
	t.Helper()
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Close(socket) })
	require.NoError(t, syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, syscall.Listen(socket, 0))
	name, err := syscall.Getsockname(socket)
	require.NoError(t, err)
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(name.(*syscall.SockaddrInet4).Port))
	for {
		conn, err := net.DialTimeout("tcp", address, 200*time.Millisecond)
		if err != nil {
			return address
		}
		t.Cleanup(func() { _ = conn.Close() })
	}
}

// A machine that is switched off takes no more than a part of the time to connect.
func TestEndpointThatSwallows(t *testing.T) {
	server := clickhouseserver.Start(t)
	_, port, err := net.SplitHostPort(server.Address)
	require.NoError(t, err)
	settings := engine.Settings{
		Endpoints: []string{swallowing(t), server.Address, net.JoinHostPort("localhost", port)}, Database: "d", DialTimeout: 3 * time.Second,
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*settings.DialTimeout)
	defer cancel()
	s, err := engine.Open(ctx, settings)
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context()))
}

// Replicas that are not kept the same would each show a part of the rows.
func TestReplicasThatAreNone(t *testing.T) {
	servers := clickhouseserver.StartCluster(t, 2)
	settings := engine.Settings{Endpoints: []string{servers[0].Address}, Database: "d", Cluster: clickhouseserver.ReplicasName}
	_, err := engine.Open(t.Context(), settings)
	require.ErrorContains(t, err, "several replicas, which would not have the same rows: set `replicated`")
	settings.Replicated = true
	_, err = engine.Open(t.Context(), settings)
	require.ErrorContains(t, err, "set `internal_replication` to true for its shards in ClickHouse")
	settings.Cluster = clickhouseserver.ClusterName
	_, err = engine.Open(t.Context(), settings)
	require.ErrorContains(t, err, "`replicated` needs a Keeper, and this ClickHouse has none")
}
