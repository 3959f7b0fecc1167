// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/base64"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/test/internal/weirbin"
)

func evaluation(id string) plog.Logs {
	ld := plog.NewLogs()
	record := ld.ResourceLogs().AppendEmpty().ScopeLogs().AppendEmpty().LogRecords().AppendEmpty()
	record.SetEventName("gen_ai.evaluation.result")
	record.SetTimestamp(pcommon.NewTimestampFromTime(time.Now()))
	record.SetTraceID(pcommon.TraceID{1})
	record.Attributes().PutStr("gen_ai.evaluation.name", "relevance")
	record.Attributes().PutDouble("gen_ai.evaluation.score.value", 0.75)
	record.Attributes().PutStr("langfuse.score.id", id)
	return ld
}

// Sidecar and gateway: what goes in as OTLP arrives at the service, as the service wants it.
func TestSidecarAndGateway(t *testing.T) {
	for _, config := range []string{"sidecar.yaml", "gateway.yaml"} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			far := newService(t)
			far.listen()
			c := start(t, config, map[string]string{"WEIR_DATA_DIR": t.TempDir(), "LANGFUSE_BASE_URL": "http://" + far.address})
			require.Eventually(t, func() bool { return strings.Contains(c.printed.String(), `"project": "E2E Project"`) },
				patience, 10*time.Millisecond, "verify logs the name of the project")
			defer func() {
				assert.Equal(t, 1, strings.Count(c.printed.String(), `"project": "E2E Project"`), "once for both signals")
			}()

			td := batch(0, 1)
			span := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
			span.Attributes().PutInt("langfuse.observation.metadata.attempt", 3)
			span.Attributes().PutStr("note", "card 4111 1111 1111 1111")
			span.Attributes().PutEmptyMap("headers").PutStr("authorization", "sk-abcdefghijklmnopqrstuvwxyz")
			span.Attributes().PutStr("langfuse.observation.cost_details", `{"total":0.30000000000000004}`)
			span.Attributes().PutStr("user.id", "175928847299117063")
			c.sendTraces(td)
			c.sendLogs(evaluation("score-1"))

			require.Eventually(t, func() bool { return far.arrived() == 1 }, patience, 10*time.Millisecond)
			require.Eventually(t, func() bool { _, ok := far.score("score-1"); return ok }, patience, 10*time.Millisecond)
			assert.Equal(t, "Basic "+base64.StdEncoding.EncodeToString([]byte("pk-e2e:sk-e2e")), far.header.Get("Authorization"))
			assert.Equal(t, "gzip", far.header.Get("Content-Encoding"))
			assert.Equal(t, "application/x-protobuf", far.header.Get("Content-Type"))
			assert.Equal(t, "4", far.header.Get("x-langfuse-ingestion-version"))
			assert.Regexp(t, `^weir/\d+\.\d+\.\d+`, far.header.Get("User-Agent"))

			attributes := far.last.Attributes().AsRaw()
			assert.Equal(t, `"acme"`, attributes["langfuse.observation.metadata.tenant"])
			assert.Equal(t, `3`, attributes["langfuse.observation.metadata.attempt"])
			if config == "gateway.yaml" {
				assert.Equal(t, "card ****", attributes["note"], "the gateway masks")
				assert.Equal(t, `{"authorization":"****"}`, attributes["headers"], "in maps too")
			}
			assert.Equal(t, `{"total":0.30000000000000004}`, attributes["langfuse.observation.cost_details"])
			assert.Equal(t, "175928847299117063", attributes["user.id"])
			assert.Equal(t, map[string]any{
				"id": "score-1", "name": "relevance", "dataType": "NUMERIC", "value": 0.75, "source": "API",
				"traceId": "01000000000000000000000000000000",
			}, far.scores["score-1"])

			c.signal(syscall.SIGTERM)
			assert.Zero(t, c.cmd.ProcessState.ExitCode())
			assert.NotContains(t, c.printed.String(), "sk-e2e")
		})
	}
}

// The client libraries of the service work with both as with the service itself, as far as they send; what they read is
// with the service, and the answer says so. Here with the binary that has no store in it.
func TestClientLibraries(t *testing.T) {
	for _, config := range []string{"sidecar.yaml", "gateway.yaml"} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			far := newService(t)
			far.listen()
			c := startBinary(t, weirbin.Static(t), config, map[string]string{"WEIR_DATA_DIR": t.TempDir(), "LANGFUSE_BASE_URL": "http://" + far.address})
			for _, sent := range []struct {
				path, body string
				status     int
				answer     string
			}{
				{"/api/public/otel/v1/traces", `{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"langfuse-sdk","version":"5.11.1"},"spans":[{
					"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"chat","attributes":[
					{"key":"langfuse.observation.input","value":{"stringValue":"my card is 4111 1111 1111 1111"}},
					{"key":"langfuse.observation.metadata.tenant","value":{"stringValue":"acme"}}]}]}]}]}`, http.StatusOK, `{}`},
				{
					"/api/public/ingestion", `{"batch":[{"id":"event-1","type":"score-create","timestamp":"2026-11-15T00:00:00Z","body":{"id":"queued","name":"q","value":1,"traceId":"t"}}]}`,
					http.StatusMultiStatus, `{"successes":[{"id":"event-1","status":201}],"errors":[]}`,
				},
				{"/api/public/scores", `{"id":"direct","name":"d","value":"good","sessionId":"s"}`, http.StatusOK, `{"id":"direct"}`},
			} {
				status, answer := c.call(http.MethodPost, sent.path, sent.body)
				assert.Equal(t, sent.status, status, sent.path)
				assert.JSONEq(t, sent.answer, answer, sent.path)
			}
			require.Eventually(t, func() bool {
				_, queued := far.score("queued")
				_, direct := far.score("direct")
				return queued && direct && far.arrived() == 1
			}, patience, 10*time.Millisecond)
			attributes := far.last.Attributes().AsRaw()
			assert.Equal(t, `"acme"`, attributes["langfuse.observation.metadata.tenant"])
			want := map[string]string{"sidecar.yaml": "my card is 4111 1111 1111 1111", "gateway.yaml": "my card is ****"}[config]
			assert.Equal(t, want, attributes["langfuse.observation.input"])
			body, _ := far.score("direct")
			assert.Equal(t, "good", body["value"])
			assert.Equal(t, "s", body["sessionId"])

			for path, want := range map[string]string{
				"/api/public/projects": `"id":"upstream"`, // what auth_check asks for
				"/api/public/health":   `"status":"OK"`,
				"/api/public/ready":    `"status":"OK"`,
			} {
				status, answer := c.call(http.MethodGet, path, "")
				assert.Equal(t, http.StatusOK, status, path)
				assert.Contains(t, answer, want, path)
			}
			for _, path := range []string{
				"/api/public/v2/observations", "/api/public/v3/scores", "/api/public/traces", "/api/public/v2/prompts/greeting",
				"/api/public/v2/datasets/capitals", "/api/public/experiments?fromStartTime=2026-01-01T00:00:00Z",
			} {
				status, answer := c.call(http.MethodGet, path, "")
				assert.Equal(t, http.StatusNotImplemented, status, path)
				assert.Contains(t, answer, "This server hands data on and keeps none: add an extension `langfuse_store:`", path)
			}
			c.keys[1] = "sk-wrong"
			status, answer := c.call(http.MethodGet, "/api/public/projects", "")
			assert.Equal(t, http.StatusUnauthorized, status)
			assert.Contains(t, answer, "Invalid credentials")
		})
	}
}
