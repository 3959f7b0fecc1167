// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// Every shipped configuration loads.
func TestConfigs(t *testing.T) {
	binary := weirbin.Path(t)
	files, err := filepath.Glob(filepath.Join(weirbin.Root(t), "configs", "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		if filepath.Base(file) == "compose.yaml" {
			continue // for another program; test/deploy has its test
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, validate(t, binary, string(text)))
		})
	}
}

// So does every example that a reader may copy out of the documentation, if need be with a service section put to it.
func TestDocumentation(t *testing.T) {
	binary := weirbin.Path(t)
	can := readAbilities(t, binary)
	for _, name := range walkFiles(t, ".md") {
		for _, block := range docBlocks(readFile(t, name)) {
			t.Run(fmt.Sprintf("%s:%d", name, block.line), func(t *testing.T) {
				t.Parallel()
				if block.noValidate {
					t.Skip("marked as not for the collector")
				}
				require.NoError(t, validateBlock(t, binary, can, block.text))
			})
		}
	}
}

func TestValidateRejects(t *testing.T) {
	binary := weirbin.Path(t)
	can := readAbilities(t, binary)
	for name, tc := range map[string]struct{ block, want string }{
		"unknown setting in a fragment":   {"exporters:\n  debug:\n    verbosityy: basic\n", "verbosityy"},
		"bad value in a fragment":         {"processors:\n  batch:\n    timeout: soon\n", "timeout"},
		"unknown component in a fragment": {"exporters:\n  nosuch:\n", "nosuch"},
		"bad extension":                   {"extensions:\n  zpages:\n    nosuch: 1\n", "nosuch"},
		"bad connector":                   {"connectors:\n  forward:\n    nosuch: 1\n", "nosuch"},
		"service without its parts":       {"exporters:\n  debug:\nservice:\n  pipelines:\n    traces:\n      receivers: [otlp]\n      exporters: [debug]\n", "no receiver"},
		"for another program":             {"apiVersion: v1\n", "apiVersion"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, validateBlock(t, binary, can, tc.block), tc.want)
		})
	}
	for name, block := range map[string]string{
		"fragment":              "receivers:\n  otlp:\n    protocols:\n      http:\n        endpoint: localhost:${env:PORT}\nprocessors:\n  batch:\n",
		"connectors":            "connectors:\n  forward:\n  span_metrics:\n",
		"extension":             "extensions:\n  file_storage:\n    directory: ${env:QUEUE_DIR}\n",
		"one that stands alone": "receivers:\n  otlp:\n    protocols:\n      grpc:\nexporters:\n  debug:\nservice:\n  pipelines:\n    traces:\n      receivers: [otlp]\n      exporters: [debug]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, validateBlock(t, binary, can, block))
		})
	}
}

func TestEnvironment(t *testing.T) {
	text := "a: ${env:SECRET_KEY} b: ${BASE_URL}:${env:PORT} c: ${env:OTHER:-default} d: ${file:x} e: $${env:ESCAPED} f: ${env:QUEUE_DIR}"
	assert.Equal(t, []string{"BASE_URL=http://127.0.0.1:4318", "PORT=4318", "QUEUE_DIR=/dir", "SECRET_KEY=test"}, environment(text, "/dir"))
}

// validateBlock checks a block of documentation.
func validateBlock(t *testing.T, binary string, can abilities, text string) error {
	t.Helper()
	part, whole, err := parseFragment(text)
	if err != nil {
		return err
	}
	if whole {
		return validate(t, binary, text)
	}
	rest, err := complete(part, can)
	if err != nil {
		return err
	}
	return validate(t, binary, text, rest)
}

// validate gives the configurations, which it merges in order, to the binary's own validate command.
func validate(t *testing.T, binary string, texts ...string) error {
	t.Helper()
	dir := t.TempDir()
	args := []string{"validate"}
	for i, text := range texts {
		file := filepath.Join(dir, fmt.Sprintf("%d.yaml", i))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		args = append(args, "--config="+file)
	}
	cmd := exec.CommandContext(t.Context(), binary, args...)
	// Neither the folder nor the environment of whoever runs the test may decide.
	cmd.Dir = dir
	cmd.Env = environment(strings.Join(texts, "\n"), dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// envReference finds ${env:NAME} and ${NAME}. One with a default, ${env:NAME:-x}, needs no value, and $${ is no reference.
var envReference = regexp.MustCompile(`(^|[^$])\$\{(?:env:)?([A-Za-z_]\w*)\}`)

// environment returns a value for each variable that the configuration needs, chosen by its name so that it is of a fitting form.
func environment(text, dir string) []string {
	var env []string
	for _, found := range envReference.FindAllStringSubmatch(text, -1) {
		name, value := found[2], "test"
		switch last := name[strings.LastIndex(name, "_")+1:]; last {
		case "ENDPOINT", "URL", "HOST":
			value = "http://127.0.0.1:4318"
		case "PORT":
			value = "4318"
		case "DIR", "DIRECTORY", "PATH":
			value = dir
		}
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return slices.Compact(env)
}
