// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package e2e

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/duckdb"
	"github.com/weirhq/weir/test/internal/weirbin"
)

// openStore opens the store that a collector left behind.
func openStore(t *testing.T, dir string) store.Store {
	t.Helper()
	s, err := duckdb.Open(t.Context(), duckdb.Settings{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close(context.WithoutCancel(t.Context()))) })
	return s
}

func listAll(t *testing.T, s store.Store, project string) []store.StoredObservation {
	t.Helper()
	page, err := s.ListObservations(t.Context(), query.Observations{Project: project, Limit: query.MaxLimit, Groups: query.GroupAll})
	require.NoError(t, err)
	return page.Rows
}

// offer sends spans that may be refused.
func (c *collector) offer(td ptrace.Traces) (status int, answer string) {
	c.t.Helper()
	body, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
	require.NoError(c.t, err)
	resp, err := http.Post("http://"+c.OTLP+"/v1/traces", "application/x-protobuf", bytes.NewReader(body))
	require.NoError(c.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	return resp.StatusCode, string(text)
}

// What goes in as OTLP is in the store when it is acknowledged.
func TestLocal(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	c := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": dir})
	begin := time.Now().UTC().Truncate(time.Millisecond)
	td := batch(0, 1)
	td.ResourceSpans().At(0).Resource().Attributes().PutStr("service.name", "app")
	span := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
	span.SetStartTimestamp(pcommon.NewTimestampFromTime(begin))
	span.SetEndTimestamp(pcommon.NewTimestampFromTime(begin.Add(1500 * time.Millisecond)))
	for key, value := range map[string]any{
		"langfuse.observation.type":               "generation",
		"langfuse.observation.model.name":         "gpt-4o",
		"langfuse.observation.usage_details":      `{"input":1000,"output":10}`,
		"langfuse.observation.metadata.attempt":   3,
		"langfuse.observation.metadata.big":       int64(9007199254740993),
		"langfuse.observation.metadata.nested":    map[string]any{"deep": []any{true, nil}},
		"langfuse.observation.metadata.looks_int": `"123"`,
	} {
		require.NoError(t, span.Attributes().PutEmpty(key).FromRaw(value))
	}
	c.sendTraces(td)
	c.sendLogs(evaluation("score-1"))
	noScore := plog.NewLogs()
	noScore.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty().Body().SetStr("a log line")
	c.sendLogs(noScore)

	for metric, want := range map[string]float64{
		"otelcol_exporter_sent_spans":                            1,
		"otelcol_extension_langfuse_store_rows":                  2,
		"otelcol_extension_langfuse_store_commit_duration_count": 2,
		"otelcol_exporter_langfuse_store_dropped_log_records":    1,
		"otelcol_exporter_send_failed_spans":                     0,
	} {
		assert.InDelta(t, want, c.metric(metric), 0, metric)
	}
	assert.Positive(t, c.metric("otelcol_extension_langfuse_store_disk_usage"))
	c.Signal(syscall.SIGTERM)
	assert.Contains(t, c.Printed.String(), "Shutdown complete.")

	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "weir.duckdb"): 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), path)
	}
	s := openStore(t, dir)
	rows := listAll(t, s, "default")
	require.Len(t, rows, 1)
	row := rows[0]
	assert.Equal(t, "00000000000000000000000000000001", row.TraceID)
	assert.Equal(t, "0000000000000001", row.ID)
	assert.Equal(t, "generation", row.Name)
	assert.Equal(t, model.TypeGeneration, row.Type)
	assert.Equal(t, begin, row.Start)
	assert.Equal(t, begin.Add(1500*time.Millisecond), row.End)
	assert.Equal(t, strings.Repeat("text ", 200), row.Input)
	assert.Equal(t, "app", row.Origin.ServiceName)
	for _, member := range []string{`"tenant":"acme"`, `"attempt":3`, `"big":9007199254740993`, `"looks_int":"123"`, `"nested.deep":[true,null]`} {
		assert.Contains(t, row.Metadata, member)
	}
	assert.Equal(t, model.Usage{{Key: "input", Units: 1000}, {Key: "output", Units: 10}, {Key: "total", Units: 1010}}, row.Usage)
	cost, ok := row.Cost.Get(model.UsageKeyTotal)
	assert.True(t, ok)
	assert.Equal(t, "0.0026", cost.String())

	scores, err := s.ScoresByID(t.Context(), "default", []string{"score-1"})
	require.NoError(t, err)
	require.Len(t, scores, 1)
	score := scores[0].Score
	assert.WithinDuration(t, time.Now(), score.Timestamp, patience)
	score.Timestamp = time.Time{}
	assert.Equal(t, model.Score{
		ID: "score-1", Name: "relevance", DataType: model.ScoreNumeric, Number: 0.75, TraceID: "01000000000000000000000000000000",
		Source: model.ScoreFromAPI, Environment: "default",
	}, score)
}

