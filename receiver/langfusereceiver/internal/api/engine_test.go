// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/duckdb"
)

// clickHouseEnv, if set, is the address of a ClickHouse on which the tests run instead of the embedded store.
const clickHouseEnv = "WEIR_TEST_CLICKHOUSE"

// engine is one real store for all tests of the package; each test has projects of its own in it.
var engine = sync.OnceValues(func() (store.Store, error) {
	const queryTimeout = 30 * time.Second
	if address := os.Getenv(clickHouseEnv); address != "" {
		return clickhouse.Open(context.Background(), clickhouse.Settings{
			Endpoints: strings.Split(address, ","), Database: fmt.Sprintf("weir_api_%d", os.Getpid()), QueryTimeout: queryTimeout,
		})
	}
	dir, err := os.MkdirTemp("", "weir-api-")
	if err != nil {
		return nil, err
	}
	engineDir = dir
	return duckdb.Open(context.Background(), duckdb.Settings{Dir: dir, MemoryLimit: 512 << 20, QueryTimeout: queryTimeout})
})

var engineDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := engine(); err == nil {
		_ = s.Close(context.Background())
	}
	if engineDir != "" {
		_ = os.RemoveAll(engineDir)
	}
	os.Exit(code)
}
