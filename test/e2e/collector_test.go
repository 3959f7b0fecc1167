// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/plog"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/weirhq/weir/test/internal/weirbin"
	"github.com/weirhq/weir/test/internal/weirproc"
)

// patience is how long a condition may take on a slow machine; a passing test waits only as long as it needs to.
const patience = 60 * time.Second

// collector is a running Weir.
type collector struct {
	*weirproc.Process
	t *testing.T
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
	addresses, err := weirproc.NewAddresses()
	require.NoError(t, err)
	all := map[string]string{
		// Where applications send, of which Weir must not think that it is the service.
		"LANGFUSE_BASE_URL": "http://" + addresses.API, "LANGFUSE_PUBLIC_KEY": projectKeys[0], "LANGFUSE_SECRET_KEY": projectKeys[1],
	}
	maps.Copy(all, env)
	process, err := weirproc.Start(t.Context(), weirproc.Settings{
		Binary: binary, Config: weirproc.Shipped(weirbin.Root(t), config), Args: args, Env: all, Addresses: addresses,
	})
	require.NoError(t, err, "start of %s", config)
	c := &collector{Process: process, t: t, keys: projectKeys}
	if config == "local.yaml" {
		c.keys = developmentKeys
	}
	t.Cleanup(func() {
		process.Signal(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("%s printed:\n%s", config, process.Printed)
		}
	})
	return c
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
	req, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, "http://"+c.OTLP+path, bytes.NewReader(body))
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
	request, err := http.NewRequestWithContext(c.t.Context(), method, "http://"+c.API+path, strings.NewReader(body))
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
	sum, err := c.Metric(c.t.Context(), name)
	require.NoError(c.t, err)
	return sum
}
