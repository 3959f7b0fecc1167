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
	"go.yaml.in/yaml/v3"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// compose reads a compose file as Docker does: schema, variables, names that must exist.
func compose(t *testing.T, file string) ([]byte, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "tool", "-modfile=tools.mod", "github.com/compose-spec/compose-go/v2/cmd", file)
	cmd.Dir = weirbin.Root(t)
	return cmd.CombinedOutput()
}

// required finds a variable without which there is no start. The tool takes none from the environment, only defaults.
var required = regexp.MustCompile(`\$\{(\w+):\?([^}]*)\}`)

func TestCompose(t *testing.T) {
	file := filepath.Join(weirbin.Root(t), "configs", "compose.yaml")
	out, err := compose(t, file)
	require.Error(t, err, "without keys")
	for _, want := range []string{
		"required variable LANGFUSE_PUBLIC_KEY is missing a value: set it to the public key that your applications use",
		"required variable LANGFUSE_SECRET_KEY is missing a value: set it to the secret key that your applications use",
	} {
		assert.Contains(t, string(out), want)
	}

	filled := required.ReplaceAllString(read(t, "configs/compose.yaml"), "${$1:-own-$1}")
	out, err = compose(t, write(t, "compose.yaml", filled))
	require.NoError(t, err, "%s", out)
	var model struct {
		Services map[string]struct {
			Image       string
			Build       struct{ Target string }
			Command     []string
			Environment map[string]string
			Volumes     []struct{ Source, Target string }
			Ports       []struct {
				HostIP    string `yaml:"host_ip"`
				Published string
				Target    int
			}
			ReadOnly bool `yaml:"read_only"`
		}
	}
	require.NoError(t, yaml.Unmarshal(out, &model))
	require.Len(t, model.Services, 2)
	for name, service := range model.Services {
		stage := stages(t)[service.Build.Target]
		binary := binaryOf(t, service.Image)
		assert.Equal(t, stage.name == "static", binary == weirbin.Static(t), name)
		assert.True(t, service.ReadOnly, name)
		require.Len(t, service.Volumes, 1)
		assert.Equal(t, "/data", service.Volumes[0].Target, name)
		for _, port := range service.Ports {
			assert.Equal(t, "127.0.0.1", port.HostIP, "%s: %d", name, port.Target)
		}
		args := service.Command
		if args == nil {
			args = stage.command
		}
		env := stage.env
		for key, value := range service.Environment {
			env = append(env, key+"="+value)
		}
		validate(t, binary, args, env)
	}
	typo := strings.ReplaceAll(filled, "read_only", "readonly")
	out, err = compose(t, write(t, "typo.yaml", typo))
	require.Error(t, err)
	assert.Contains(t, string(out), "readonly")
}
