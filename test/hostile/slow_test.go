// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// slowSenders are more than requests may be worked on at a time.
const slowSenders = 400

// dial opens a connection and sends a text.
func (s *server) dial(text string) net.Conn {
	s.t.Helper()
	conn, err := net.DialTimeout("tcp", s.API, patience)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, text)
	require.NoError(s.t, err)
	return conn
}

func (s *server) login() string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(s.keys[0].Public+":"+s.keys[0].Secret)) + "\r\n"
}

// Who sends headers or a body byte by byte keeps nobody else from being served, and is cut off.
func TestSlowSenders(t *testing.T) {
	for name, slow := range map[string]struct {
		begin func(*server) string
		more  string // which is right as far as it goes, so that only time is against it
	}{
		"headers": {func(*server) string { return "GET /api/public/health HTTP/1.1\r\nHost: localhost\r\nX-Slow: " }, "x"},
		"body": {func(s *server) string {
			return "POST /api/public/otel/v1/traces HTTP/1.1\r\nHost: localhost\r\n" + s.login() + "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
		}, " "},
		"chunks": {func(s *server) string {
			return "POST /api/public/ingestion HTTP/1.1\r\nHost: localhost\r\n" + s.login() + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
		}, "1\r\n \r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			// Shorter than the defaults, so that the test need not wait for a minute.
			s := start(t, "--set=receivers.langfuse.read_header_timeout=3s", "--set=receivers.langfuse.read_timeout=3s")
			var senders sync.WaitGroup
			for range slowSenders {
				conn := s.dial(slow.begin(s))
				senders.Go(func() {
					ticker := time.NewTicker(200 * time.Millisecond)
					defer ticker.Stop()
					for range ticker.C {
						if _, err := io.WriteString(conn, slow.more); err != nil {
							return // the server has had enough
						}
					}
				})
			}
			s.isWell()
			done := make(chan struct{})
			go func() {
				senders.Wait()
				close(done)
			}()
			select {
			case <-done:
			case <-time.After(patience):
				assert.Fail(t, "who sends slowly is never cut off")
			}
			s.isWell()
		})
	}
}

// mostMemory is for 512 MiB of answers, which may be twice as much before garbage is collected, for 512 MiB of the engine of
// the store, for what a few reads hold until it is counted, and for the program. What 400 answers take is far above.
const mostMemory = 2560 << 20

// Who asks for much and does not read the answers gets no more memory than all requests together may have, and is cut off.
// Others may be told to come back until then.
func TestSlowReaders(t *testing.T) {
	const (
		spans = 20
		size  = 1 << 20
		path  = "/api/public/v2/observations?fields=core,io&limit=20"
	)
	s := start(t, "--set=receivers.langfuse.write_timeout=5s")
	text := strings.Repeat("a", size)
	for n := range spans {
		got := s.call(http.MethodPost, "/api/public/otel/v1/traces", fmt.Appendf(nil, `{"resourceSpans":[{"scopeSpans":[{"spans":[
			{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"%016x","name":"long","attributes":[
			{"key":"langfuse.observation.input","value":{"stringValue":%q}}]}]}]}]}`, n+1, text))
		require.Equal(t, http.StatusOK, got.status, got.body)
	}
	require.Greater(t, len(s.call(http.MethodGet, path, nil).body), spans*size, "more than fits between a server and a reader who does nothing")
	for range slowSenders {
		s.dial("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + s.login() + "\r\n")
	}
	assert.Equal(t, http.StatusOK, s.call(http.MethodGet, "/api/public/health", nil).status)
	require.Eventually(t, func() bool { return s.call(http.MethodGet, path, nil).status == http.StatusOK }, patience, 100*time.Millisecond)
	usage, err := s.Usage()
	require.NoError(t, err)
	t.Logf("memory: %d MB at the highest", usage.Peak>>20)
	assert.Less(t, usage.Peak, int64(mostMemory))
}

// raw sends bytes and gives the status of the answer; 0 when the connection is closed without one.
func (s *server) raw(text string) int {
	s.t.Helper()
	conn, err := net.DialTimeout("tcp", s.API, patience)
	require.NoError(s.t, err)
	defer conn.Close()
	require.NoError(s.t, conn.SetDeadline(time.Now().Add(patience)))
	_, _ = io.WriteString(conn, text) // it may be cut off in the middle
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}
