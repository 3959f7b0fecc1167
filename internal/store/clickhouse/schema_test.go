// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

func allStatements(t *testing.T, to target) string {
	t.Helper()
	steps, err := migrations(to)
	require.NoError(t, err)
	var all []string
	for i, step := range steps {
		assert.Equal(t, i+1, step.version)
		all = append(all, step.statements...)
	}
	return strings.Join(all, ";\n")
}

func TestSchemaOfOneServer(t *testing.T) {
	text := allStatements(t, target{Database: "weir"})
	assert.Contains(t, text, "CREATE TABLE IF NOT EXISTS weir.observations (")
	assert.Contains(t, text, "ENGINE = MergeTree\n")
	for _, not := range []string{"_local", "Distributed", "Replicated", "ON CLUSTER", "{{", "--"} {
		assert.NotContains(t, text, not)
	}
}

func TestSchemaOfCluster(t *testing.T) {
	text := allStatements(t, target{Database: "weir", Cluster: "c", Replicated: true})
	assert.Contains(t, text, "CREATE TABLE IF NOT EXISTS weir.observations_local (")
	assert.NotContains(t, text, "ON CLUSTER", "which waits for every replica")
	assert.Contains(t, text, "CREATE TABLE IF NOT EXISTS weir.observations AS weir.observations_local ENGINE = Distributed(c, weir, observations_local, cityHash64(trace_id))")
	assert.NotContains(t, text, "ENGINE = MergeTree")
	assert.Equal(t, strings.Count(text, "ENGINE = ReplicatedMergeTree("), strings.Count(text, "ENGINE = Distributed("), "every table is spread")
}

// What is written by name must be in the schema by that name.
func TestSchemaHasAllColumns(t *testing.T) {
	text := allStatements(t, target{Database: "weir"})
	check := func(table string, names []string) {
		_, rest, found := strings.Cut(text, "CREATE TABLE IF NOT EXISTS weir."+table+" (")
		require.True(t, found, table)
		definition, _, _ := strings.Cut(rest, "ENGINE")
		for _, name := range names {
			assert.Regexp(t, `\n    `+name+` +[A-Z]`, definition)
		}
	}
	check("observations", append(columnNames(sqlstore.ObservationColumns), "batch", "place"))
	check("scores", append(columnNames(sqlstore.ScoreColumns), "batch", "place"))
	check("documents", append(columnNames(sqlstore.DocumentColumns), "batch", "place"))
	check("keys", keyColumns)
}

func columnNames[T any](columns []sqlstore.Column[T]) []string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	return names
}

func TestTooOld(t *testing.T) {
	assert.Equal(t, "ClickHouse 25.8 is too old: 26.2 or later is needed", tooOld(25, 8))
	assert.NotEmpty(t, tooOld(26, 1))
	assert.Empty(t, tooOld(26, 2))
	assert.Empty(t, tooOld(27, 1))
}

func TestSettings(t *testing.T) {
	require.NoError(t, Settings{}.WithDefaults().Validate())
	for want, s := range map[string]Settings{
		"`database`":   {Database: "a; DROP DATABASE b"},
		"`cluster`":    {Cluster: "a b"},
		"`replicated`": {Replicated: true},
	} {
		require.ErrorContains(t, s.WithDefaults().Validate(), want)
	}
}
