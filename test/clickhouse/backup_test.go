// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

// The documented statements bring back what was acknowledged before the first of them, and nothing of what came later, though
// somebody writes all the while.
func TestDocumentedBackup(t *testing.T) {
	onDocumented(t, func(t *testing.T, servers []*clickhouseserver.Server, settings engine.Settings) {
		blocks := documented(t, "Backup and restore")
		require.Len(t, blocks, 4, "backup and restore, of one server and of a cluster")
		if len(servers) > 1 {
			blocks = blocks[2:]
		}
		backup, restore := blocks[0], blocks[1]
		everywhere := func(statements ...string) {
			t.Helper()
			for _, statement := range statements {
				for _, server := range servers {
					require.NoError(t, connect(t, server.Address, "default").Exec(t.Context(), statement), statement)
				}
			}
		}
		s := openDocumented(t, settings)
		var acknowledged atomic.Int64
		var traces []string // as many as were acknowledged, in their order
		stop := make(chan struct{})
		var writer sync.WaitGroup
		writer.Go(func() {
			for r := storetest.NewRows(1); ; {
				select {
				case <-stop:
					return
				default:
				}
				trace := r.Trace(traceSize)
				if !assert.NoError(t, s.WriteObservations(t.Context(), project, trace)) {
					return
				}
				traces = append(traces, trace[0].TraceID)
				acknowledged.Add(1)
			}
		})
		waitFor(t, &acknowledged, 10)
		before := acknowledged.Load()
		everywhere(backup[0])
		after := acknowledged.Load() + 1 // one is on its way
		waitFor(t, &acknowledged, 5)
		everywhere(backup[1:]...)
		close(stop)
		writer.Wait()
		require.NoError(t, s.Close(t.Context()))

		everywhere("DROP DATABASE weir SYNC")
		everywhere(restore...)
		s = openDocumented(t, settings)
		found := rowsOfTraces(t, s)
		for id, rows := range found {
			require.Equal(t, traceSize, rows, "%s is there by halves", id)
		}
		for _, id := range traces[:before] {
			require.Contains(t, found, id, "it was acknowledged before the backup")
		}
		for _, id := range traces[after:] {
			require.NotContains(t, found, id, "its commit is younger than the backup of commits")
		}
		settleLater(t, s)
		require.Equal(t, found, rowsOfTraces(t, s))
		require.NoError(t, s.WriteObservations(t.Context(), project, storetest.NewRows(2).Trace(traceSize)), "writing goes on")
	})
}

// rowsOfTraces counts the observations of each trace.
func rowsOfTraces(t *testing.T, s store.Store) map[string]int {
	t.Helper()
	found := map[string]int{}
	q := query.Observations{Project: project, Limit: query.MaxLimit}
	for isMore := true; isMore; isMore = q.After != nil {
		page, err := s.ListObservations(t.Context(), q)
		require.NoError(t, err)
		for i := range page.Rows {
			found[page.Rows[i].TraceID]++
		}
		q.After = page.Next
	}
	return found
}
