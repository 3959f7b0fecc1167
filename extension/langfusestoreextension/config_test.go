// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configtls"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"

	"github.com/weirhq/weir/extension/langfusestoreextension/internal/metadata"
)

func load(t *testing.T, name string) *Config {
	t.Helper()
	conf, err := confmaptest.LoadConf(filepath.Join("testdata", "config.yaml"))
	require.NoError(t, err)
	sub, err := conf.Sub(component.NewIDWithName(metadata.Type, name).String())
	require.NoError(t, err)
	cfg := createDefaultConfig()
	require.NoError(t, sub.Unmarshal(cfg))
	require.NoError(t, confmap.Validate(cfg))
	return cfg.(*Config)
}

func configWith(changes ...func(*Config)) *Config {
	cfg := createDefaultConfig().(*Config)
	for _, change := range changes {
		change(cfg)
	}
	return cfg
}

// at puts the store into a folder.
func at(path string) func(*Config) {
	return func(c *Config) { c.Embedded.GetOrInsertDefault().Path = path }
}

func TestDefaults(t *testing.T) {
	cfg := load(t, "")
	assert.Equal(t, createDefaultConfig(), cfg)
	assert.Equal(t, &EmbeddedConfig{Path: "./data", MemoryLimit: 512 << 20}, cfg.embedded())
	assert.False(t, cfg.Embedded.HasValue(), "looking at the section does not change the configuration")
	assert.Equal(t, QueryConfig{Timeout: 30 * time.Second}, cfg.Query)
	assert.Zero(t, cfg.Retention)
	assert.Zero(t, cfg.MaxSize)
	assert.False(t, cfg.Tokenize)
	assert.Equal(t, MediaConfig{MaxSize: 1 << 30, URLExpiry: time.Hour}, cfg.Media)
}

func TestConfigVariants(t *testing.T) {
	for name, want := range map[string]*Config{
		"large": configWith(func(c *Config) {
			c.Embedded = configoptional.Some(EmbeddedConfig{Path: "/var/lib/weir", MemoryLimit: 4 << 30, Threads: 8})
		}),
		"bytes": configWith(func(c *Config) {
			c.Embedded = configoptional.Some(EmbeddedConfig{Path: "./data", MemoryLimit: 256 << 20})
			c.MaxSize = 1_000_000_000
		}),
		"bounded": configWith(func(c *Config) {
			c.Retention = 720 * time.Hour
			c.MaxSize = 50_000_000_000
			c.Query.Timeout = 5 * time.Second
			c.Media = MediaConfig{MaxSize: 100 << 20, URLExpiry: 10 * time.Minute}
		}),
		"clickhouse": configWith(func(c *Config) {
			section := defaultClickHouse()
			section.Endpoints = []string{"clickhouse:9000"}
			c.ClickHouse = configoptional.Some(section)
		}),
		"cluster": configWith(func(c *Config) {
			c.ClickHouse = configoptional.Some(ClickHouseConfig{
				Endpoints: []string{"clickhouse-0:9440", "clickhouse-1:9440"}, Database: "traces", Username: "weir", Password: "secret",
				TLS:     configoptional.Some(configtls.ClientConfig{ServerName: "clickhouse.example.com"}),
				Cluster: "main", Replicated: true, DialTimeout: 2 * time.Second, MaxConnections: 32, MemoryLimit: 8 << 30,
			})
			c.Retention, c.Query.Timeout, c.Media.Path = 2160*time.Hour, time.Minute, "/mnt/weir/media"
		}),
		"models": configWith(func(c *Config) {
			c.Tokenize = true
			c.Models = []ModelConfig{
				{Name: "house-model", Prices: map[string]any{"input": 0.0000025, "output": 1e-5}},
				{
					Name: "house-model-large", Match: "(?i)^(house/)?house-model-large", Tokenizer: "o200k_base",
					Prices: map[string]any{"input": "0.000005", "output": 0},
					Tiers: []TierConfig{
						{
							Name: "Fast lane", Priority: 1, Conditions: "model_parameters.service_tier in fast|priority",
							Prices: map[string]any{"input": 0.00001, "output": 0.00003},
						},
						{
							Name: "Long prompt", Priority: 2, Conditions: "sum(usage ~ /input/) gt 200000",
							Prices: map[string]any{"input": 0.00002, "output": 0.00004},
						},
					},
				},
			}
		}),
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, want, load(t, name)) })
	}
}

