// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package weirbin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLocate(t *testing.T) {
	root := t.TempDir()
	built := filepath.Join(root, "_build", "weir")
	require.NoError(t, os.Mkdir(filepath.Dir(built), 0o755))
	other := filepath.Join(t.TempDir(), "other")
	require.NoError(t, os.WriteFile(other, nil, 0o755))

	_, err := locate(root, env(nil))
	require.ErrorContains(t, err, "make build")

	require.NoError(t, os.WriteFile(built, nil, 0o755))
	path, err := locate(root, env(nil))
	require.NoError(t, err)
	assert.Equal(t, built, path)

	path, err = locate(root, env(map[string]string{binaryEnv: other}))
	require.NoError(t, err)
	assert.Equal(t, other, path, "the environment wins over _build")

	_, err = locate(root, env(map[string]string{binaryEnv: other + "-missing"}))
	require.ErrorContains(t, err, "other-missing", "a wrong setting must not fall back to _build")

	_, err = locate(root, env(map[string]string{binaryEnv: root}))
	require.ErrorContains(t, err, "is not a file")
}

func TestRequired(t *testing.T) {
	assert.False(t, required(env(nil)))
	assert.False(t, required(env(map[string]string{requireEnv: "0", "CI": "false"})))
	assert.True(t, required(env(map[string]string{requireEnv: "1"})))
	assert.True(t, required(env(map[string]string{"CI": "true"})))
}

func TestRoot(t *testing.T) {
	assert.FileExists(t, filepath.Join(Root(t), "builder-config.yaml"))
}

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}
