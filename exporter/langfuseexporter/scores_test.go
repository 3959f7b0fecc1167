// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/scorelog"
	"github.com/weirhq/weir/internal/wire"
)

var (
	names   = wire.NewNames(wire.DefaultService)
	scoreAt = time.Date(2026, 8, 22, 10, 11, 12, 123456789, time.UTC)
)

func scoreLogs(scores ...model.Score) plog.Logs {
	ld := plog.NewLogs()
	records := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords()
	for i := range scores {
		scorelog.Write(&scores[i], names, records.AppendEmpty())
	}
	return ld
}

// numbered makes n scores with the ids k0, k1, ...
func numbered(n int) []model.Score {
	scores := make([]model.Score, n)
	for i := range scores {
		scores[i] = model.Score{
			ID: fmt.Sprint("k", i), Name: "quality", DataType: model.ScoreNumeric, Number: float64(i), TraceID: "t-1",
			Source: model.ScoreFromAPI, Timestamp: scoreAt,
		}
	}
	return scores
}

func onceEach(n int, without ...string) map[string]int {
	want := map[string]int{}
	for i := range n {
		want[fmt.Sprint("k", i)] = 1
	}
	for _, id := range without {
		delete(want, id)
	}
	return want
}

func TestScoreOnTheWire(t *testing.T) {
	service := newFakeService(t)
	score := model.Score{
		ID: "s-1", Name: "verdict", DataType: model.ScoreCategorical, Text: "good \"ü\"",
		TraceID: "0af7651916cd43dd8448eb211c80319c", ObservationID: "b7ad6b7169203331", Source: model.ScoreFromEval,
		Comment: "why", ConfigID: "c", QueueID: "q", AuthorUserID: "u", Environment: "prod",
		Metadata: `{"n": 123456789012345678901234567890}`, Timestamp: scoreAt,
	}
	session := model.Score{ID: "s-2", Name: "ok", DataType: model.ScoreBoolean, Number: 1, SessionID: "sess", Source: model.ScoreFromAPI, Timestamp: scoreAt}
	run := model.Score{ID: "s-3", Name: "mean", DataType: model.ScoreNumeric, Number: 0.25, ExperimentID: "run", Source: model.ScoreFromAPI, Timestamp: scoreAt}
	require.NoError(t, newHarness(t).scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(score, session, run)))

	request := service.seen()[0]
	assert.Equal(t, "/api/public/ingestion", request.path)
	assert.Equal(t, "application/json", request.header.Get("Content-Type"))
	assert.Equal(t, "gzip", request.header.Get("Content-Encoding"))
	assert.Equal(t, "Basic cGstdGVzdDpzay10ZXN0", request.header.Get("Authorization"))
	var body struct{ Batch []map[string]any }
	require.NoError(t, json.Unmarshal(request.body, &body))
	require.Len(t, body.Batch, 3)
	for _, event := range body.Batch {
		assert.Len(t, event["id"], 32)
		assert.Equal(t, "score-create", event["type"])
		assert.Equal(t, "2026-08-22T10:11:12.123Z", event["timestamp"])
	}
	assert.Equal(t, map[string]any{
		"id": "s-1", "name": "verdict", "dataType": "CATEGORICAL", "value": "good \"ü\"", "source": "EVAL",
		"traceId": "0af7651916cd43dd8448eb211c80319c", "observationId": "b7ad6b7169203331",
		"comment": "why", "configId": "c", "queueId": "q", "authorUserId": "u", "environment": "prod",
		"metadata": map[string]any{"n": "123456789012345678901234567890"},
	}, body.Batch[0]["body"])
	assert.Equal(t, map[string]any{
		"id": "s-2", "name": "ok", "dataType": "BOOLEAN", "value": 1.0, "source": "API", "sessionId": "sess",
	}, body.Batch[1]["body"])
	assert.Equal(t, map[string]any{
		"id": "s-3", "name": "mean", "dataType": "NUMERIC", "value": 0.25, "source": "API", "datasetRunId": "run",
	}, body.Batch[2]["body"])
}

func TestOnlyFailedScoresAreSentAgain(t *testing.T) {
	service := newFakeService(t)
	attempts := map[string]int{}
	service.score = func(id string) int {
		attempts[id]++
		switch {
		case id == "k1": // never accepted
			return 400
		case id == "k2" && attempts[id] == 1:
			return 500
		case id == "k3" && attempts[id] <= 2:
			return 429
		case id == "k4":
			return 404
		}
		return 201
	}
	h := newHarness(t)
	require.NoError(t, h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(6)...)))
	assert.Equal(t, onceEach(6, "k1", "k4"), service.scores)
	assert.Equal(t, map[string]int{"k0": 1, "k1": 1, "k2": 2, "k3": 3, "k4": 1, "k5": 1}, attempts)
	assert.Equal(t, map[string]int64{"refused": 2}, h.metric("dropped_log_records"))
	entry := h.logs.FilterMessage("Dropped a score.").All()[0].ContextMap()
	assert.Equal(t, "k1", entry["score_id"])
	assert.Equal(t, "the service answered 400 Bad Request: Invalid request data: because", entry["error"])
}

