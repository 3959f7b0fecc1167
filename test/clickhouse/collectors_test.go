// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

const project = "project"

func TestTwoCollectors(t *testing.T) {
	t.Run("one server", func(t *testing.T) { twoCollectors(t, engine.Settings{}, oneServer) })
	t.Run("two shards", func(t *testing.T) { twoCollectors(t, onCluster, twoShards) })
}

// twoCollectors opens a store twice, at the same time on an empty database, and writes the same through both.
func twoCollectors(t *testing.T, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) {
	underTest, _ := onServers(t, settings, start)
	dir := t.TempDir()
	stores := make([]store.Store, 2)
	var opening sync.WaitGroup
	for i := range stores {
		opening.Go(func() { stores[i] = underTest.Open(t, dir) })
	}
	opening.Wait()
	t.Cleanup(func() {
		for _, s := range stores {
			_ = s.Close(t.Context())
		}
	})
	t.Run("observations", func(t *testing.T) { sameObservations(t, stores) })
	t.Run("scores", func(t *testing.T) { sameScores(t, stores) })
	t.Run("documents", func(t *testing.T) { sameDocuments(t, stores) })
}

// eachTwice calls a function many times through every store at once.
func eachTwice(t *testing.T, stores []store.Store, do func(s store.Store, writer, n int)) {
	t.Helper()
	var writers sync.WaitGroup
	for w := range 2 * len(stores) {
		writers.Go(func() {
			for n := range 10 {
				do(stores[w%len(stores)], w, n)
			}
		})
	}
	writers.Wait()
}

// sameObservations writes the same keys at different times, and looks through the other store at what was acknowledged.
func sameObservations(t *testing.T, stores []store.Store) {
	base := storetest.NewRows(1).Base
	eachTwice(t, stores, func(s store.Store, writer, n int) {
		rows := make([]model.Observation, 5)
		for i := range rows {
			rows[i] = model.Observation{
				TraceID: "trace", ID: strconv.Itoa(i), Name: fmt.Sprintf("writer %d", writer),
				Start: base.Add(time.Duration(writer*1000+n*40*24) * time.Hour),
			}
		}
		assert.NoError(t, s.WriteObservations(t.Context(), project, rows))
		other := stores[(writer+1)%len(stores)]
		page, err := other.ListObservations(t.Context(), query.Observations{Project: project, Limit: 100, Groups: query.GroupBasic})
		assert.NoError(t, err)
		assert.Len(t, page.Rows, 5, "each row once")
		names := map[string]bool{}
		for _, row := range page.Rows {
			names[row.Name] = true
		}
		assert.Len(t, names, 1, "all of one write")
	})
	var first store.ObservationPage
	for i, s := range stores {
		page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 100, Groups: query.GroupAll})
		require.NoError(t, err)
		require.Len(t, page.Rows, 5)
		if i == 0 {
			first = page
		}
		require.Equal(t, first, page, "both see the same")
	}
}

// sameScores merges keys into one score: none may be lost.
func sameScores(t *testing.T, stores []store.Store) {
	eachTwice(t, stores, func(s store.Store, writer, n int) {
		assert.NoError(t, s.WriteScores(t.Context(), project, []model.Score{{
			ID: "score", Name: "n", DataType: model.ScoreNumeric, Source: model.ScoreFromAPI, SessionID: "session", Environment: "default",
			Timestamp: storetest.NewRows(1).Base, Metadata: fmt.Sprintf(`{"%d %d":true}`, writer, n),
		}}))
	})
	scores, err := stores[0].ScoresByID(t.Context(), project, []string{"score"})
	require.NoError(t, err)
	require.Len(t, scores, 1)
	for w := range 2 * len(stores) {
		for n := range 10 {
			require.Contains(t, scores[0].Metadata, fmt.Sprintf(`"%d %d":true`, w, n))
		}
	}
}

// sameDocuments changes one document on top of what was read: of all who read the same revision one succeeds.
func sameDocuments(t *testing.T, stores []store.Store) {
	var succeeded atomic.Int64
	eachTwice(t, stores, func(s store.Store, _, _ int) {
		for {
			page, err := s.ListDocuments(t.Context(), query.Documents{Project: project, Kind: "counter", Limit: 1})
			if !assert.NoError(t, err) {
				return
			}
			change := store.DocumentChange{Document: store.Document{Kind: "counter", ID: "one", Body: "1"}, Expect: store.NoRevision}
			if len(page.Rows) > 0 {
				before, err := strconv.Atoi(page.Rows[0].Body)
				assert.NoError(t, err)
				change.Body, change.Expect = strconv.Itoa(before+1), page.Rows[0].Revision
			}
			err = s.WriteDocuments(t.Context(), project, []store.DocumentChange{change})
			if err == nil {
				succeeded.Add(1)
				return
			}
			if !assert.ErrorIs(t, err, store.ErrConflict) {
				return
			}
		}
	})
	page, err := stores[1].ListDocuments(t.Context(), query.Documents{Project: project, Kind: "counter", Limit: 10})
	require.NoError(t, err)
	require.Len(t, page.Rows, 1)
	require.Equal(t, strconv.FormatInt(succeeded.Load(), 10), page.Rows[0].Body, "every change counts once")
	require.EqualValues(t, 20*len(stores), succeeded.Load())
}

// Every collector has a number of its own, which ends the numbers of its batches.
func TestNumbersOfCollectors(t *testing.T) {
	underTest, _ := onServers(t, engine.Settings{}, oneServer)
	dir := t.TempDir()
	first := underTest.Open(t, dir)
	defer func() { _ = first.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	own := readAll[uint16](t, conn, "SELECT number FROM collectors")[0]
	free := (own + 1) % 4096
	require.NoError(t, conn.Exec(t.Context(), fmt.Sprintf(`INSERT INTO collectors SELECT number, 1, 0, bitShiftLeft(toUInt64(toUnixTimestamp64Micro(now64(6))), 12)
		FROM numbers(4096) WHERE number NOT IN (%d, %d)`, own, free)))
	second := underTest.Open(t, dir)
	defer func() { _ = second.Close(t.Context()) }()
	for _, s := range []store.Store{first, second} {
		require.NoError(t, s.WriteObservations(t.Context(), project, storetest.NewRows(1).Trace(1)))
	}
	require.ElementsMatch(t, []uint16{own, free}, readAll[uint16](t, conn, "SELECT batch % 4096 FROM commits WHERE batch > 0"))
}