// What was acknowledged survives a kill, and a configuration that is loaded again in the same process.
func TestStoreSurvives(t *testing.T) {
	t.Parallel()
	const perBatch = 100
	env := map[string]string{"WEIR_DATA_DIR": t.TempDir()}

	killed := start(t, "local.yaml", env)
	killed.sendTraces(batch(0, perBatch))
	killed.sendTraces(batch(0, perBatch)) // a client that did not see the answer
	killed.Signal(syscall.SIGKILL)

	reloaded := start(t, "local.yaml", env)
	assert.InDelta(t, perBatch, reloaded.metric("otelcol_extension_langfuse_store_rows"), 0)
	require.NoError(t, reloaded.Notify(syscall.SIGHUP))
	require.Eventually(t, func() bool { return strings.Count(reloaded.Printed.String(), "Everything is ready.") == 2 },
		patience, 10*time.Millisecond)
	reloaded.sendTraces(batch(perBatch, perBatch))
	reloaded.Signal(syscall.SIGTERM)

	assert.Len(t, listAll(t, openStore(t, env["WEIR_DATA_DIR"]), "default"), 2*perBatch)
}

// A store that is full tells senders to try again, says so once, and loses nothing that it acknowledged.
func TestAFullStore(t *testing.T) {
	t.Parallel()
	const perBatch = 1000
	dir := t.TempDir()
	c := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": dir}, "--set=extensions.langfuse_store.max_size=16MiB")
	acknowledged, status, answer := 0, http.StatusOK, ""
	for acknowledged < 1_000_000 {
		if status, answer = c.offer(batch(acknowledged, perBatch)); status != http.StatusOK {
			break
		}
		acknowledged += perBatch
	}
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, answer, "more than `max_size`")
	const told = "The store takes no data; senders are told to try again."
	require.Eventually(t, func() bool { return strings.Contains(c.Printed.String(), told) }, patience, time.Millisecond)
	assert.Equal(t, 1, strings.Count(c.Printed.String(), told))
	assert.InDelta(t, acknowledged, c.metric("otelcol_extension_langfuse_store_rows"), 0)
	c.Signal(syscall.SIGTERM)

	s := openStore(t, dir)
	stats, err := s.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, acknowledged, stats.Observations)
}

// What keeps a store from opening ends the start with one sentence that says what to do.
func TestStoreThatDoesNotStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": dir})
	const good = `
receivers: {otlp: {protocols: {http: {endpoint: "localhost:0"}}}}
exporters: {langfuse_store: {}}
extensions: {langfuse_store: {embedded: {path: PATH}}, langfuse_store/b: {embedded: {path: PATH}}}
service:
  telemetry: {metrics: {level: none}}
  extensions: [langfuse_store]
  pipelines: {traces: {receivers: [otlp], exporters: [langfuse_store]}}
`
	for change, want := range map[string]string{
		"PATH=>" + dir:                       "another process has the store " + filepath.Join(dir, "weir.duckdb") + " open: stop it, or give this one another `path`",
		"  extensions: [langfuse_store]\n=>": "there is no store: add `langfuse_store:` below `extensions:`, and `langfuse_store` to the list `service::extensions`",
		"extensions: [langfuse_store]=>extensions: [langfuse_store/b]":                 "there is no store langfuse_store: set `store` to langfuse_store/b",
		"extensions: [langfuse_store]=>extensions: [langfuse_store, langfuse_store/b]": "has the same `embedded::path`",
	} {
		old, replacement, _ := strings.Cut(change, "=>")
		bad := strings.Replace(good, old, replacement, 1)
		require.NotEqual(t, good, bad)
		bad = strings.ReplaceAll(bad, "PATH", filepath.Join(t.TempDir(), "data"))
		out, err := exec.CommandContext(t.Context(), weirbin.Path(t), "--config=yaml:"+bad).CombinedOutput()
		require.Error(t, err, "%s", out)
		assert.Contains(t, string(out), want)
	}
}

func TestBadSettingsOfTheStore(t *testing.T) {
	t.Parallel()
	const good = `
receivers: {otlp: {protocols: {http: {endpoint: "localhost:0"}}}}
exporters: {langfuse_store: {project: p}}
extensions: {langfuse_store: {embedded: {path: x, memory_limit: 512MiB}, max_size: 1GB, retention: 720h}}
service: {extensions: [langfuse_store], pipelines: {traces: {receivers: [otlp], exporters: [langfuse_store]}}}
`
	require.Empty(t, validate(t, good))
	for change, want := range map[string]string{
		"path: x=>path: ''": "extensions::langfuse_store::embedded: `path` must name a folder",
		"512MiB=>512":       "extensions::langfuse_store::embedded: `memory_limit` must be at least 64MiB, found 512",
		"512MiB=>lots":      "\"lots\" is no size",
		"1GB=>1MB":          "extensions::langfuse_store: `max_size` must be at least 16MiB, or 0 for no limit, found 1MB",
		"720h=>30":          "extensions::langfuse_store: `retention` must be at least 1h0m0s",
		"embedded: {=>clickhouse: {}, embedded: {":                                               "extensions::langfuse_store: `embedded` and `clickhouse` exclude each other",
		"embedded: {path: x, memory_limit: 512MiB}, max_size: 1GB=>clickhouse: {endpoints: [x]}": "extensions::langfuse_store::clickhouse: `endpoints` must be host:port",
		"max_size: 1GB=>models: [{name: m}]":                                                     "extensions::langfuse_store: `models`: model \"m\": `tiers`: one without `conditions` is missing",
		"project: p=>project: ''":                                                                "exporters::langfuse_store: `project` must name the project",
	} {
		old, replacement, _ := strings.Cut(change, "=>")
		bad := strings.Replace(good, old, replacement, 1)
		require.NotEqual(t, good, bad)
		assert.Contains(t, validate(t, bad), want)
	}
}
