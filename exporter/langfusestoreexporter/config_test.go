// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"

	"github.com/weirhq/weir/exporter/langfusestoreexporter/internal/metadata"
)

func configWith(changes ...func(*Config)) *Config {
	cfg := createDefaultConfig().(*Config)
	for _, change := range changes {
		change(cfg)
	}
	return cfg
}

func TestDefaults(t *testing.T) {
	cfg := configWith()
	assert.Equal(t, "langfuse_store", cfg.Store.String())
	assert.Equal(t, "default", cfg.Project)
	assert.Equal(t, "langfuse", cfg.Service)
	assert.Equal(t, 30*time.Second, cfg.Timeout)
	assert.False(t, cfg.QueueConfig.HasValue())
	assert.False(t, cfg.RetryConfig.Enabled)
}

func TestConfigVariants(t *testing.T) {
	conf, err := confmaptest.LoadConf(filepath.Join("testdata", "config.yaml"))
	require.NoError(t, err)
	for name, want := range map[string]*Config{
		"": configWith(),
		"other": configWith(func(c *Config) {
			c.Store = component.MustNewIDWithName("langfuse_store", "archive")
			c.Project = "archive"
			c.Service = "acme"
			c.Timeout = 5 * time.Second
		}),
		"queued": configWith(func(c *Config) {
			c.QueueConfig.GetOrInsertDefault().QueueSize = 5000
			c.RetryConfig.Enabled = true
			c.RetryConfig.MaxElapsedTime = 0
		}),
		"patient": configWith(func(c *Config) { c.Timeout = 0 }),
	} {
		t.Run(name, func(t *testing.T) {
			sub, err := conf.Sub(component.NewIDWithName(metadata.Type, name).String())
			require.NoError(t, err)
			cfg := createDefaultConfig()
			require.NoError(t, sub.Unmarshal(cfg))
			require.NoError(t, confmap.Validate(cfg))
			assert.Equal(t, want, cfg)
		})
	}
}

func TestConfigErrorsNameTheSetting(t *testing.T) {
	const noProject = "`project` must name the project of data that no receiver gave to another one"
	for want, change := range map[string]func(*Config){
		noProject: func(c *Config) { c.Project = "" },
		"`service` must be a lower-case name of letters, digits, - and _, found \"X\"":              func(c *Config) { c.Service = "X" },
		"`timeout` must be positive, or 0 for no limit, found -1ns":                                 func(c *Config) { c.Timeout = -1 },
		"`service` must be a lower-case name of letters, digits, - and _, found \"\"\n" + noProject: func(c *Config) { c.Service, c.Project = "", "" },
	} {
		assert.EqualError(t, confmap.Validate(configWith(change)), want)
	}
}

func TestWrongTypesNameTheSetting(t *testing.T) {
	for want, conf := range map[string]map[string]any{
		"'store'":   {"store": ""},
		"'timeout'": {"timeout": "soon"},
		"projcet":   {"projcet": "x"},
	} {
		assert.ErrorContains(t, confmap.NewFromStringMap(conf).Unmarshal(createDefaultConfig()), want)
	}
}
