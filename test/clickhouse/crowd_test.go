// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
)

// However many read, who writes finds a connection.
func TestWritesAmongReaders(t *testing.T) {
	onServers(t, engine.Settings{}, oneServer)
	s := open(t, engine.Settings{Endpoints: []string{os.Getenv(addressesEnv)}, MaxConnections: 4, DialTimeout: 100 * time.Millisecond}, t.TempDir())
	defer func() { _ = s.Close(t.Context()) }()
	stop := make(chan struct{})
	var readers sync.WaitGroup
	defer readers.Wait()
	defer close(stop)
	for range 400 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					_, _ = s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 1})
				}
			}
		})
	}
	r := storetest.NewRows(1)
	for range 5 {
		err := s.WriteObservations(t.Context(), project, r.Trace(1))
		require.NotErrorIs(t, err, clickhouse.ErrAcquireConnTimeout) // a busy machine may be too slow to make one
	}
}
