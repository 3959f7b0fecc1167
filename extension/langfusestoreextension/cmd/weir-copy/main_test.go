// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	o, err := parse([]string{"--config=c.yaml", "--from=d", "--store=langfuse_store/x", "--without-media"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, options{config: "c.yaml", from: "d", store: "langfuse_store/x", withoutMedia: true}, o)
	o, err = parse([]string{"--config=c.yaml"}, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, options{config: "c.yaml", from: "./data", store: "langfuse_store"}, o)
	for _, bad := range [][]string{{}, {"--config=c.yaml", "more"}, {"--nosuch"}} {
		_, err := parse(bad, io.Discard)
		assert.Error(t, err, "%v", bad)
	}
	require.NoError(t, run(t.Context(), []string{"--help"}, io.Discard))
}

func TestReadConfig(t *testing.T) {
	t.Setenv("COPY_TEST_ENDPOINTS", "a:9000,b:9000")
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "config.yaml")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	cfg, err := readConfig(t.Context(), write("extensions: {langfuse_store: {clickhouse: {endpoints: \"${env:COPY_TEST_ENDPOINTS}\", password: p}, media: {path: /m}}}"), "langfuse_store")
	require.NoError(t, err)
	settings, err := cfg.ClickHouseSettings(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"a:9000", "b:9000"}, settings.Endpoints)
	assert.Equal(t, "p", settings.Password)
	assert.Equal(t, "/m", cfg.Media.Path)
	for want, text := range map[string]string{
		"has no extension langfuse_store: set `--store`":  "extensions: {}",
		"extensions::langfuse_store has no `clickhouse`:": "extensions: {langfuse_store: {}}",
		"`database` must be made of":                      "extensions: {langfuse_store: {clickhouse: {database: a-b}}}",
		"has invalid keys: databse":                       "extensions: {langfuse_store: {clickhouse: {databse: x}}}",
	} {
		_, err := readConfig(t.Context(), write(text), "langfuse_store")
		assert.ErrorContains(t, err, want)
	}
	_, err = readConfig(t.Context(), "file:/nowhere.yaml", "langfuse_store")
	assert.ErrorContains(t, err, "nowhere.yaml")
}

func TestMediaAreNotLeftBehindUnsaid(t *testing.T) {
	from := t.TempDir()
	require.NoError(t, media{from: from}.check(false), "there are none")
	require.NoError(t, media{from: filepath.Join(from, "nowhere")}.check(false))
	require.NoError(t, os.WriteFile(filepath.Join(from, "aBcdefghijklmnopqrst_-"), []byte("x"), 0o600))
	require.ErrorContains(t, media{from: from}.check(false), "set `media::path`")
	require.NoError(t, media{from: from}.check(true))
	require.NoError(t, media{from: from, to: "x"}.check(false))
}
