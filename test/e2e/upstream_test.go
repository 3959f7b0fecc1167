// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// read is the answer to a read, without the times at which each store got it.
func (c *collector) read(path string) map[string]any {
	c.t.Helper()
	status, text := c.call(http.MethodGet, path, "")
	require.Equal(c.t, http.StatusOK, status, text)
	var answer map[string]any
	require.NoError(c.t, json.Unmarshal([]byte(text), &answer))
	for _, row := range answer["data"].([]any) {
		delete(row.(map[string]any), "createdAt")
		delete(row.(map[string]any), "updatedAt")
	}
	return answer
}

// Two instances, one forwarding to the other: both have the same spans and scores, and so the same experiments and sums.
func TestForwarding(t *testing.T) {
	t.Parallel()
	far := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": filepath.Join(t.TempDir(), "far")})
	forward := fmt.Sprintf(`
exporters:
  langfuse:
    endpoint: http://%s
    public_key: pk-lf-weir-development
    secret_key: sk-lf-weir-development
service:
  pipelines:
    traces:
      exporters: [langfuse_store, langfuse]
    logs:
      exporters: [langfuse_store, langfuse]
`, far.api)
	near := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": filepath.Join(t.TempDir(), "near")}, "--config=yaml:"+forward)

	const spans = 20
	var items []string
	for i := range spans {
		id := fmt.Sprintf("%016x", i+1)
		items = append(items, fmt.Sprintf(`{"traceId":"%032x","spanId":%q,"name":"item","startTimeUnixNano":"%d","endTimeUnixNano":"%d","attributes":[
			{"key":"langfuse.observation.type","value":{"stringValue":"generation"}},
			{"key":"langfuse.observation.model.name","value":{"stringValue":"gpt-4o"}},
			{"key":"langfuse.observation.usage_details","value":{"stringValue":"{\"input\":%d,\"output\":7}"}},
			{"key":"langfuse.observation.metadata.n","value":{"stringValue":"%d"}},
			{"key":"langfuse.experiment.id","value":{"stringValue":"run-1"}},
			{"key":"langfuse.experiment.name","value":{"stringValue":"first run"}},
			{"key":"langfuse.experiment.item.id","value":{"stringValue":"item-%d"}},
			{"key":"langfuse.experiment.item.root_observation_id","value":{"stringValue":%q}}]}`,
			i+1, id, 1787393472000000000+i*1000000, 1787393473000000000+i*3000000, 100+i, i, i, id))
	}
	status, answer := near.call(http.MethodPost, "/api/public/otel/v1/traces",
		`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"app"}}]},"scopeSpans":[{"scope":{"name":"langfuse-sdk"},"spans":[`+strings.Join(items, ",")+`]}]}]}`)
	require.Equal(t, http.StatusOK, status, answer)
	for i, score := range []string{
		`{"id":"s-number","name":"quality","value":0.5,"traceId":"00000000000000000000000000000001","observationId":"0000000000000001","comment":"so so","metadata":{"by":"me"}}`,
		`{"id":"s-boolean","name":"right","value":1,"dataType":"BOOLEAN","traceId":"00000000000000000000000000000002"}`,
		`{"id":"s-category","name":"tone","value":"kind","sessionId":"a session"}`,
		`{"id":"s-text","name":"note","value":"long","dataType":"TEXT","traceId":"any text"}`,
		`{"id":"s-correction","name":"x","value":"better","dataType":"CORRECTION","traceId":"00000000000000000000000000000003"}`,
		`{"id":"s-run","name":"accuracy","value":0.75,"datasetRunId":"run-1"}`,
	} {
		status, answer := near.call(http.MethodPost, "/api/public/scores", score)
		require.Equal(t, http.StatusOK, status, "%d: %s", i, answer)
	}

	from := url.QueryEscape("2026-01-01T00:00:00Z")
	metrics := url.QueryEscape(`{"view":"observations","metrics":[{"measure":"count","aggregation":"count"},{"measure":"totalCost","aggregation":"sum"},{"measure":"latency","aggregation":"p95"}],
		"dimensions":[{"field":"providedModelName"}],"fromTimestamp":"2026-01-01T00:00:00Z","toTimestamp":"2027-01-01T00:00:00Z"}`)
	reads := []string{
		"/api/public/v2/observations?fields=core,basic,io,metadata,model,usage,trace_context&limit=100",
		"/api/public/v3/scores?fields=details,subject,annotation&limit=100",
		"/api/public/experiments?fields=metadata,scores&fromStartTime=" + from,
		"/api/public/experiment-items?fields=io,metadata,dataset&limit=100&fromStartTime=" + from,
		"/api/public/v2/metrics?query=" + metrics,
	}
	require.Len(t, near.read(reads[0])["data"], spans, "the own store has it at once")
	require.Len(t, near.read(reads[1])["data"], 6)
	require.Eventually(t, func() bool {
		return len(far.read(reads[0])["data"].([]any)) == spans && len(far.read(reads[1])["data"].([]any)) == 6
	}, patience, 20*time.Millisecond, "and the other one after a moment")
	for _, path := range reads {
		here, there := near.read(path), far.read(path)
		if strings.Contains(path, "experiments?") { // the scores in them have times of their own
			for _, answer := range []map[string]any{here, there} {
				for _, score := range answer["data"].([]any)[0].(map[string]any)["scores"].([]any) {
					delete(score.(map[string]any), "createdAt")
					delete(score.(map[string]any), "updatedAt")
				}
			}
		}
		assert.NotEmpty(t, here["data"], path)
		assert.Equal(t, here, there, path)
	}
	assert.NotContains(t, fmt.Sprint(far.read(reads[0])), "weir.project.id")
}