func TestScoresThatAreAllRefused(t *testing.T) {
	service := newFakeService(t)
	service.score = func(string) int { return 400 }
	h := newHarness(t)
	err := h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(2)...))
	assert.True(t, consumererror.IsPermanent(err))
	assert.Equal(t, map[string]int64{"refused": 2}, h.metric("dropped_log_records"))
}

func TestScoresSurviveTrouble(t *testing.T) {
	for name, does := range map[string]reply{
		"401": {status: 401}, "403": {status: 403}, "429": {status: 429}, "503": {status: 503}, "cut": {cut: true},
		"400 for the envelope": {status: 400}, "413": {status: 413},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, does, does)
			h := newHarness(t)
			require.NoError(t, h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(5)...)))
			assert.Equal(t, onceEach(5), service.scores)
			assert.Empty(t, h.metric("dropped_log_records"))
		})
	}
}

// A key that may not write scores is told of for each event; the scores are kept.
func TestScoresRefusedForTheirKey(t *testing.T) {
	service := newFakeService(t)
	refusals := 6
	service.score = func(string) int {
		if refusals > 0 {
			refusals--
			return 401
		}
		return 201
	}
	h := newHarness(t)
	require.NoError(t, h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(2)...)))
	assert.Equal(t, onceEach(2), service.scores)
	assert.Equal(t, 1, h.logged("The service does not take data from here."), "in three attempts")
	assert.Equal(t, 1, h.logged("The service accepts the credentials again."))
	assert.Len(t, h.host.events, 2)
}

// What must be sent again of one piece must not make the exporter forget the other pieces.
func TestScoresAgainInTheMiddleOfPieces(t *testing.T) {
	service := newFakeService(t)
	attempts := map[string]int{}
	service.score = func(id string) int {
		attempts[id]++
		if attempts[id] == 1 && (id == "k3" || id == "k150") {
			return 503
		}
		return 201
	}
	h := newHarness(t)
	require.NoError(t, h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(250)...)))
	assert.Equal(t, onceEach(250), service.scores)
	assert.Empty(t, h.metric("dropped_log_records"))
}

// An answer that cannot be read may hide failures: everything is sent again, under the same ids.
func TestUnreadableAnswerToScores(t *testing.T) {
	service := newFakeService(t, reply{status: 207, body: `{"successes":[],"errors":[{"id":"`}, reply{status: 200, body: `OK`})
	h := newHarness(t)
	e := h.scores(testConfig(service.URL))
	require.NoError(t, e.ConsumeLogs(t.Context(), scoreLogs(numbered(3)...)))
	assert.Len(t, service.seen(), 2)
	assert.Equal(t, 1, h.logged("Exporting failed. Will retry the request after interval."))
}

func TestComplaintsAboutUnknownEvents(t *testing.T) {
	service := newFakeService(t, reply{status: 207, body: `{"successes":[],"errors":[{"id":"unknown","status":400,"message":"No id"}]}`})
	h := newHarness(t)
	require.NoError(t, h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(1)...)))
	assert.Equal(t, 1, h.logged("The service complains about an event that was not sent, or sent once."))
}

func TestScoreBatchesAreBounded(t *testing.T) {
	service := newFakeService(t)
	h := newHarness(t)
	require.NoError(t, h.scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(2500)...)))
	assert.Equal(t, onceEach(2500), service.scores)
	assert.Len(t, service.seen(), 25)
	assert.Equal(t, map[string]int64{"max_size": 1}, h.metric("batch_splits"))
}

func TestRecordsThatAreNoScores(t *testing.T) {
	ld := scoreLogs(numbered(2)...)
	records := ld.ResourceLogs().At(0).ScopeLogs().At(0).LogRecords()
	records.AppendEmpty().Body().SetStr("just a line")
	broken := records.AppendEmpty()
	broken.SetEventName("gen_ai.evaluation.result")
	broken.Attributes().PutStr("gen_ai.evaluation.name", "n")

	service := newFakeService(t, reply{status: 503}, reply{status: 503})
	h := newHarness(t)
	e := h.scores(testConfig(service.URL))
	for range 2 {
		require.NoError(t, e.ConsumeLogs(t.Context(), ld))
	}
	assert.Equal(t, map[string]int{"k0": 2, "k1": 2}, service.scores)
	assert.Equal(t, map[string]int64{"not_a_score": 2, "invalid_score": 2}, h.metric("dropped_log_records"), "not with each attempt")
	assert.Equal(t, 1, h.logged("The logs pipeline of this exporter carries records that are no score events"), "one warning")
	assert.Contains(t, h.logs.FilterMessage("Dropped a score.").All()[0].ContextMap()["error"],
		"a CATEGORICAL score needs `gen_ai.evaluation.score.label`")

	only := plog.NewLogs()
	only.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty()
	require.NoError(t, e.ConsumeLogs(t.Context(), only))
	assert.Len(t, service.seen(), 4, "nothing to send, no request")
}

func TestScoreRequestsHaveStableIDs(t *testing.T) {
	service := newFakeService(t, reply{status: 503})
	require.NoError(t, newHarness(t).scores(testConfig(service.URL)).ConsumeLogs(t.Context(), scoreLogs(numbered(3)...)))
	requests := service.seen()
	require.Len(t, requests, 2)
	assert.JSONEq(t, string(requests[0].body), string(requests[1].body), "a second attempt is the same to the letter")
}
