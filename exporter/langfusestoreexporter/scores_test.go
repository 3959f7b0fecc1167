// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/weirhq/weir/exporter/langfusestoreexporter/internal/metadatatest"
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// addEvaluations adds a resource with score events; an empty project is no stamp.
func addEvaluations(ld plog.Logs, project string, ids ...string) plog.LogRecordSlice {
	rl := ld.ResourceLogs().AppendEmpty()
	if project != "" {
		rl.Resource().Attributes().PutStr("weir.project.id", project)
	}
	records := rl.ScopeLogs().AppendEmpty().LogRecords()
	for _, id := range ids {
		record := records.AppendEmpty()
		record.SetEventName("gen_ai.evaluation.result")
		record.SetTimestamp(pcommon.NewTimestampFromTime(noon.Add(1234567 * time.Nanosecond)))
		record.SetTraceID(pcommon.TraceID{1})
		record.SetSpanID(pcommon.SpanID{2})
		record.Attributes().PutStr("gen_ai.evaluation.name", "relevance")
		record.Attributes().PutDouble("gen_ai.evaluation.score.value", 0.75)
		record.Attributes().PutStr("gen_ai.evaluation.explanation", "to the point")
		record.Attributes().PutStr("langfuse.score.id", id)
	}
	return records
}

func evaluations(project string, ids ...string) plog.Logs {
	ld := plog.NewLogs()
	addEvaluations(ld, project, ids...)
	return ld
}

// storedScores are the scores of a project among those with the ids.
func (h *harness) storedScores(project string, ids ...string) map[string]store.StoredScore {
	h.t.Helper()
	found, err := h.store.ScoresByID(h.t.Context(), project, ids)
	require.NoError(h.t, err)
	scores := map[string]store.StoredScore{}
	for _, score := range found {
		scores[score.ID] = score
	}
	return scores
}

func TestAnEventBecomesAScore(t *testing.T) {
	h := newHarness(t)
	ld := evaluations("", "s-1", "s-2")
	ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(1).Attributes().PutStr("langfuse.score.environment", "staging")
	require.NoError(t, h.scores(configWith()).ConsumeLogs(t.Context(), ld))
	got := h.storedScores("default", "s-1", "s-2")
	assert.Equal(t, model.Score{
		ID: "s-1", Name: "relevance", DataType: model.ScoreNumeric, Number: 0.75, Source: model.ScoreFromAPI,
		TraceID: "01000000000000000000000000000000", ObservationID: "0200000000000000", Comment: "to the point",
		Environment: "default", Timestamp: noon.Add(time.Millisecond),
	}, got["s-1"].Score)
	assert.Equal(t, "staging", got["s-2"].Environment)
	assert.Empty(t, h.dropped("log_records"))
}

func TestAnotherServiceName(t *testing.T) {
	h := newHarness(t)
	ld := evaluations("", "ignored")
	ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(0).Attributes().PutStr("acme.score.id", "s-1")
	require.NoError(t, h.scores(configWith(func(c *Config) { c.Service = "acme" })).ConsumeLogs(t.Context(), ld))
	assert.Len(t, h.storedScores("default", "s-1", "ignored"), 1)
}

func TestProjectsOfScores(t *testing.T) {
	h := newHarness(t)
	ld := plog.NewLogs()
	addEvaluations(ld, "a", "s-1", "s-2")
	addEvaluations(ld, "", "s-1")
	addEvaluations(ld, "b", "s-1")
	addEvaluations(ld, "a", "s-3")
	addEvaluations(ld, "empty")
	require.NoError(t, h.scores(configWith()).ConsumeLogs(t.Context(), ld))
	assert.Equal(t, []string{"a", "default", "b"}, h.store.writes)
	for project, want := range map[string]int{"a": 3, "b": 1, "default": 1, "empty": 0} {
		assert.Len(t, h.storedScores(project, "s-1", "s-2", "s-3"), want, project)
	}
}

func TestWhatIsNoScore(t *testing.T) {
	h := newHarness(t)
	ld := plog.NewLogs()
	records := addEvaluations(ld, "", "good", "no-name", "no-value")
	records.At(1).Attributes().Remove("gen_ai.evaluation.name")
	records.At(2).Attributes().Remove("gen_ai.evaluation.score.value")
	for range 3 {
		records.AppendEmpty().Body().SetStr("a log line")
	}
	e := h.scores(configWith())
	for range 2 {
		require.NoError(t, e.ConsumeLogs(t.Context(), ld), "what is no score is no reason to send the rest again")
	}
	assert.Len(t, h.storedScores("default", "good", "no-name", "no-value"), 1)

	point := func(reason string, n int64) metricdata.DataPoint[int64] {
		return metricdata.DataPoint[int64]{Value: n, Attributes: attribute.NewSet(
			attribute.String("exporter", "langfuse_store"), attribute.String("reason", reason))}
	}
	metadatatest.AssertEqualExporterLangfuseStoreDroppedLogRecords(t, h.tel,
		[]metricdata.DataPoint[int64]{point("not_a_score", 6), point("invalid_score", 4)},
		metricdatatest.IgnoreTimestamp(), metricdatatest.IgnoreExemplars())
	assert.Equal(t, 1, h.logs.FilterMessageSnippet("carries records that are no score events").Len(), "once is enough")
	invalid := h.logs.FilterMessageSnippet("no valid scores").All()
	require.Len(t, invalid, 2, "once a batch")
	assert.Equal(t, map[string]any{"scores": int64(2), "score_id": "no-name", "error": "a score needs a name"}, invalid[0].ContextMap())
}

// Sending a score again changes nothing, with an id of its own or without.
func TestScoresAreIdempotent(t *testing.T) {
	h := newHarness(t)
	ld := evaluations("", "s-1", "s-2")
	ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().At(1).Attributes().Remove("langfuse.score.id")
	e := h.scores(configWith())
	for range 3 {
		require.NoError(t, e.ConsumeLogs(t.Context(), ld))
	}
	stats, err := h.store.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 2, stats.Scores)
}

func TestReadOnlyLogs(t *testing.T) {
	h := newHarness(t)
	ld := evaluations("a", "s-1", "s-2")
	ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().AppendEmpty()
	ld.MarkReadOnly()
	e := h.scores(configWith())
	assert.False(t, e.Capabilities().MutatesData)
	require.NoError(t, e.ConsumeLogs(t.Context(), ld))
	assert.Len(t, h.storedScores("a", "s-1", "s-2"), 2)
	assert.Equal(t, 3, ld.LogRecordCount())
	_, stamped := ld.ResourceLogs().At(0).Resource().Attributes().Get("weir.project.id")
	assert.True(t, stamped)
}

func TestConcurrentScores(t *testing.T) {
	const callers, each = 8, 20
	h := newHarness(t)
	e := h.scores(configWith())
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			for i := range each {
				ld := evaluations("", fmt.Sprint(caller, "-", i), "shared")
				ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords().AppendEmpty()
				assert.NoError(t, e.ConsumeLogs(t.Context(), ld))
			}
		})
	}
	group.Wait()
	stats, err := h.store.Stats(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, callers*each+1, stats.Scores)
	assert.Equal(t, map[string]int64{"not_a_score": callers * each}, h.dropped("log_records"))
}
