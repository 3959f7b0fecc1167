// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// shapes are the configurations that are in the images.
var shapes = []string{"local.yaml", "sidecar.yaml", "gateway.yaml"}

// keys are what the configurations ask for.
var keys = []string{"LANGFUSE_PUBLIC_KEY=pk-lf-own", "LANGFUSE_SECRET_KEY=sk-lf-own", "WEIR_PUBLIC_KEY=pk-lf-own", "WEIR_SECRET_KEY=sk-lf-own"}

// read returns a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(weirbin.Root(t), name))
	require.NoError(t, err)
	return string(content)
}

// write puts a text into a file of its own.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

// lint runs one of the tools that `make deploy-tools` installs where Python is at hand, and returns what it finds.
func lint(t *testing.T, name string, args ...string) (found string, err error) {
	t.Helper()
	tool := filepath.Join(weirbin.Root(t), "test", "deploy", ".venv", "bin", name)
	if _, err := os.Stat(tool); err != nil {
		t.Skipf("%s is not there; `make deploy-tools` installs it where Python 3.10 is", name)
	}
	out, err := exec.CommandContext(t.Context(), tool, args...).CombinedOutput()
	return string(out), err
}

// validate gives the binary the arguments of a deployment, whose files are ours, and its environment.
func validate(t *testing.T, binary string, args, env []string) {
	t.Helper()
	args = append([]string{"validate"}, here(t, args)...)
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = env
	cmd.Dir = t.TempDir()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s: %s", strings.Join(args, " "), out)
}

// here replaces the folder of the images by that of the repository.
func here(t *testing.T, args []string) []string {
	t.Helper()
	var out []string
	for _, arg := range args {
		out = append(out, strings.Replace(arg, "--config=/etc/weir/", "--config="+filepath.Join(weirbin.Root(t), "configs")+"/", 1))
	}
	return out
}

// images are the two that the Dockerfile says to build, with what is in them.
func images(t *testing.T) map[string]string {
	t.Helper()
	version := regexp.MustCompile(`(?m)^ {2}version: (\S+)$`).FindStringSubmatch(read(t, "builder-config.yaml"))
	require.NotNil(t, version)
	return map[string]string{"weir:" + version[1]: weirbin.Path(t), "weir:" + version[1] + "-static": weirbin.Static(t)}
}

// binaryOf is what is in an image, by its name.
func binaryOf(t *testing.T, image string) string {
	t.Helper()
	require.Contains(t, images(t), image, "the Dockerfile says how to build these, of the version in builder-config.yaml")
	return images(t)[image]
}
