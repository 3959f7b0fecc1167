// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// TestREADMENamesTheVersions keeps the table of the README at the versions that are tried.
func TestREADMENamesTheVersions(t *testing.T) {
	root := weirbin.Root(t)
	read := func(name ...string) []byte {
		content, err := os.ReadFile(filepath.Join(append([]string{root}, name...)...))
		require.NoError(t, err)
		return content
	}
	readme := string(read("README.md"))

	var manifest struct {
		Dependencies map[string]string `json:"dependencies"`
	}
	require.NoError(t, json.Unmarshal(read("test", "js", "package.json"), &manifest))
	for _, name := range []string{"@langfuse/client", "@langfuse/otel", "@langfuse/tracing"} {
		assert.Contains(t, readme, "`client` | "+manifest.Dependencies[name]+" |", name)
	}
	assert.Contains(t, readme, "`@opentelemetry/exporter-trace-otlp-proto` | "+manifest.Dependencies["@opentelemetry/exporter-trace-otlp-proto"]+" |")

	assert.Contains(t, readme, "`langfuse`, its `LangfuseWeb` | "+manifest.Dependencies["langfuse"]+" |")

	pinned := func(file, name string) string {
		found := regexp.MustCompile(`(?m)^` + name + `==(\S+)$`).FindSubmatch(read("test", "python", file))
		require.NotNil(t, found, "%s pins no %s", file, name)
		return string(found[1])
	}
	assert.Contains(t, readme, "| "+pinned("requirements-4.txt", "langfuse")+", "+pinned("requirements-5.txt", "langfuse")+" |")
	assert.Contains(t, readme, "| "+pinned("requirements.txt", "openinference-instrumentation-openai")+" |")
}
