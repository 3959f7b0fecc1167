// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/test/internal/clickhouseserver"
	"github.com/weirhq/weir/test/internal/weirbin"
)

// clickHouse starts a server, and gives what a collector needs to use it.
func clickHouse(t *testing.T) (*clickhouseserver.Server, map[string]string) {
	t.Helper()
	if os.Getenv("WEIR_REQUIRE_CLICKHOUSE") != "1" {
		t.Skip("`make test-clickhouse` runs this")
	}
	server := clickhouseserver.Start(t)
	return server, map[string]string{
		"WEIR_CLICKHOUSE_ENDPOINTS": server.Address, "WEIR_MEDIA_DIR": t.TempDir(),
		"WEIR_PUBLIC_KEY": projectKeys[0], "WEIR_SECRET_KEY": projectKeys[1],
	}
}

// offerToAPI sends spans to the API, which may refuse them, and tells what it said about sending again.
func (c *collector) offerToAPI(td ptrace.Traces) (status int, retryAfter string) {
	body, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
	if !assert.NoError(c.t, err) {
		return 0, ""
	}
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, "http://"+c.API+"/api/public/otel/v1/traces", bytes.NewReader(body))
	if !assert.NoError(c.t, err) {
		return 0, ""
	}
	request.SetBasicAuth(c.keys[0], c.keys[1])
	request.Header.Set("Content-Type", "application/x-protobuf")
	response, err := http.DefaultClient.Do(request)
	if !assert.NoError(c.t, err) {
		return 0, ""
	}
	defer response.Body.Close()
	return response.StatusCode, response.Header.Get("Retry-After")
}

// observationIDs are the ids of all observations, as the API gives them, page by page.
func (c *collector) observationIDs() map[string]int {
	c.t.Helper()
	found := map[string]int{}
	for cursor := ""; ; {
		status, answer := c.call(http.MethodGet, "/api/public/v2/observations?fields=core&limit=1000&cursor="+cursor, "")
		require.Equal(c.t, http.StatusOK, status, answer)
		var page struct {
			Data []struct{ ID string }
			Meta struct{ Cursor string }
		}
		require.NoError(c.t, json.Unmarshal([]byte(answer), &page))
		for _, row := range page.Data {
			found[row.ID]++
		}
		if cursor = page.Meta.Cursor; cursor == "" {
			return found
		}
	}
}

func (c *collector) isReady() bool {
	status, _ := c.call(http.MethodGet, "/api/public/ready", "")
	return status == http.StatusOK
}

// Two collectors on one ClickHouse are one service, whichever of them is asked; one of them is the static build.
func TestClusterOfTwo(t *testing.T) {
	_, env := clickHouse(t)
	one, other := start(t, "cluster.yaml", env), startBinary(t, weirbin.Static(t), "cluster.yaml", env)
	one.sendTraces(batch(0, 10))
	one.sendLogs(evaluation("score-1"))
	assert.Len(t, other.observationIDs(), 10)
	status, answer := other.call(http.MethodGet, "/api/public/v3/scores?id=score-1", "")
	assert.Equal(t, http.StatusOK, status)
	assert.Contains(t, answer, `"name":"relevance"`)

	status, answer = other.call(http.MethodPost, "/api/public/v2/prompts", `{"name":"greeting","type":"text","prompt":"Hello","labels":["production"]}`)
	require.Equal(t, http.StatusCreated, status, answer)
	_, theirs := other.call(http.MethodGet, "/api/public/v2/prompts/greeting", "")
	status, ours := one.call(http.MethodGet, "/api/public/v2/prompts/greeting", "")
	assert.Equal(t, http.StatusOK, status)
	assert.JSONEq(t, theirs, ours)

	// A content that was uploaded to one is read from the other, with the address that either signed.
	const hash = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
	status, answer = one.call(http.MethodPost, "/api/public/media",
		`{"contentType":"text/plain","contentLength":5,"sha256Hash":"`+hash+`","field":"input","traceId":"t"}`)
	require.Equal(t, http.StatusCreated, status, answer)
	var announced struct{ MediaID, UploadURL string }
	require.NoError(t, json.Unmarshal([]byte(answer), &announced))
	upload := strings.Replace(announced.UploadURL, one.API, other.API, 1)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, upload, strings.NewReader("hello"))
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	_ = response.Body.Close()
	require.Equal(t, http.StatusOK, response.StatusCode)
	status, answer = one.call(http.MethodGet, "/api/public/media/"+announced.MediaID, "")
	assert.Equal(t, http.StatusOK, status, answer)

	status, answer = one.call(http.MethodDelete, "/api/public/traces/00000000000000000000000000000001", "")
	require.Equal(t, http.StatusOK, status, answer)
	assert.Empty(t, other.observationIDs())
	for _, c := range []*collector{one, other} {
		c.Signal(syscall.SIGTERM)
		assert.Contains(t, c.Printed.String(), "Shutdown complete.")
	}
}

