// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
)

// What is the same however often it is sent is not answered as what may be sent again. What a person has to mend is: until then
// senders keep their data.
func TestWriteThatCannotBe(t *testing.T) {
	underTest, servers := onServers(t, engine.Settings{}, oneServer)
	keepRunning(t, servers)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	require.NoError(t, conn.Exec(t.Context(), "ALTER TABLE observations MODIFY COLUMN level UUID"))
	err := s.WriteObservations(t.Context(), project, storetest.NewRows(1).Trace(2))
	require.ErrorContains(t, err, "failed to write to the store: ")
	require.NotErrorIs(t, err, store.ErrUnavailable)

	dropLevel(t, conn)
	err = errorAboutLevel(t, func() error { return s.WriteObservations(t.Context(), project, storetest.NewRows(1).Trace(2)) })
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// An error may be logged, so nothing of what was written or asked for may be in it.
func TestErrorsWithoutValues(t *testing.T) {
	underTest, servers := onServers(t, engine.Settings{}, oneServer)
	keepRunning(t, servers)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	require.NoError(t, conn.Exec(t.Context(), "ALTER TABLE observations ADD CONSTRAINT never CHECK length(trace_id) = 0"))
	trace := storetest.NewRows(1).Trace(1)
	err := s.WriteObservations(t.Context(), project, trace)
	require.ErrorContains(t, err, "Constraint `never`")
	require.NotContains(t, err.Error(), trace[0].TraceID)

	dropLevel(t, conn)
	err = errorAboutLevel(t, func() error {
		_, err := s.ListObservations(t.Context(), query.Observations{
			Project: project, Limit: 1, Groups: query.GroupAll,
			Where: []query.Condition{{Column: query.ColumnName, Operator: query.OpEqual, Text: "a secret"}},
		})
		return err
	})
	require.NotContains(t, err.Error(), "a secret")
}

// dropLevel takes a column away. The write before it was given up in the middle, which may have ended the server, see KeepRunning.
func dropLevel(t *testing.T, conn driver.Conn) {
	t.Helper()
	require.Eventually(t, func() bool {
		return conn.Exec(t.Context(), "ALTER TABLE observations DROP COLUMN IF EXISTS level") == nil
	}, time.Minute, 10*time.Millisecond)
}

// errorAboutLevel waits for an error that names the column: who mends it must know what.
func errorAboutLevel(t *testing.T, try func() error) (err error) {
	t.Helper()
	require.Eventually(t, func() bool {
		err = try()
		return err != nil && strings.Contains(err.Error(), "level")
	}, time.Minute, 10*time.Millisecond)
	return err
}
