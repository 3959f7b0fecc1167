// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/test/internal/ports"
	"github.com/weirhq/weir/test/internal/weirbin"
)

// patience is how long a condition may take on a slow machine; a passing test waits only as long as it needs to.
const patience = 60 * time.Second

// output is what a process printed, readable while it runs.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// collector is a running Weir.
type collector struct {
	t       *testing.T
	cmd     *exec.Cmd
	exited  chan struct{}
	printed *output
	api     string
	http    string
	grpc    string
	metrics string
	// keys are the public and the secret one that the API asks for.
	keys [2]string
}

// The keys of local.yaml, and those that sidecar.yaml and gateway.yaml are given here.
var (
	developmentKeys = [2]string{"pk-lf-weir-development", "sk-lf-weir-development"}
	projectKeys     = [2]string{"pk-e2e", "sk-e2e"}
)

// start runs a configuration from configs/ on free ports, with more arguments if need be, and waits until it takes data.
func start(t *testing.T, config string, env map[string]string, args ...string) *collector {
	t.Helper()
	return startBinary(t, weirbin.Path(t), config, env, args...)
}

// startBinary does so with another binary than the usual one.
func startBinary(t *testing.T, binary, config string, env map[string]string, args ...string) *collector {
	t.Helper()
	c := &collector{t: t, exited: make(chan struct{}), printed: &output{}, api: freeAddress(t), http: freeAddress(t), grpc: freeAddress(t), metrics: freeAddress(t)}
	c.keys = projectKeys
	if config == "local.yaml" {
		c.keys = developmentKeys
	}
	_, metricsPort, err := net.SplitHostPort(c.metrics)
	require.NoError(t, err)
	// What comes last wins.
	args = append([]string{"--config=" + filepath.Join(weirbin.Root(t), "configs", config)}, args...)
	c.cmd = exec.CommandContext(t.Context(), binary, args...)
	c.cmd.Env = append(os.Environ(),
		"WEIR_ENDPOINT="+c.api,
		"WEIR_HTTP_ENDPOINT="+c.http,
		"WEIR_GRPC_ENDPOINT="+c.grpc,
		"WEIR_HEALTH_ENDPOINT="+freeAddress(t),
		"WEIR_METRICS_HOST=localhost",
		"WEIR_METRICS_PORT="+metricsPort,
		"LANGFUSE_PUBLIC_KEY="+projectKeys[0],
		"LANGFUSE_SECRET_KEY="+projectKeys[1],
	)
	for key, value := range env {
		c.cmd.Env = append(c.cmd.Env, key+"="+value)
	}
	c.cmd.Stdout, c.cmd.Stderr = c.printed, c.printed
	require.NoError(t, c.cmd.Start())
	go func() {
		_ = c.cmd.Wait()
		close(c.exited)
	}()
	t.Cleanup(func() {
		c.signal(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("%s printed:\n%s", config, c.printed)
		}
	})
	require.Eventually(t, func() bool { return strings.Contains(c.printed.String(), "Everything is ready.") },
		patience, 10*time.Millisecond, "start of %s", config)
	return c
}

// signal ends the process and waits for its end.
func (c *collector) signal(s syscall.Signal) {
	select {
	case <-c.exited:
		return
	default:
	}
	_ = c.cmd.Process.Signal(s)
	<-c.exited
}

// sendTraces posts OTLP to the otlp receiver, as any exporter does, and expects an acknowledgement.
func (c *collector) sendTraces(td ptrace.Traces) {
	c.t.Helper()
	body, err := ptraceotlp.NewExportRequestFromTraces(td).MarshalProto()
	require.NoError(c.t, err)
	c.post("/v1/traces", body)
}

func (c *collector) sendLogs(ld plog.Logs) {
	c.t.Helper()
	body, err := plogotlp.NewExportRequestFromLogs(ld).MarshalProto()
	require.NoError(c.t, err)
	c.post("/v1/logs", body)
}

func (c *collector) post(path string, body []byte) {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, "http://"+c.http+path, bytes.NewReader(body))
	require.NoError(c.t, err)
	req.Header.Set("Content-Type", "application/x-protobuf")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusOK, resp.StatusCode, "%s", answer)
}

// call asks the API, as a client library does.
func (c *collector) call(method, path, body string) (status int, answer string) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.api+path, strings.NewReader(body))
	require.NoError(c.t, err)
	request.SetBasicAuth(c.keys[0], c.keys[1])
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(c.t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	return response.StatusCode, string(text)
}

// metric reads the sum of a metric from the collector's own telemetry.
func (c *collector) metric(name string) float64 {
	c.t.Helper()
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, "http://"+c.metrics+"/metrics", http.NoBody)
	require.NoError(c.t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(c.t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	sum := 0.0
	for line := range strings.Lines(string(text)) {
		if labels, ok := strings.CutPrefix(line, name); ok && (labels[0] == '{' || labels[0] == ' ') {
			var value float64
			_, err := fmt.Sscan(labels[strings.LastIndexByte(strings.TrimSpace(labels), ' ')+1:], &value)
			require.NoError(c.t, err, line)
			sum += value
		}
	}
	return sum
}

// freeAddress is an address on which nobody listens now.
func freeAddress(t *testing.T) string {
	t.Helper()
	addresses, err := ports.Free(1)
	require.NoError(t, err)
	return addresses[0]
}
