// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// What the README shows to newcomers is what the suites run.
func TestSnippets(t *testing.T) {
	root := weirbin.Root(t)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	for file, language := range map[string]string{
		"test/python/first_trace.py": "python", "test/python/example.py": "python",
		"test/js/first-trace.js": "js", "test/js/example.spec.js": "js",
	} {
		snippet, err := os.ReadFile(filepath.Join(root, file))
		require.NoError(t, err)
		assert.Contains(t, string(readme), "```"+language+"\n"+strings.TrimSpace(string(snippet))+"\n```", "%s is not in the README as it is", file)
	}
}
