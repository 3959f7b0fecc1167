// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
)

// What is the same however often it is sent is not answered as what may be sent again.
func TestWriteThatCannotBe(t *testing.T) {
	underTest, _ := onServers(t, engine.Settings{}, oneServer)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	require.NoError(t, connect(t, os.Getenv(addressesEnv), databaseOf(dir)).Exec(t.Context(), "ALTER TABLE observations DROP COLUMN level"))
	err := s.WriteObservations(t.Context(), project, storetest.NewRows(1).Trace(2))
	require.ErrorContains(t, err, "failed to write to the store: ")
	require.NotErrorIs(t, err, store.ErrUnavailable)
}
