// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package e2e

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// lastWords runs local.yaml to an early end and returns the line with which it ends.
func lastWords(t *testing.T, binary string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, "--config="+filepath.Join(weirbin.Root(t), "configs", "local.yaml"))
	cmd.Env = append(append(os.Environ(), "WEIR_GRPC_ENDPOINT=localhost:0", "WEIR_HTTP_ENDPOINT=localhost:0"), env...)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	assert.NotContains(t, string(out), ".go:", "where in the code it was is of no use to who starts it")
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// What a newcomer meets first is a Weir that runs already. Each thing that the two cannot share is named in one sentence.
func TestSecondOnTheSameMachine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": dir})
	_, metricsPort, err := net.SplitHostPort(first.metrics)
	require.NoError(t, err)

	assert.Contains(t, lastWords(t, weirbin.Path(t), "WEIR_METRICS_PORT="+metricsPort, "WEIR_ENDPOINT="+first.api, "WEIR_DATA_DIR="+dir),
		"binding address localhost:"+metricsPort+" for Prometheus exporter")
	assert.Equal(t, "Error: failed to start extensions: another process has the store "+filepath.Join(dir, "weir.duckdb")+
		" open: stop it, or give this one another `path`",
		lastWords(t, weirbin.Path(t), "WEIR_METRICS_PORT=0", "WEIR_ENDPOINT="+first.api, "WEIR_DATA_DIR="+dir))
	words := lastWords(t, weirbin.Path(t), "WEIR_METRICS_PORT=0", "WEIR_ENDPOINT="+first.api, "WEIR_DATA_DIR="+t.TempDir())
	assert.Contains(t, words, "failed to listen at `endpoint` "+first.api)
	assert.Contains(t, words, "end the program that listens there, or set another `endpoint`")
}

func TestLocalWithoutTheStore(t *testing.T) {
	t.Parallel()
	assert.Contains(t, lastWords(t, weirbin.Static(t), "WEIR_METRICS_PORT=0", "WEIR_ENDPOINT=localhost:0", "WEIR_DATA_DIR="+t.TempDir()),
		"this build has no embedded store, because it was made without cgo")
}

// The first lines say all that is needed to use it.
func TestGreeting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": dir})
	for _, want := range []string{
		"The API listens at http://" + c.api + "; /api/docs there describes it.",
		`Project "default" has the public keys pk-lf-weir-development.`,
		`"path": "` + dir + `"`,
	} {
		assert.Contains(t, c.printed.String(), want)
	}
	assert.NotContains(t, c.printed.String(), "sk-lf-weir-development")
	assert.NotContains(t, c.printed.String(), "service.instance.id")
}

// Keys that the service refuses are told of at start, and data waits for better ones.
func TestWrongKeys(t *testing.T) {
	t.Parallel()
	far := newService(t)
	far.refuse = true
	far.listen()
	c := start(t, "sidecar.yaml", map[string]string{"WEIR_DATA_DIR": t.TempDir(), "LANGFUSE_BASE_URL": "http://" + far.address})
	const told = "check `public_key` and `secret_key`, and that `endpoint` is the region or installation in which the project lives; " +
		"everything is kept and sent again until then"
	require.Eventually(t, func() bool { return strings.Contains(c.printed.String(), told) }, patience, 10*time.Millisecond)
	c.sendTraces(batch(0, 1))
	far.mu.Lock()
	far.refuse = false
	far.mu.Unlock()
	require.Eventually(t, func() bool { return far.arrived() == 1 }, patience, 10*time.Millisecond)
}