func TestConfigErrorsNameTheSetting(t *testing.T) {
	embedded := func(change func(*EmbeddedConfig)) func(*Config) {
		return func(c *Config) { change(c.Embedded.GetOrInsertDefault()) }
	}
	remote := func(change func(*ClickHouseConfig)) func(*Config) {
		return func(c *Config) {
			section := defaultClickHouse()
			change(&section)
			c.ClickHouse = configoptional.Some(section)
		}
	}
	for want, change := range map[string]func(*Config){
		"embedded: `path` must name a folder":                                 embedded(func(c *EmbeddedConfig) { c.Path = "" }),
		"embedded: `memory_limit` must be at least 64MiB, found 1MiB":         embedded(func(c *EmbeddedConfig) { c.MemoryLimit = mib }),
		"embedded: `memory_limit` must be at least 64MiB, found -1":           embedded(func(c *EmbeddedConfig) { c.MemoryLimit = -1 }),
		"embedded: `threads` must be positive, or 0 for one a core, found -1": embedded(func(c *EmbeddedConfig) { c.Threads = -1 }),
		"`embedded` and `clickhouse` exclude each other: remove the one that is not meant": func(c *Config) {
			c.Embedded.GetOrInsertDefault()
			c.ClickHouse = configoptional.Some(defaultClickHouse())
		},
		"`embedded` must not be switched off without another engine: remove that, or add `clickhouse`": func(c *Config) {
			c.Embedded = configoptional.None[EmbeddedConfig]()
		},
		"clickhouse: `endpoints` must name at least one server, such as clickhouse:9000": remote(func(c *ClickHouseConfig) { c.Endpoints = nil }),
		"clickhouse: `endpoints` must be host:port of the native protocol, such as clickhouse:9000; \"tcp://a:9000\" has a scheme": remote(func(c *ClickHouseConfig) {
			c.Endpoints = []string{"b:9000", "tcp://a:9000"}
		}),
		"clickhouse: `endpoints` must be host:port of the native protocol, such as clickhouse:9000; \"a\" lacks a host or a port": remote(func(c *ClickHouseConfig) { c.Endpoints = []string{"a"} }),
		"clickhouse: `endpoints` must be host:port of the native protocol, such as clickhouse:9000; \"a:0\" has no port":          remote(func(c *ClickHouseConfig) { c.Endpoints = []string{"a:0"} }),
		"clickhouse: `database` must be made of letters, digits and underscores, found \"a-b\"":                                   remote(func(c *ClickHouseConfig) { c.Database = "a-b" }),
		"clickhouse: `username` must be set": remote(func(c *ClickHouseConfig) { c.Username = "" }),
		"clickhouse: `cluster` must be made of letters, digits and underscores, found \"{cluster}\"":                  remote(func(c *ClickHouseConfig) { c.Cluster = "{cluster}" }),
		"clickhouse: `replicated` needs a `cluster`: set it to one of `SELECT DISTINCT cluster FROM system.clusters`": remote(func(c *ClickHouseConfig) { c.Replicated = true }),
		"clickhouse: `dial_timeout` must be positive, found 0s":                                                       remote(func(c *ClickHouseConfig) { c.DialTimeout = 0 }),
		"clickhouse: `max_connections` must be at least 4, found 3":                                                   remote(func(c *ClickHouseConfig) { c.MaxConnections = 3 }),
		"clickhouse: `memory_limit` must be at least 64MiB, found 1MiB":                                               remote(func(c *ClickHouseConfig) { c.MemoryLimit = mib }),
		"`max_size` is for the embedded store: remove it, and bound the disks of ClickHouse there": func(c *Config) {
			c.ClickHouse, c.MaxSize = configoptional.Some(defaultClickHouse()), gib
		},
		"`query::timeout` must be at most 10m0s with `clickhouse`, found 11m0s": func(c *Config) {
			c.ClickHouse, c.Query.Timeout = configoptional.Some(defaultClickHouse()), 11*time.Minute
		},
		"`retention` must be at least 1h0m0s, or 0 to keep everything, found 30ns: a number needs a unit, such as 720h":     func(c *Config) { c.Retention = 30 },
		"`retention` must be at least 1h0m0s, or 0 to keep everything, found -24h0m0s: a number needs a unit, such as 720h": func(c *Config) { c.Retention = -24 * time.Hour },
		"`max_size` must be at least 16MiB, or 0 for no limit, found 1KB":                                                   func(c *Config) { c.MaxSize = 1000 },
		"`max_size` must be at least 16MiB, or 0 for no limit, found -1":                                                    func(c *Config) { c.MaxSize = -1 },
		"query: `timeout` must be positive, found 0s":                                                                       func(c *Config) { c.Query.Timeout = 0 },
		"`models`: model \"m\": `match`: error parsing regexp: missing closing ): `(`":                                      func(c *Config) { c.Models = []ModelConfig{{Name: "m", Match: "(", Prices: map[string]any{"input": 1}}} },
		"`models`: model \"m\": tier 1: `prices.input`: \"cheap\" is no amount":                                             func(c *Config) { c.Models = []ModelConfig{{Name: "m", Prices: map[string]any{"input": "cheap"}}} },
		"media: `max_size` must be positive, found 0":                                                                       func(c *Config) { c.Media.MaxSize = 0 },
		"media: `url_expiry` must be at least 1m0s, found 60ns: a number needs a unit, such as 1h":                          func(c *Config) { c.Media.URLExpiry = 60 },
	} {
		assert.EqualError(t, confmap.Validate(configWith(change)), want)
	}
	assert.EqualError(t, confmap.Validate(configWith(func(c *Config) {
		c.Retention, c.MaxSize = 1, 1
		c.Query.Timeout = -1
	})), "`retention` must be at least 1h0m0s, or 0 to keep everything, found 1ns: a number needs a unit, such as 720h\n"+
		"`max_size` must be at least 16MiB, or 0 for no limit, found 1\n"+
		"query: `timeout` must be positive, found -1ns")
}

