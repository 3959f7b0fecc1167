// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/internal/store/storetest"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

// settleStore lets a store settle as if it were so much later.
func settleStore(t *testing.T, s store.Store, after time.Duration) {
	t.Helper()
	require.NoError(t, s.(interface {
		Settle(ctx context.Context, now time.Time) error
	}).Settle(t.Context(), time.Now().Add(after)))
}

func TestSettle(t *testing.T) {
	t.Run("one server", func(t *testing.T) { settles(t, engine.Settings{}, oneServer) })
	t.Run("two shards", func(t *testing.T) { settles(t, onCluster, twoShards) })
}

// settles holds the store to keeping what counts, and nothing else.
func settles(t *testing.T, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) {
	settings.SettleByHand = true
	underTest, _ := onServers(t, settings, start)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	count := func(table string) int { return int(readAll[uint64](t, conn, "SELECT count() FROM "+table)[0]) }
	settle := func(after time.Duration) {
		t.Helper()
		settleStore(t, s, after)
	}

	r := storetest.NewRows(1)
	trace, gone := r.Trace(20), r.Trace(10)
	for range 3 {
		require.NoError(t, s.WriteObservations(t.Context(), project, trace))
	}
	require.NoError(t, s.WriteObservations(t.Context(), project, gone))
	require.NoError(t, s.DeleteTraces(t.Context(), project, []string{gone[0].TraceID}))
	for i := range 3 {
		score := model.Score{
			ID: "score", Name: "n", DataType: model.ScoreNumeric, Number: float64(i), Source: model.ScoreFromAPI, SessionID: "session",
			Environment: "default", Timestamp: r.Base,
		}
		require.NoError(t, s.WriteScores(t.Context(), project, []model.Score{score}))
		document := store.Document{Kind: "k", ID: "d", Body: strconv.Itoa(i)}
		require.NoError(t, s.WriteDocuments(t.Context(), project, []store.DocumentChange{{Document: document, Expect: store.AnyRevision}}))
	}
	// What somebody left behind who died before its commit.
	require.NoError(t, conn.Exec(t.Context(), `INSERT INTO observations (project, trace_id, id, start_time, batch, place) SETTINGS distributed_foreground_insert = 1
		SELECT 'project', 'never', 'committed', now64(6), bitShiftLeft(toUInt64(toUnixTimestamp64Micro(now64(6))), 12), 1`))
	look := func() (store.ObservationPage, []store.StoredScore, store.DocumentPage) {
		page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 100, Groups: query.GroupAll})
		require.NoError(t, err)
		scores, err := s.ScoresByID(t.Context(), project, []string{"score"})
		require.NoError(t, err)
		documents, err := s.ListDocuments(t.Context(), query.Documents{Project: project, Kind: "k", Limit: 10})
		require.NoError(t, err)
		return page, scores, documents
	}
	page, scores, documents := look()
	require.Len(t, page.Rows, 20)
	require.Equal(t, 71, count("observations"))
	same := func(what string) {
		t.Helper()
		nowPage, nowScores, nowDocuments := look()
		require.Equal(t, page, nowPage, what)
		require.Equal(t, scores, nowScores, what)
		require.Equal(t, documents, nowDocuments, what)
	}

	settle(0)
	require.Equal(t, 71, count("observations"), "all of it is too young")
	same("too young")
	settle(10 * time.Minute)
	same("once")
	require.Equal(t, 20, count("observations"))
	require.Equal(t, 20, count("keys"))
	require.Equal(t, 1, count("scores"))
	require.Equal(t, 1, count("documents"))
	require.Positive(t, count("ends"), "somebody may be reading who has them in mind")
	settle(20 * time.Minute)
	same("twice")
	require.Zero(t, count("ends"))
	require.Zero(t, count("claims"))
	require.Zero(t, count("commits WHERE batch > 0"))

	require.NoError(t, s.WriteObservations(t.Context(), project, trace))
	require.NoError(t, s.DeleteTraces(t.Context(), project, []string{trace[0].TraceID}))
	page, _, _ = look()
	require.Empty(t, page.Rows, "writing goes on")
}

// rowsOf counts the observations that a store shows.
func rowsOf(t *testing.T, s store.Store) int {
	t.Helper()
	page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: query.MaxLimit})
	require.NoError(t, err)
	return len(page.Rows)
}

// A collector that sleeps in the middle of its turn, while another one has two, must not take what they settled for rubbish.
func TestSettleLate(t *testing.T) {
	underTest, _ := onServers(t, engine.Settings{SettleByHand: true}, oneServer)
	dir := t.TempDir()
	awake := underTest.Open(t, dir)
	defer func() { _ = awake.Close(t.Context()) }()
	turns := 0
	sleepy := open(t, engine.Settings{Endpoints: []string{os.Getenv(addressesEnv)}, SettleByHand: true, OnSettle: func() {
		settleStore(t, awake, 10*time.Minute)
		settleStore(t, awake, 20*time.Minute)
		turns++
	}}, dir)
	defer func() { _ = sleepy.Close(t.Context()) }()

	require.NoError(t, awake.WriteObservations(t.Context(), project, storetest.NewRows(1).Trace(20)))
	settleStore(t, sleepy, 10*time.Minute)
	require.Equal(t, 1, turns)
	require.Equal(t, 20, rowsOf(t, awake), "what was acknowledged")
}

// However long a turn takes and however much has ended, it comes to its end.
func TestSettleMuch(t *testing.T) {
	underTest, _ := onServers(t, engine.Settings{SettleByHand: true}, oneServer)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))

	settleStore(t, s, -2*time.Minute)
	require.Len(t, readAll[uint64](t, conn, "SELECT base FROM commits WHERE base > 0"), 1, "a turn that began two minutes ago")

	trace := storetest.NewRows(1).Trace(6000)
	for range 2 {
		require.NoError(t, s.WriteObservations(t.Context(), project, trace))
	}
	settleStore(t, s, 10*time.Minute)
	require.EqualValues(t, 6000, readAll[uint64](t, conn, "SELECT count() FROM observations")[0])
	require.Equal(t, []string{"keys 1", "observations 1"}, readAll[string](t, conn,
		"SELECT concat(table, ' ', toString(count())) FROM system.mutations WHERE database = currentDatabase() GROUP BY table ORDER BY table"),
		"one statement for each table that has some")
}

// Who settles keeps what reads of others may still show, however short its own are.
func TestSettleForSlowReaders(t *testing.T) {
	onServers(t, engine.Settings{}, oneServer)
	dir := t.TempDir()
	stores := make([]store.Store, 2)
	for i, timeout := range []time.Duration{time.Second, 10 * time.Minute} {
		stores[i] = open(t, engine.Settings{Endpoints: []string{os.Getenv(addressesEnv)}, QueryTimeout: timeout, SettleByHand: true}, dir)
		defer func() { _ = stores[i].Close(t.Context()) }()
	}
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	for range 2 {
		require.NoError(t, stores[0].WriteObservations(t.Context(), project, storetest.NewRows(1).Trace(20)))
	}
	settleStore(t, stores[0], 10*time.Minute)
	require.EqualValues(t, 40, readAll[uint64](t, conn, "SELECT count() FROM observations")[0])
	settleStore(t, stores[0], 20*time.Minute)
	require.EqualValues(t, 20, readAll[uint64](t, conn, "SELECT count() FROM observations")[0])
}
