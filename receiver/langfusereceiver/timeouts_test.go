// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/receiver/receivertest"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/metadata"
)

const (
	login    = "Authorization: Basic cGs6c2s=\r\n"
	oneSpan  = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331"}]}]}]}`
	postSpan = "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\n" + login + "Content-Type: application/json\r\n"
)

func startReceiver(t *testing.T, next consumer.Traces, settings map[string]any) *apiReceiver {
	t.Helper()
	all := oneProject(nil)
	all["endpoint"] = "localhost:0"
	maps.Copy(all, settings)
	cfg, err := load(all)
	require.NoError(t, err)
	r, err := NewFactory().CreateTraces(t.Context(), receivertest.NewNopSettings(metadata.Type), cfg, next)
	require.NoError(t, err)
	require.NoError(t, r.Start(t.Context(), nopHost()))
	t.Cleanup(func() { require.NoError(t, r.Shutdown(context.WithoutCancel(t.Context()))) })
	return r.(*apiReceiver)
}

// dial opens a connection and sends a text.
func (r *apiReceiver) dial(t *testing.T, text string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.address.String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	return conn
}

func TestHeaderThatDoesNotEnd(t *testing.T) {
	r := startReceiver(t, consumertest.NewNop(), map[string]any{"read_header_timeout": 50 * time.Millisecond})
	conn := r.dial(t, "GET /api/public/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
	answer, err := io.ReadAll(conn) // until the server closes the connection
	require.NoError(t, err)
	assert.NotContains(t, string(answer), "200")
}

func TestBodyThatDoesNotEnd(t *testing.T) {
	r := startReceiver(t, consumertest.NewNop(), map[string]any{"read_timeout": 50 * time.Millisecond})
	conn := r.dial(t, postSpan+"Content-Length: 100\r\n\r\n{")
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, response.StatusCode)
}

func TestBodyBeforeDecompression(t *testing.T) {
	r := startReceiver(t, consumertest.NewNop(), map[string]any{"max_request_body_size": 200})
	for size, status := range map[int]int{199: 200, 201: 413} {
		body := oneSpan + strings.Repeat(" ", size-len(oneSpan))
		conn := r.dial(t, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", postSpan, len(body), body))
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		assert.Equal(t, status, response.StatusCode, size)
		require.NoError(t, response.Body.Close())
	}
}

func TestShutdownWaitsForRequests(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	slow, err := consumer.NewTraces(func(context.Context, ptrace.Traces) error {
		close(inside)
		<-leave
		return nil
	})
	require.NoError(t, err)
	r := startReceiver(t, slow, nil)
	conn := r.dial(t, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", postSpan, len(oneSpan), oneSpan))
	<-inside
	done := make(chan error)
	go func() { done <- r.Shutdown(context.WithoutCancel(t.Context())) }()
	require.Eventually(t, r.stopping.Load, time.Minute, time.Millisecond)
	close(leave)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, http.StatusOK, response.StatusCode, "what was begun is answered")
	require.NoError(t, <-done)
}
