// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

func TestServerAway(t *testing.T) {
	t.Run("one server", func(t *testing.T) { serverAway(t, engine.Settings{}, oneServer) })
	t.Run("one of two shards", func(t *testing.T) { serverAway(t, onCluster, twoShards) })
}

const traceSize = 30

// serverAway kills a server again and again while others write to it, and starts it anew. Writers send what was refused once
// more, as a queue does.
func serverAway(t *testing.T, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) {
	underTest, servers := onServers(t, settings, start)
	victim := servers[len(servers)-1]
	s := underTest.Open(t, t.TempDir())
	defer func() { _ = s.Close(t.Context()) }()

	var acknowledged, refused atomic.Int64
	var acknowledgedTraces sync.Map // by their ids
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 3 {
		writers.Go(func() {
			r := storetest.NewRows(uint64(w))
			for n := 0; ; n++ {
				trace := r.Trace(traceSize)
				for i := range trace {
					trace[i].TraceID = fmt.Sprintf("trace %d of %d", n, w)
					// Of several months, so that a write takes several parts.
					trace[i].Start = trace[i].Start.Add(time.Duration(i%3) * 40 * 24 * time.Hour)
				}
				for {
					err := s.WriteObservations(t.Context(), project, trace)
					if err == nil {
						acknowledgedTraces.Store(trace[0].TraceID, true)
						acknowledged.Add(1)
						break
					}
					if !assert.ErrorIs(t, err, store.ErrUnavailable) {
						return
					}
					refused.Add(1)
					select {
					case <-stop:
						return
					case <-time.After(20 * time.Millisecond):
					}
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for range 3 {
		waitFor(t, &acknowledged, 5)
		victim.Kill()
		waitFor(t, &refused, 3)
		_, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 1})
		require.ErrorIs(t, err, store.ErrUnavailable)
		require.NoError(t, victim.Start())
	}
	waitFor(t, &acknowledged, 5)
	close(stop)
	writers.Wait()

	traces := map[string]map[string]int{}
	q := query.Observations{Project: project, Limit: query.MaxLimit}
	for {
		page, err := s.ListObservations(t.Context(), q)
		require.NoError(t, err)
		for _, row := range page.Rows {
			if traces[row.TraceID] == nil {
				traces[row.TraceID] = map[string]int{}
			}
			traces[row.TraceID][row.ID]++
		}
		if page.Next == nil {
			break
		}
		q.After = page.Next
	}
	for id := range acknowledgedTraces.Range {
		require.Contains(t, traces, id, "what was acknowledged is lost")
	}
	for id, rows := range traces {
		require.Len(t, rows, traceSize, "%s is there by halves", id)
		for row, n := range rows {
			require.Equal(t, 1, n, "%s of %s is there %d times", row, id, n)
		}
	}
}

// waitFor waits until a counter is higher than now by so many.
func waitFor(t *testing.T, counter *atomic.Int64, more int64) {
	t.Helper()
	want := counter.Load() + more
	require.Eventually(t, func() bool { return counter.Load() >= want }, time.Minute, 10*time.Millisecond)
}
