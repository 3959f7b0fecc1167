// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse // import "github.com/weirhq/weir/internal/store/clickhouse"

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/weirhq/weir/internal/store/sqlstore"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// target is where the schema is made: it fills in what the files leave open.
type target struct {
	Database   string
	Cluster    string
	Replicated bool
}

func (s *Settings) target() target { return target{s.Database, s.Cluster, s.Replicated} }

// Local is the table that holds the rows of one server.
func (t target) Local(table string) string { return t.Database + "." + t.localName(table) }

func (t target) localName(table string) string {
	if t.Cluster == "" {
		return table
	}
	return table + "_local"
}

// versionTable says which schema a server has.
func (t target) versionTable() string {
	return "CREATE TABLE IF NOT EXISTS " + t.Database + ".weir_schema (version UInt32, applied_at DateTime) ENGINE = MergeTree ORDER BY version"
}

// MergeTree is the engine of such a table.
func (t target) MergeTree() string {
	if t.Replicated {
		return "ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')"
	}
	return "MergeTree"
}

// Durable makes an answer mean that the rows are on the disk.
func (t target) Durable() string {
	return "fsync_after_insert = 1, fsync_part_directory = 1, default_compression_codec = 'ZSTD(1)'"
}

// Distributed is the statement for the table that spreads the rows of all servers; without a cluster there is none.
func (t target) Distributed(table, key string) string {
	if t.Cluster == "" {
		return ""
	}
	return fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s.%s AS %s ENGINE = Distributed(%s, %s, %s, %s)",
		t.Database, table, t.Local(table), t.Cluster, t.Database, t.localName(table), key)
}

// inTime is a condition on the number of a batch: it has not begun so long ago that nobody waits for it any more. now64 would
// be the time at which the insert began, and rows may come long after it.
func inTime(column string) string {
	return fmt.Sprintf("bitShiftRight(%s, %d) + %d > toUInt64(toUnixTimestamp64Micro(nowInBlock64(6)))", column, collectorBits, writeTime.Microseconds())
}

// migration is one step of the schema.
type migration struct {
	version    int
	statements []string
}

// migrations are the steps to the schema of this build, in their order.
func migrations(t target) ([]migration, error) {
	files, err := sqlstore.SchemaFiles(schemaFiles)
	if err != nil {
		return nil, err
	}
	steps := make([]migration, len(files))
	for i, text := range files {
		file, err := template.New("schema").Funcs(template.FuncMap{"words": wordsOf, "inTime": inTime}).Parse(text)
		if err != nil {
			return nil, err
		}
		var filled strings.Builder
		if err := file.Execute(&filled, t); err != nil {
			return nil, err
		}
		steps[i] = migration{i + 1, statements(filled.String())}
	}
	return steps, nil
}

// statements cuts a file at its semicolons. No text in it has one.
func statements(file string) []string {
	var lines []string
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(strings.TrimSpace(line), "--") {
			lines = append(lines, line)
		}
	}
	var all []string
	for statement := range strings.SplitSeq(strings.Join(lines, ""), ";") {
		if statement = strings.TrimSpace(statement); statement != "" {
			all = append(all, statement)
		}
	}
	return all
}
