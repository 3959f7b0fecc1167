// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const batchPath = "/api/public/ingestion"

func batchOf(events ...string) string {
	return `{"batch":[` + strings.Join(events, ",") + `],"metadata":{"sdk_name":"python"}}`
}

func scoreEvent(id, body string) string {
	return fmt.Sprintf(`{"id":%q,"type":"score-create","timestamp":"2026-08-22T10:11:12.123Z","body":%s}`, id, body)
}

func (a answer) batch(t *testing.T) batchBody {
	t.Helper()
	require.Equal(t, 207, a.status, a.body)
	var body batchBody
	require.NoError(t, json.Unmarshal([]byte(a.body), &body))
	return body
}

func TestBatch(t *testing.T) {
	h := newHarness(t, nil)
	got := h.postJSON(t, batchPath, batchOf(
		scoreEvent("e1", `{"id":"s1","name":"n","value":0.9,"traceId":"t","source":"EVAL","environment":null,"observationId":null}`),
		`{"id":"e2","type":"sdk-log","timestamp":"2026-08-22T10:11:12Z","body":{"log":"x"}}`,
		`{"id":"e3","type":"trace-create","timestamp":"2026-08-22T10:11:12Z","body":{"id":"t"}}`,
		scoreEvent("e4", `{"id":"s4","name":"n","value":-1,"traceId":"t","dataType":"BOOLEAN"}`),
		scoreEvent("e5", `{"id":"s5","name":"n","value":"yes","sessionId":"s"}`),
		`{"id":"e6","type":"no-such","timestamp":"2026-08-22T10:11:12Z","body":{}}`,
		`{"type":"score-create","timestamp":"today","body":{}}`,
		`7`,
		`{"id":"e9","type":"score-create","timestamp":"2026-08-22T10:11:12Z"}`,
	))
	body := got.batch(t)
	assert.Equal(t, []eventSuccess{{"e1", 201}, {"e5", 201}}, body.Successes)
	require.Len(t, body.Errors, 6)
	assert.Equal(t, eventError{
		ID: "e3", Status: 400, Message: "Event type not accepted",
		Error: "Event type \"trace-create\" is not accepted by /api/public/ingestion, which takes score and log events only. " +
			"Send spans as OTLP to /api/public/otel/v1/traces: upgrade the client library (Python 3 or later, JS/TS 4 or later), or use an OpenTelemetry exporter.",
	}, body.Errors[0])
	assert.Equal(t, "e4", body.Errors[1].ID)
	assert.Equal(t, 400, body.Errors[1].Status)
	assert.Equal(t, "Invalid request data", body.Errors[1].Message)
	assert.JSONEq(t, `[{"code":"custom","path":["body","value"],"message":"Value must be a number equal to either 0 or 1 for data type BOOLEAN"}]`, body.Errors[1].Error)
	var refused []string
	for _, e := range body.Errors {
		refused = append(refused, e.ID)
	}
	assert.Equal(t, []string{"e3", "e4", "e6", "unknown", "unknown", "e9"}, refused)

	scores := h.taken(t)
	require.Len(t, scores, 2)
	assert.Equal(t, "s1", scores[0].ID)
	assert.Equal(t, time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC), scores[0].Timestamp.UTC(), "the time of the event")
	assert.Equal(t, "default", scores[0].Environment)
	assert.EqualValues(t, "EVAL", scores[0].Source)
	assert.Equal(t, "yes", scores[1].Text)
}

func TestRunItemEvents(t *testing.T) {
	h := newHarness(t, nil)
	body := h.postJSON(t, batchPath, batchOf(`{"id":"e","type":"dataset-run-item-create","timestamp":"2026-08-22T10:11:12Z","body":{}}`)).batch(t)
	assert.Equal(t, []eventError{{
		"e", 400, "Event type not accepted",
		"Event type \"dataset-run-item-create\" is not accepted by /api/public/ingestion, which takes score and log events only. Use POST /api/public/dataset-run-items.",
	}}, body.Errors)
}

func TestTooManyScores(t *testing.T) {
	h := newHarness(t, nil)
	list := "[" + strings.Repeat("{},", maxEvents) + "{}]"
	for _, headers := range [][]string{nil, {"X-Langfuse-Sdk-Name", "python"}} {
		got := h.post(t, "/api/public/scores", "application/json", []byte(list), headers...)
		assert.Equal(t, 400, got.status)
		assert.Contains(t, got.body, "Too big: expected array to have <=10000 items")
	}
}