// What is refused as a whole may say anything below it.
func TestRefusedSections(t *testing.T) {
	for want, conf := range map[string]map[string]any{
		"exclude each other":       {"clickhouse": map[string]any{}, "embedded": map[string]any{}},
		"must not be switched off": {"embedded": map[string]any{"enabled": false}},
	} {
		cfg := createDefaultConfig()
		require.NoError(t, confmap.NewFromStringMap(conf).Unmarshal(cfg))
		assert.ErrorContains(t, confmap.Validate(cfg), want)
	}
}

func TestWrongTypesNameTheSetting(t *testing.T) {
	for want, conf := range map[string]map[string]any{
		"retention":    {"retention": "a month"},
		"max_size":     {"max_size": "much"},
		"memory_limit": {"embedded": map[string]any{"memory_limit": "1 elephant"}},
		"pth":          {"embedded": map[string]any{"pth": "x"}},
		"endpoint":     {"clickhouse": map[string]any{"endpoint": "x"}},
		"pirces":       {"models": []any{map[string]any{"pirces": nil}}},
	} {
		assert.ErrorContains(t, confmap.NewFromStringMap(conf).Unmarshal(createDefaultConfig()), want)
	}
}

// Which engine is meant, also in what the collector prints of a configuration.
func TestWhichEngine(t *testing.T) {
	for name, tc := range map[string]struct {
		conf map[string]any
		want bool // ClickHouse
	}{
		"nothing":             {map[string]any{}, false},
		"embedded":            {map[string]any{"embedded": nil}, false},
		"clickhouse":          {map[string]any{"clickhouse": nil}, true},
		"clickhouse, empty":   {map[string]any{"clickhouse": map[string]any{}}, true},
		"printed, embedded":   {map[string]any{"clickhouse": nil, "embedded": map[string]any{"path": "x"}}, false},
		"printed, clickhouse": {map[string]any{"clickhouse": map[string]any{"database": "x"}, "embedded": nil}, true},
		"printed, neither":    {map[string]any{"clickhouse": nil, "embedded": nil}, false},
	} {
		cfg := createDefaultConfig().(*Config)
		require.NoError(t, confmap.NewFromStringMap(tc.conf).Unmarshal(cfg), name)
		require.NoError(t, confmap.Validate(cfg), name)
		assert.Equal(t, tc.want, cfg.ClickHouse.HasValue(), name)
		if tc.want {
			assert.Equal(t, []string{"localhost:9000"}, cfg.ClickHouse.Get().Endpoints, name)
		}
	}
}

func TestMediaPath(t *testing.T) {
	assert.Equal(t, filepath.Join("data", "media"), configWith().mediaPath())
	assert.Equal(t, "/m", configWith(func(c *Config) { c.Media.Path = "/m" }).mediaPath())
	assert.Empty(t, load(t, "clickhouse").mediaPath(), "none are taken")
	assert.Equal(t, "/mnt/weir/media", load(t, "cluster").mediaPath())
}
