// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package clickhouse

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/ext"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	engine "github.com/weirhq/weir/internal/store/clickhouse"
)

// updateEnv set to 1 writes what ClickHouse explains into testdata, for a person to read what has changed.
const updateEnv = "WEIR_UPDATE_EXPLAIN"

// read is a statement that the store ran.
type read struct {
	statement string
	settings  map[string]any
}

// TestExplain holds what ClickHouse does for a query against testdata/explain: which partitions, granules and columns it
// reads, and by which indexes it knows.
func TestExplain(t *testing.T) {
	var reads []read
	settings := engine.Settings{OnRead: func(statement string, settings map[string]any) { reads = append(reads, read{statement, settings}) }}
	underTest, _ := onServers(t, settings, oneServer)
	dir := t.TempDir()
	s := underTest.Open(t, dir)
	defer func() { _ = s.Close(t.Context()) }()
	base := fillMonths(t, s)
	conn := connect(t, os.Getenv(addressesEnv), databaseOf(dir))
	// One part a month, with all its indexes.
	for _, table := range []string{"observations", "keys", "scores"} {
		require.NoError(t, conn.Exec(t.Context(), "OPTIMIZE TABLE "+table+" FINAL"))
	}

	month := query.Observations{Project: project, Limit: 50, From: base, To: base.Add(24 * time.Hour)}
	withIO := month
	withIO.Groups = query.GroupIO
	list := func(q query.Observations) func() error {
		return func() error {
			_, err := s.ListObservations(t.Context(), q)
			return err
		}
	}
	search := query.Observations{Project: project, Limit: 50, Where: []query.Condition{{Column: query.ColumnInput, Operator: query.OpMatches, Text: "Needle77"}}}
	for name, do := range map[string]func() error{
		"newest page":           list(query.Observations{Project: project, Limit: 50, Groups: query.GroupBasic}),
		"range of time":         list(month),
		"with input":            list(withIO),
		"search":                list(search),
		"observations of trace": list(query.Observations{Project: project, Limit: 50, Where: []query.Condition{{Column: query.ColumnTraceID, Operator: query.OpEqual, Text: "trace 3 7"}}}),
		"one trace": func() error {
			_, err := s.ListTraces(t.Context(), query.Traces{Project: project, IDs: []string{"trace 3 7"}, Limit: 1})
			return err
		},
		"cost by model": func() error {
			_, err := s.QueryMetrics(t.Context(), query.Metrics{
				Project: project, View: query.ViewObservations, From: base, To: base.Add(24 * time.Hour),
				Dimensions: []string{"providedModelName"}, Metrics: []query.Metric{{Measure: "totalCost", Aggregation: query.AggregationSum}},
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			reads = nil
			require.NoError(t, do())
			var text strings.Builder
			for _, r := range reads {
				text.WriteString(explain(t, conn, r) + "\n")
			}
			golden(t, filepath.Join("testdata", "explain", strings.ReplaceAll(name, " ", "_")+".txt"), text.String())
		})
	}
}

const months, tracesByMonth = 4, 3000

// fillMonths writes traces of several months, one batch a month, and tells when the last of them begins.
func fillMonths(t *testing.T, s store.Store) time.Time {
	t.Helper()
	first := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for month := range months {
		var rows []model.Observation
		for i := range tracesByMonth {
			for j := range 5 {
				rows = append(rows, model.Observation{
					TraceID: fmt.Sprintf("trace %d %d", month, i), ID: strconv.Itoa(j), Name: "name",
					Start: first.AddDate(0, month, 0).Add(time.Duration(i)*time.Minute + time.Duration(j)*time.Second),
					Input: fmt.Sprintf("a haystack with needle%d in it", i), Output: "output",
				})
			}
		}
		require.NoError(t, s.WriteObservations(t.Context(), project, rows))
	}
	return first.AddDate(0, months-1, 0)
}

func connect(t *testing.T, address, database string) driver.Conn {
	t.Helper()
	conn, err := clickhouse.Open(&clickhouse.Options{Addr: strings.Split(address, ","), Auth: clickhouse.Auth{Database: database}})
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// explain asks ClickHouse about a statement, with all batches that there are.
func explain(t *testing.T, conn driver.Conn, r read) string {
	t.Helper()
	committed, err := ext.NewTable("committed_batches", ext.Column("batch", "UInt64"))
	require.NoError(t, err)
	for _, row := range readAll[uint64](t, conn, "SELECT batch FROM commits") {
		require.NoError(t, committed.Append(row))
	}
	settings := clickhouse.Settings{"prefer_column_name_to_alias": 1, "aggregate_functions_null_for_empty": 1, "cast_keep_nullable": 1, "join_use_nulls": 1}
	maps.Copy(settings, r.settings)
	rows, err := conn.Query(clickhouse.Context(t.Context(), clickhouse.WithSettings(settings), clickhouse.WithExternalTable(committed)),
		"EXPLAIN indexes = 1, header = 0 "+r.statement)
	require.NoError(t, err)
	defer rows.Close()
	var lines []string
	for rows.Next() {
		var line string
		require.NoError(t, rows.Scan(&line))
		lines = append(lines, line)
	}
	require.NoError(t, rows.Err())
	return interesting(lines)
}

func readAll[T any](t *testing.T, conn driver.Conn, statement string) []T {
	t.Helper()
	rows, err := conn.Query(t.Context(), statement)
	require.NoError(t, err)
	defer rows.Close()
	var all []T
	for rows.Next() {
		var value T
		require.NoError(t, rows.Scan(&value))
		all = append(all, value)
	}
	require.NoError(t, rows.Err())
	return all
}

var (
	told = regexp.MustCompile(`ReadFromMergeTree|Read type|Output:|Prewhere filter column|Min-Max|Partition|PrimaryKey|Skip|Name:|Parts:|Granules:`)
	// What is different each time: names of databases, of columns that the planner makes, and numbers of batches.
	changing = regexp.MustCompile(`weir_[0-9a-f]{16}|\d{16,}|_[0-9a-f]{32}`)
)

// interesting is what is read, and why not more.
func interesting(lines []string) string {
	var kept []string
	for _, line := range lines {
		if told.MatchString(line) {
			kept = append(kept, strings.TrimRight(changing.ReplaceAllString(line, "N"), " "))
		}
	}
	return strings.Join(kept, "\n")
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if os.Getenv(updateEnv) == "1" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "write it with %s=1", updateEnv)
	assert.Equal(t, string(want), got, "what ClickHouse reads has changed: if it should, write it with %s=1", updateEnv)
}
