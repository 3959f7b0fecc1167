// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package deploy

import (
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// The oldest version that has all that the manifests use, and the newest that the linter knows, which is its default.
const oldestKubernetes = "1.29"

func TestManifests(t *testing.T) {
	manifests, err := filepath.Glob(filepath.Join(weirbin.Root(t), "configs", "kubernetes", "*.yaml"))
	require.NoError(t, err)
	require.Len(t, manifests, 2)
	for _, manifest := range manifests {
		for _, version := range [][]string{nil, {"--kubernetes-version=" + oldestKubernetes}} {
			found, err := lint(t, "kubernetes-validate", append(append([]string{"--strict"}, version...), manifest)...)
			require.NoError(t, err, found)
			assert.Contains(t, found, "passed for resource")
		}
	}
	typo := strings.Replace(read(t, "configs/kubernetes/sidecar.yaml"), "startupProbe:", "startProbe:", 1)
	found, err := lint(t, "kubernetes-validate", "--strict", write(t, "typo.yaml", typo))
	require.Error(t, err)
	assert.Contains(t, found, "startProbe")
}

// object is what these tests read of any object of Kubernetes.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Replicas int
		Template struct{ Spec pod }
	}
}

type pod struct {
	InitContainers  []container `yaml:"initContainers"`
	Containers      []container
	SecurityContext struct {
		RunAsNonRoot bool `yaml:"runAsNonRoot"`
		RunAsUser    int  `yaml:"runAsUser"`
	} `yaml:"securityContext"`
}

type container struct {
	Name, Image   string
	RestartPolicy string `yaml:"restartPolicy"`
	Args          []string
	Env           []struct{ Name, Value string }
	EnvFrom       []struct {
		SecretRef struct{ Name string } `yaml:"secretRef"`
	} `yaml:"envFrom"`
	SecurityContext struct {
		ReadOnlyRootFilesystem bool `yaml:"readOnlyRootFilesystem"`
	} `yaml:"securityContext"`
	VolumeMounts []struct {
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

func objects(t *testing.T, name string) map[string]object {
	t.Helper()
	found := map[string]object{}
	decoder := yaml.NewDecoder(strings.NewReader(read(t, name)))
	for {
		var o object
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return found
		}
		require.NoError(t, err)
		found[o.Kind] = o
	}
}

// environment is what a container gets, the keys of its secret included.
func (c container) environment() []string {
	var env []string
	if len(c.EnvFrom) == 1 && c.EnvFrom[0].SecretRef.Name == "weir" {
		env = append(env, keys[:2]...)
	}
	for _, variable := range c.Env {
		env = append(env, variable.Name+"="+variable.Value)
	}
	return append(env, "WEIR_DATA_DIR=/data/weir")
}

func (c container) requireHardened(t *testing.T, p pod) {
	t.Helper()
	assert.True(t, p.SecurityContext.RunAsNonRoot)
	assert.Equal(t, 65532, p.SecurityContext.RunAsUser, "the user of the image")
	assert.True(t, c.SecurityContext.ReadOnlyRootFilesystem)
	assert.Equal(t, "/data", c.VolumeMounts[0].MountPath, "the only place to write")
}

func TestGatewayManifest(t *testing.T) {
	all := objects(t, "configs/kubernetes/gateway.yaml")
	p := all["StatefulSet"].Spec.Template.Spec
	require.Len(t, p.Containers, 1)
	weir := p.Containers[0]
	weir.requireHardened(t, p)
	assert.Contains(t, all, "PodDisruptionBudget")
	assert.Greater(t, all["StatefulSet"].Spec.Replicas, 1)

	const mounted = "--config=/etc/weir/changes/changes.yaml"
	require.Equal(t, []string{"--config=/etc/weir/gateway.yaml", mounted}, weir.Args)
	assert.Equal(t, "/etc/weir/changes", weir.VolumeMounts[1].MountPath)
	changes := write(t, "changes.yaml", all["ConfigMap"].Data["changes.yaml"])
	validate(t, binaryOf(t, weir.Image), []string{weir.Args[0], "--config=" + changes}, weir.environment())
}

func TestSidecarManifest(t *testing.T) {
	p := objects(t, "configs/kubernetes/sidecar.yaml")["Deployment"].Spec.Template.Spec
	require.Len(t, p.InitContainers, 1)
	weir := p.InitContainers[0]
	weir.requireHardened(t, p)
	assert.Equal(t, "Always", weir.RestartPolicy, "otherwise the application waits for its end")
	assert.Equal(t, []string{"--config=/etc/weir/sidecar.yaml"}, weir.Args)
	validate(t, binaryOf(t, weir.Image), weir.Args, weir.environment())
}
