// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
)

// A reader who gives up leaves no connection behind that the next one stumbles over.
func TestReadersWhoGiveUp(t *testing.T) {
	underTest, servers := onServers(t, engine.Settings{MaxConnections: 4}, oneServer)
	servers[0].KeepRunning(t) // many who give up at once can be too much for it
	s := underTest.Open(t, t.TempDir())
	defer func() { _ = s.Close(t.Context()) }()
	r := storetest.NewRows(1)
	for range 20 {
		if !assert.NoError(t, s.WriteObservations(t.Context(), project, r.Trace(100))) {
			return
		}
	}
	deadline := time.Now().Add(5 * time.Second)
	var readers sync.WaitGroup
	for range 8 {
		readers.Go(func() {
			for time.Now().Before(deadline) && !t.Failed() {
				ctx, cancel := context.WithTimeout(t.Context(), rand.N(60*time.Millisecond))
				_, err := s.ListObservations(ctx, query.Observations{Project: project, Limit: 1000, Groups: query.GroupAll})
				if err != nil && !errors.Is(err, store.ErrUnavailable) {
					assert.ErrorIs(t, err, context.DeadlineExceeded)
				}
				cancel()
				page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 50, Groups: query.GroupBasic})
				if !errors.Is(err, store.ErrUnavailable) {
					assert.NoError(t, err, "who does not give up")
					assert.Len(t, page.Rows, 50)
				}
			}
		})
	}
	readers.Wait()
}
