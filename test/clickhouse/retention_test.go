// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
	"github.com/weirhq/weir/test/internal/clickhouseserver"
)

func TestRetention(t *testing.T) {
	t.Run("one server", func(t *testing.T) { deletesWhatIsOld(t, engine.Settings{}, oneServer) })
	t.Run("two shards", func(t *testing.T) { deletesWhatIsOld(t, onCluster, twoShards) })
}

// deletesWhatIsOld holds the store to keeping what is younger than the retention, and its space.
func deletesWhatIsOld(t *testing.T, settings engine.Settings, start func(testing.TB) []*clickhouseserver.Server) {
	const day, kept = 24 * time.Hour, 60
	onServers(t, settings, start)
	settings.Endpoints, settings.Retention, settings.SettleByHand = strings.Split(os.Getenv(addressesEnv), ","), kept*day, true
	dir := t.TempDir()
	s := open(t, settings, dir)
	defer func() { _ = s.Close(t.Context()) }()
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))

	now := time.Now().UTC()
	write := func(days ...int) {
		t.Helper()
		for _, age := range days {
			at := now.Add(-time.Duration(age) * day)
			id := strconv.Itoa(age)
			require.NoError(t, s.WriteObservations(t.Context(), project, []model.Observation{{TraceID: "t" + id, ID: id, Start: at}}))
			require.NoError(t, s.WriteScores(t.Context(), project, []model.Score{{
				ID: id, Name: "n", DataType: model.ScoreNumeric, Source: model.ScoreFromAPI, SessionID: "s", Environment: "default", Timestamp: at,
			}}))
		}
	}
	left := func(days ...string) {
		t.Helper()
		page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: 100})
		require.NoError(t, err)
		var observations []string
		for i := range page.Rows {
			observations = append(observations, page.Rows[i].ID)
		}
		require.ElementsMatch(t, days, observations)
		require.ElementsMatch(t, days, readAll[string](t, conn, "SELECT id FROM keys"))
		require.ElementsMatch(t, days, readAll[string](t, conn, "SELECT id FROM scores"))
	}

	write(1, kept-1, kept+1, 200, 400)
	settleStore(t, s, 0)
	left("1", strconv.Itoa(kept-1))
	month := now.Add(-kept * day).Format("200601")
	require.Zero(t, readAll[uint64](t, conn, `SELECT count() FROM clusterAllReplicas('`+clickhouseserver.ClusterName+`', system.parts)
		WHERE active AND database = currentDatabase() AND match(table, '^(observations|scores)') AND partition_id < '`+month+`'`)[0], "the space of whole months")

	write(200)
	settleStore(t, s, 30*time.Minute)
	left("1", strconv.Itoa(kept-1), "200")
	settleStore(t, s, 2*time.Hour)
	left("1", strconv.Itoa(kept-1))
}
