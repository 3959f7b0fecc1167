// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

// addressesEnv tells a child of a test which servers its parent has started.
const addressesEnv = "WEIR_TEST_CLICKHOUSE"

// databaseOf is a name for the store of a folder: stores with different folders are different ones.
func databaseOf(dir string) string {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(dir))
	return fmt.Sprintf("weir_%016x", hash.Sum64())
}

// open opens the store of a folder.
func open(tb testing.TB, settings engine.Settings, dir string) store.Store {
	tb.Helper()
	settings.Database = databaseOf(dir)
	if settings.WriteWait == 0 {
		settings.WriteWait = patience
	}
	for began := time.Now(); ; {
		s, err := engine.Open(tb.Context(), settings)
		if errors.Is(err, store.ErrUnavailable) && time.Since(began) < patience {
			continue // it is being started again
		}
		require.NoError(tb, err)
		return s
	}
}

// patience is how long a server may take to come back.
const patience = 30 * time.Second

// onServers makes an engine of servers; a child of a test uses those of its parent.
func onServers(tb testing.TB, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) (storetest.Engine, []*clickhouseserver.Server) {
	tb.Helper()
	var servers []*clickhouseserver.Server
	if known := os.Getenv(addressesEnv); known != "" {
		settings.Endpoints = strings.Split(known, ",")
	} else {
		servers = start(tb)
		for _, server := range servers {
			settings.Endpoints = append(settings.Endpoints, server.Address)
		}
		tb.Setenv(addressesEnv, strings.Join(settings.Endpoints, ","))
	}
	return storetest.Engine{Open: func(tb testing.TB, dir string) store.Store { return open(tb, settings, dir) }}, servers
}

func oneServer(tb testing.TB) []*clickhouseserver.Server {
	return []*clickhouseserver.Server{clickhouseserver.Start(tb)}
}

func TestConformance(t *testing.T) {
	underTest, _ := onServers(t, engine.Settings{}, oneServer)
	storetest.Run(t, underTest)
}

func TestRandom(t *testing.T) {
	underTest, _ := onServers(t, engine.Settings{}, oneServer)
	storetest.RunRandom(t, underTest)
}

// TestKillClient kills the process that writes.
func TestKillClient(t *testing.T) { killClient(t, engine.Settings{}, oneServer) }

func killClient(t *testing.T, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) {
	underTest, servers := onServers(t, settings, start)
	keepRunning(t, servers)
	storetest.KillTest(t, underTest)
}

func keepRunning(t *testing.T, servers []*clickhouseserver.Server) {
	t.Helper()
	for _, server := range servers {
		server.KeepRunning(t)
	}
}

func twoShards(tb testing.TB) []*clickhouseserver.Server {
	return clickhouseserver.StartCluster(tb, 2)
}

var onCluster = engine.Settings{Cluster: clickhouseserver.ClusterName}

func TestConformanceOnTwoShards(t *testing.T) {
	underTest, servers := onServers(t, onCluster, twoShards)
	keepRunning(t, servers)
	storetest.Run(t, storetest.Engine{Open: func(tb testing.TB, dir string) store.Store {
		return &patient{Store: underTest.Open(tb, dir)}
	}})
}

func TestRandomOnTwoShards(t *testing.T) {
	underTest, _ := onServers(t, onCluster, twoShards)
	storetest.RunRandom(t, underTest)
}

func TestKillClientOnTwoShards(t *testing.T) { killClient(t, onCluster, twoShards) }

func BenchmarkStore(b *testing.B) {
	underTest, _ := onServers(b, engine.Settings{}, oneServer)
	storetest.Bench(b, underTest)
}
