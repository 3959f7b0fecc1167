// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// A bad setting stops the start with a sentence that names it.
func TestBadSettingsStopTheStart(t *testing.T) {
	const good = `
receivers: {otlp: {protocols: {http: {endpoint: "localhost:0"}}}}
processors: {langfuse: {}}
exporters:
  langfuse:
    endpoint: https://cloud.langfuse.com
    public_key: pk
    secret_key: sk
service: {pipelines: {traces: {receivers: [otlp], processors: [langfuse], exporters: [langfuse]}}}
`
	require.Empty(t, validate(t, good))
	for change, want := range map[string]string{
		"    public_key: pk\n=>":                                   "exporters::langfuse: `public_key` must be set",
		"    secret_key: sk\n=>":                                   "exporters::langfuse: `secret_key` must be set",
		"https://cloud.langfuse.com=>cloud.langfuse.com":           "exporters::langfuse: `endpoint` must be an http or https address",
		"    public_key=>    compression: zstd\n    public_key":    "exporters::langfuse: `compression` must be gzip or none, found \"zstd\"",
		"    public_key=>    ingestion_version: 5\n    public_key": "exporters::langfuse: `ingestion_version` must be 1 to 4, or 0 to send none, found 5",
		"    public_key=>    encoding: xml\n    public_key":        "exporters::langfuse: `encoding` must be proto or json, found \"xml\"",
		"{langfuse: {}}=>{langfuse: {metadata: {encoding: xml}}}":  "processors::langfuse::metadata: `encoding` must be json or plain, found \"xml\"",
	} {
		old, replacement, _ := strings.Cut(change, "=>")
		bad := strings.Replace(good, old, replacement, 1)
		require.NotEqual(t, good, bad)
		assert.Contains(t, validate(t, bad), want)
	}
	// Not only `validate`: the start itself stops.
	out, err := exec.CommandContext(t.Context(), weirbin.Path(t), "--config=yaml:"+strings.Replace(good, "secret_key: sk", "", 1)).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "exporters::langfuse: `secret_key` must be set: it is in the project settings of the service")

	assert.Empty(t, validate(t, strings.Replace(good, "    public_key", "    compression: GZIP\n    public_key", 1)))
}

// validate gives what the binary says to a configuration; nothing for a good one.
func validate(t *testing.T, config string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), weirbin.Path(t), "validate", "--config=yaml:"+config).CombinedOutput()
	assert.Equal(t, err == nil, len(out) == 0, "%s", out)
	return string(out)
}
