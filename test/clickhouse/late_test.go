// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"os"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/stretchr/testify/require"

	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

func TestLateRows(t *testing.T) {
	t.Run("one server", func(t *testing.T) { refusesLateRows(t, engine.Settings{}, oneServer) })
	t.Run("two shards", func(t *testing.T) { refusesLateRows(t, onCluster, twoShards) })
}

// refusesLateRows begins inserts in time and sends their rows when it is over, as a network that stalls does.
func refusesLateRows(t *testing.T, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) {
	underTest, _ := onServers(t, settings, start)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))

	sends, over := beginInserts(t, conn, 2*time.Second)
	require.Eventually(t, func() bool {
		return readAll[int64](t, conn, "SELECT toUnixTimestamp64Micro(now64(6))")[0] > over.UnixMicro()
	}, time.Minute, 100*time.Millisecond)
	for into, send := range sends {
		var refused *clickhouse.Exception
		require.ErrorAs(t, send(), &refused, into)
		require.EqualValues(t, 469, refused.Code, into)
	}
}

// beginInserts begins inserts of rows that may arrive for so long, or for longer if beginning takes that long.
func beginInserts(t *testing.T, conn driver.Conn, limit time.Duration) (sends map[string]func() error, over time.Time) {
	t.Helper()
	over = time.Now().Add(limit)
	batch := uint64(over.Add(-time.Minute).UnixMicro()) << 12
	inserts := map[string][]any{
		"commits (batch, expires, base)":                                 {batch, uint64(over.UnixMicro()), uint64(0)},
		"ends (batch, place, ended_by, home)":                            {uint64(1), uint32(1), batch, uint64(1)},
		"claims (project, kind, id, batch, released)":                    {"p", "s", "i", batch, false},
		"keys (project, trace_id, id, start_time, batch, place)":         {"p", "t", "i", over, batch, uint32(1)},
		"observations (project, trace_id, id, start_time, batch, place)": {"p", "t", "i", over, batch, uint32(1)},
	}
	now := clickhouse.Context(t.Context(), clickhouse.WithSettings(clickhouse.Settings{"distributed_foreground_insert": 1}))
	sends = map[string]func() error{}
	blocks := make([]driver.Batch, 0, len(inserts))
	for into, values := range inserts {
		block, err := conn.PrepareBatch(now, "INSERT INTO "+into)
		require.NoError(t, err)
		require.NoError(t, block.Append(values...))
		sends[into], blocks = block.Send, append(blocks, block)
	}
	if time.Now().Before(over) {
		return sends, over
	}
	for _, block := range blocks {
		require.NoError(t, block.Abort())
	}
	return beginInserts(t, conn, 2*limit)
}
