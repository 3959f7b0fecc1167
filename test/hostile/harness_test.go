// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package hostile

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/traffic"
	"github.com/weirhq/weir/test/internal/weirbin"
	"github.com/weirhq/weir/test/internal/weirproc"
)

const (
	// patience is how long a request may take; none may hang.
	patience = 30 * time.Second
	// moreMemory is what an attack may cost, beside what the limits of configs/local.yaml allow for requests.
	moreMemory = 512 << 20
)

// server is a Weir with configs/local.yaml and two projects.
type server struct {
	*weirproc.Process
	t      *testing.T
	client *http.Client
	keys   []traffic.Key
	before weirproc.Usage
}

func start(t *testing.T, args ...string) *server {
	t.Helper()
	const projects = 2
	process, err := weirproc.Start(t.Context(), weirproc.Settings{
		Binary: weirbin.Path(t), Config: weirproc.Shipped(weirbin.Root(t), "local.yaml"),
		Args: append([]string{"--config=" + traffic.Projects(projects)}, args...),
		Env:  map[string]string{"WEIR_DATA_DIR": filepath.Join(t.TempDir(), "data")},
	})
	require.NoError(t, err)
	s := &server{Process: process, t: t, client: &http.Client{Timeout: patience}, keys: traffic.Keys(projects)}
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		process.Signal(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("it printed:\n%s", lastLines(process.Printed.String()))
		}
	})
	s.before, err = process.Usage()
	require.NoError(t, err)
	return s
}

func lastLines(text string) string { return text[max(0, len(text)-5000):] }

type answer struct {
	status int
	header http.Header
	body   string
}

// try sends a request with the keys of the first project. What fails is an error: a server may well cut off who attacks it.
func (s *server) try(ctx context.Context, method, path string, body io.Reader, headers ...string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.API+path, body)
	if err != nil {
		return answer{}, err
	}
	request.SetBasicAuth(s.keys[0].Public, s.keys[0].Secret)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(read)}, err
}

// call sends a request that must be answered.
func (s *server) call(method, path string, body []byte, headers ...string) answer {
	s.t.Helper()
	got, err := s.try(s.t.Context(), method, path, bytes.NewReader(body), headers...)
	require.NoError(s.t, err, "%s %s", method, path)
	return got
}

// isWell makes sure that the process still serves others as if nothing had been: soon, and with little more memory.
func (s *server) isWell() {
	s.t.Helper()
	const soon = 5 * time.Second
	began := time.Now()
	assert.Equal(s.t, http.StatusOK, s.call(http.MethodGet, "/api/public/ready", nil).status)
	assert.Equal(s.t, http.StatusOK, s.call(http.MethodGet, "/api/public/v2/observations", nil).status)
	got := s.call(http.MethodPost, "/api/public/otel/v1/traces", []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[
		{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"well"}]}]}]}`))
	assert.Equal(s.t, http.StatusOK, got.status, got.body)
	assert.Less(s.t, time.Since(began), soon)
	usage, err := s.Usage()
	require.NoError(s.t, err)
	assert.Less(s.t, usage.Peak-s.before.Peak, int64(moreMemory), "bytes of memory more than before")
	assert.NotContains(s.t, s.Printed.String(), "panic")
	s.t.Logf("memory: %d MB before, %d MB at the highest", s.before.Peak>>20, usage.Peak>>20)
}

// route is one that takes a body.
type route struct{ method, path string }

// bodyRoutes are all of them, as the server itself describes them. Variable parts of paths are filled with a name.
func (s *server) bodyRoutes() (routes []route) {
	s.t.Helper()
	document, err := openapi3.NewLoader().LoadFromData([]byte(s.call(http.MethodGet, "/api/openapi.yaml", nil).body))
	require.NoError(s.t, err)
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil || strings.HasSuffix(path, "/content") { // media are streams, with a signature
				continue
			}
			for {
				before, rest, found := strings.Cut(path, "{")
				if !found {
					break
				}
				_, after, _ := strings.Cut(rest, "}")
				path = before + "1" + after
			}
			routes = append(routes, route{method, path})
		}
	}
	require.Greater(s.t, len(routes), 20)
	return routes
}