// A collector that starts before ClickHouse answers at once, and uses it when it is there.
func TestClusterWithoutClickHouse(t *testing.T) {
	server, env := clickHouse(t)
	server.Kill()
	c := start(t, "cluster.yaml", env)
	assert.False(t, c.isReady())
	status, _ := c.call(http.MethodGet, "/api/public/health", "")
	assert.Equal(t, http.StatusOK, status, "the process runs, and need not be ended")
	status, retryAfter := c.offerToAPI(batch(0, 1))
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.NotEmpty(t, retryAfter)
	assert.Contains(t, c.Printed.String(), "The store takes no data; senders are told to try again.")
	assert.Contains(t, c.Printed.String(), "does not answer; check `endpoints`")

	require.NoError(t, server.Start())
	require.Eventually(t, c.isReady, patience, 50*time.Millisecond)
	c.sendTraces(batch(0, 1))
	assert.Len(t, c.observationIDs(), 1)
	require.Eventually(t, func() bool { return strings.Contains(c.Printed.String(), "The store takes data again.") }, patience, 10*time.Millisecond)
	// Nobody has to send something for the next outage to be seen.
	server.Kill()
	require.Eventually(t, func() bool { return strings.Count(c.Printed.String(), "The store takes no data") == 2 }, patience, 50*time.Millisecond)
	require.NoError(t, server.Start())
	require.Eventually(t, func() bool { return strings.Count(c.Printed.String(), "The store takes data again.") == 2 }, patience, 50*time.Millisecond)
}

// ClickHouse is killed under load: what was acknowledged is there once, and nobody has to start anything but ClickHouse.
func TestClusterOutage(t *testing.T) {
	const perBatch, writers = 50, 3
	server, env := clickHouse(t)
	collectors := []*collector{start(t, "cluster.yaml", env), start(t, "cluster.yaml", env)}
	var acknowledged, refused atomic.Int64
	var next atomic.Int64
	var acknowledgedIDs sync.Map
	stop := make(chan struct{})
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for {
				first := int(next.Add(1)-1) * perBatch
				for isSent := false; !isSent; {
					select {
					case <-stop:
						return
					default:
					}
					td := batch(first, perBatch)
					status, retryAfter := collectors[w%len(collectors)].offerToAPI(td)
					switch status {
					case http.StatusOK:
						for _, span := range td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().All() {
							acknowledgedIDs.Store(span.SpanID().String(), true)
						}
						acknowledged.Add(perBatch)
						isSent = true
					case http.StatusServiceUnavailable:
						assert.NotEmpty(t, retryAfter)
						refused.Add(1)
						<-time.After(20 * time.Millisecond) // as a client that was told to wait
					default:
						assert.Failf(t, "neither taken nor refused", "status %d", status)
						return
					}
				}
			}
		})
	}
	more := func(counter *atomic.Int64, n int64) {
		want := counter.Load() + n
		require.Eventually(t, func() bool { return counter.Load() >= want }, patience, 10*time.Millisecond)
	}
	for range 2 {
		more(&acknowledged, 5*perBatch)
		server.Kill()
		more(&refused, writers)
		require.Eventually(t, func() bool { return !collectors[0].isReady() && !collectors[1].isReady() }, patience, 50*time.Millisecond)
		require.NoError(t, server.Start())
		require.Eventually(t, func() bool { return collectors[0].isReady() && collectors[1].isReady() }, patience, 50*time.Millisecond)
	}
	more(&acknowledged, 5*perBatch)
	close(stop)
	writing.Wait()

	found := collectors[0].observationIDs()
	for id := range acknowledgedIDs.Range {
		require.Contains(t, found, id, "what was acknowledged is lost")
	}
	for id, times := range found {
		require.Equal(t, 1, times, "%s is there %d times", id, times)
	}
	assert.Equal(t, found, collectors[1].observationIDs(), "both see the same")
	for _, c := range collectors {
		assert.Contains(t, c.Printed.String(), "The store takes no data; senders are told to try again.")
		assert.Contains(t, c.Printed.String(), "The store takes data again.")
		assert.Equal(t, 1, strings.Count(c.Printed.String(), "Everything is ready."), fmt.Sprint("it was not started again: ", c.PID()))
	}
}
