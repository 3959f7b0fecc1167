// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// commandsBelow are the shell blocks below a heading of the README.
func commandsBelow(t *testing.T, heading string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(weirbin.Root(t), "README.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), "\n## "+heading+"\n")
	require.True(t, ok, "the README has no section %q", heading)
	section, _, _ = strings.Cut(section, "\n## ")
	var commands []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		commands = append(commands, block[1])
	}
	return commands
}

// The first thing that a newcomer does, word for word, apart from the port.
func TestFirstTrace(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("there is no curl")
	}
	c := start(t, "local.yaml", map[string]string{"WEIR_DATA_DIR": filepath.Join(t.TempDir(), "data")})
	commands := commandsBelow(t, "A first trace")
	require.Len(t, commands, 2)
	var answers []string
	for _, command := range commands {
		command = strings.ReplaceAll(command, "localhost:3000", c.API)
		answer, err := exec.CommandContext(t.Context(), "sh", "-c", command).Output()
		require.NoError(t, err, command)
		answers = append(answers, strings.TrimSpace(string(answer)))
	}
	assert.Equal(t, "{}", answers[0])
	var page struct {
		Data []struct {
			TraceID, Name, Type string
			TotalCost           float64
			Metadata            map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(answers[1]), &page), answers[1])
	require.Len(t, page.Data, 1)
	row := page.Data[0]
	assert.Equal(t, "0af7651916cd43dd8448eb211c80319c", row.TraceID)
	assert.Equal(t, "chat", row.Name)
	assert.Equal(t, "GENERATION", row.Type)
	assert.InDelta(t, 0.0045, row.TotalCost, 1e-12)
	assert.Equal(t, "acme", row.Metadata["tenant"])
}