func TestEmptyBatch(t *testing.T) {
	h := newHarness(t, nil)
	got := h.postJSON(t, batchPath, `{"batch":[]}`)
	assert.Equal(t, answer{207, nil, `{"successes":[],"errors":[]}`}, withoutHeader(got))
	assert.Empty(t, h.records.AllLogs())
}

func TestBadEnvelopes(t *testing.T) {
	h := newHarness(t, nil)
	for body, want := range map[string]string{
		`{}`:                       `{"message":"Invalid request data","errors":["Invalid input: expected array, received undefined"]}`,
		`{"batch":null}`:           `{"message":"Invalid request data","errors":["Invalid input: expected array, received null"]}`,
		`{"batch":{}}`:             `{"message":"Invalid request data","errors":["Invalid input: expected array, received object"]}`,
		`[]`:                       `{"message":"Invalid request data","errors":["Invalid input: expected object, received array"]}`,
		`{"batch":[`:               `{"message":"Invalid JSON","error":"InvalidRequestError"}`,
		strings.Repeat(" ", 2<<20): `{"message":"Body exceeded 1mb limit","error":"PayloadTooLargeError"}`,
	} {
		got := h.postJSON(t, batchPath, body)
		assert.JSONEq(t, want, got.body)
		assert.Contains(t, []int{400, 413}, got.status)
	}
	got := h.post(t, batchPath, "application/json", []byte(`{}`), "Authorization", "Basic cGs6bm8=")
	assert.Equal(t, 401, got.status)
	assert.JSONEq(t, `{"message":"Invalid credentials. Confirm that you've configured the correct host.","error":"UnauthorizedError"}`, got.body)
}

func TestPublicKeyAloneMayScore(t *testing.T) {
	h := newHarness(t, nil)
	body := h.post(t, batchPath, "application/json", []byte(batchOf(
		scoreEvent("e1", `{"id":"s1","name":"n","value":1,"traceId":"t"}`),
		`{"id":"e2","type":"span-create","timestamp":"2026-08-22T10:11:12Z","body":{}}`,
	)), "Authorization", "Bearer pk").batch(t)
	assert.Equal(t, []eventSuccess{{"e1", 201}}, body.Successes)
	assert.Equal(t, []eventError{{"e2", 401, "Authentication error", "Access Scope Denied"}}, body.Errors)
	assert.Len(t, h.taken(t), 1)
	assert.Equal(t, 200, h.post(t, "/api/public/scores", "application/json", []byte(`{"name":"n","value":1,"traceId":"t"}`), "Authorization", "Bearer pk").status)
}

func TestBatchWithConfigs(t *testing.T) {
	h := newHarness(t, func(s *Settings) { s.Configs = configs{} })
	body := h.postJSON(t, batchPath, batchOf(
		scoreEvent("e1", `{"id":"s1","name":"n","value":"kind","traceId":"t","configId":"tone"}`),
		scoreEvent("e2", `{"id":"s2","name":"n","value":"kind","traceId":"t","configId":"gone"}`),
	)).batch(t)
	assert.Equal(t, []eventSuccess{{"e1", 201}}, body.Successes)
	assert.Equal(t, []eventError{{"e2", 404, "Resource not found", "no config gone in one"}}, body.Errors)
	require.Len(t, h.taken(t), 1)

	got := h.postJSON(t, batchPath, batchOf(
		scoreEvent("e1", `{"id":"s1","name":"n","value":"kind","traceId":"t","configId":"tone"}`),
		scoreEvent("e2", `{"id":"s2","name":"n","value":"kind","traceId":"t","configId":"away"}`),
	))
	assert.Equal(t, 503, got.status, "the whole batch comes again")
	assert.Empty(t, h.taken(t))
}

func FuzzScores(f *testing.F) {
	f.Add(`{"id":"s","name":"n","traceId":"t","value":0.5}`)
	f.Add(batchOf(scoreEvent("e", `{"id":"s","name":"n","traceId":"t","value":true}`)))
	f.Add(`{"name":"n","sessionId":"s","value":"x","metadata":[[[]]],"timestamp":"2026-03-04T05:06:07Z"}`)
	i := New(Settings{Names: testNames})
	f.Fuzz(func(t *testing.T, text string) {
		score, err := i.readListed(t.Context(), "p", json.RawMessage(text))
		if err == nil {
			require.NoError(t, score.Validate())
		}
	})
}
