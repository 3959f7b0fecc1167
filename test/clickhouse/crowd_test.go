// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
)

// However many read for however long, who writes finds a connection.
func TestWritesAmongReaders(t *testing.T) {
	const connections = 4
	onServers(t, engine.Settings{}, oneServer)
	dir := t.TempDir()
	s := open(t, engine.Settings{
		Endpoints: []string{os.Getenv(addressesEnv)}, MaxConnections: connections, DialTimeout: 2 * time.Second,
		OnRead: func(statement string, settings map[string]any) {
			if strings.Contains(statement, "observations") {
				settings["function_sleep_max_microseconds_per_block"] = 100_000_000
				settings["additional_result_filter"] = "sleep(25) = 0"
			}
		},
	}, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	trace := storetest.NewRows(1).Trace(1)
	require.NoError(t, s.WriteObservations(t.Context(), project, trace))

	reading, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	defer readers.Wait()
	defer stop()
	for range 5 * connections {
		readers.Go(func() { _, _ = s.ListObservations(reading, query.Observations{Project: project, Limit: 1}) })
	}
	isFull := func() bool {
		return readAll[uint64](t, conn, "SELECT count() FROM system.processes WHERE Settings['additional_result_filter'] <> ''")[0] == connections
	}
	require.Eventually(t, isFull, patience, 10*time.Millisecond)

	require.NoError(t, s.WriteObservations(t.Context(), project, trace))
	require.NoError(t, s.WriteScores(t.Context(), project, []model.Score{{
		ID: "i", Name: "n", DataType: model.ScoreNumeric, Source: model.ScoreFromAPI, SessionID: "s", Environment: "default", Timestamp: time.Now(),
	}}))
	require.NoError(t, s.WriteDocuments(t.Context(), project, []store.DocumentChange{{
		Document: store.Document{Kind: "k", ID: "i"}, Expect: store.AnyRevision,
	}}))
	require.NoError(t, s.DeleteTraces(t.Context(), project, []string{trace[0].TraceID}))
	require.NoError(t, s.(engine.Store).Look(t.Context()))
	require.True(t, isFull(), "nobody has made room")
}
