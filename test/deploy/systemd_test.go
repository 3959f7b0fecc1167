// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// maxExposure is what `systemd-analyze security` may find at most, of 100. Without any of the hardening it is 96.
const maxExposure = "15"

func unit(t *testing.T) string {
	t.Helper()
	return read(t, "configs/weir.service")
}

// settings are the values of a unit under a name.
func settings(text, name string) []string {
	var values []string
	for _, found := range regexp.MustCompile(`(?m)^`+name+`=(.*)$`).FindAllStringSubmatch(text, -1) {
		values = append(values, found[1])
	}
	return values
}

// The linter also has advice on security, some of it wrong (it takes a mask of 0077 for open to the world). On that we ask
// systemd itself, below.
func unitProblems(t *testing.T, file string) []string {
	t.Helper()
	found, _ := lint(t, "systemdlint", "--norootfs", file)
	var problems []string
	for line := range strings.Lines(found) {
		if !strings.Contains(line, "[Security.") {
			problems = append(problems, line)
		}
	}
	return problems
}

func TestUnit(t *testing.T) {
	assert.Empty(t, unitProblems(t, filepath.Join(weirbin.Root(t), "configs", "weir.service")))
	typo := strings.Replace(unit(t), "ProtectHome=", "ProtectHom=", 1)
	problems := unitProblems(t, write(t, "weir.service", typo))
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], "ProtectHom is not supported in section Service")
}

func TestUnitWithSystemd(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd-analyze on this machine")
	}
	// It looks whether the programs are there.
	file := write(t, "weir.service", strings.ReplaceAll(unit(t), "/usr/local/bin/weir", weirbin.Path(t)))
	for _, args := range [][]string{{"verify", file}, {"security", "--offline=true", "--threshold=" + maxExposure, file}} {
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		if args[0] == "verify" {
			assert.NotContains(t, string(out), "weir.service:", "a line that it passes over")
		}
	}
}

// What it starts loads, whichever of the configurations is put there.
func TestUnitStarts(t *testing.T) {
	text := unit(t)
	assert.Equal(t, []string{"yes"}, settings(text, "DynamicUser"))
	assert.Equal(t, []string{"weir"}, settings(text, "StateDirectory"))
	assert.Equal(t, []string{"WEIR_DATA_DIR=%S/weir"}, settings(text, "Environment"))
	command := settings(text, "ExecStart")
	require.Equal(t, []string{"/usr/local/bin/weir --config=/etc/weir/weir.yaml"}, command)
	for _, shape := range shapes {
		assert.Contains(t, text, shape, "the lines on how to install it")
		args := []string{strings.Replace(strings.Fields(command[0])[1], "weir.yaml", shape, 1)}
		validate(t, weirbin.Path(t), args, append([]string{"WEIR_DATA_DIR=/var/lib/weir"}, keys...))
	}
}
