// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/configauth"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"
	"go.opentelemetry.io/collector/exporter/exporterhelper"

	"github.com/weirhq/weir/exporter/langfuseexporter/internal/metadata"
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

func expected(change func(*Config)) *Config {
	cfg := createDefaultConfig().(*Config)
	cfg.ClientConfig.Endpoint = "https://cloud.langfuse.com"
	cfg.PublicKey = "pk-lf-1"
	cfg.SecretKey = "sk-lf-1"
	cfg.RetryConfig.MaxElapsedTime = 0
	change(cfg)
	return cfg
}

func TestConfigVariants(t *testing.T) {
	storage := component.MustNewID("file_storage")
	for name, want := range map[string]*Config{
		"": expected(func(*Config) {}),
		"persistent": expected(func(c *Config) {
			c.QueueConfig.Get().StorageID = &storage
		}),
		"gives_up": expected(func(c *Config) {
			c.RetryConfig.MaxElapsedTime = 10 * time.Minute
		}),
		"no_queue": expected(func(c *Config) {
			c.QueueConfig = configoptional.None[exporterhelper.QueueBatchConfig]()
			c.RetryConfig.MaxElapsedTime = 5 * time.Minute
		}),
		"switched": expected(func(c *Config) {
			c.ClientConfig.Compression = "none"
			c.Encoding = EncodingJSON
			c.IngestionVersion = 0
			c.Verify = true
			c.Service = "acme"
		}),
		"other_case": expected(func(*Config) {}),
		"authenticator": expected(func(c *Config) {
			c.PublicKey, c.SecretKey = "", ""
			c.ClientConfig.Auth = configoptional.Some(configauth.Config{AuthenticatorID: component.MustNewID("oauth2client")})
		}),
		"tuned": expected(func(c *Config) {
			c.ClientConfig.Timeout = 10 * time.Second
			c.ClientConfig.ProxyURL = "http://proxy:3128"
			queue := c.QueueConfig.Get()
			queue.Sizer = exporterhelper.RequestSizerTypeRequests
			queue.QueueSize = 5000
			queue.Batch.Get().MaxSize = 2_000_000
		}),
	} {
		t.Run(name, func(t *testing.T) {
			got := load(t, name)
			assert.Equal(t, want.QueueConfig, got.QueueConfig)
			assert.Equal(t, want, got)
		})
	}
}

// The defaults, spelt out: the variants above are built from them.
func TestDefaults(t *testing.T) {
	cfg := load(t, "")
	assert.Equal(t, 30*time.Second, cfg.ClientConfig.Timeout)
	assert.Equal(t, 512<<10, cfg.ClientConfig.WriteBufferSize)
	assert.EqualValues(t, "gzip", cfg.ClientConfig.Compression)
	assert.Equal(t, EncodingProto, cfg.Encoding)
	assert.Equal(t, 4, cfg.IngestionVersion)
	assert.Equal(t, "langfuse", cfg.Service)
	assert.False(t, cfg.Verify)
	assert.True(t, cfg.RetryConfig.Enabled)
	assert.Zero(t, cfg.RetryConfig.MaxElapsedTime)
	queue := cfg.QueueConfig.Get()
	assert.Equal(t, exporterhelper.RequestSizerTypeBytes, queue.Sizer)
	assert.EqualValues(t, 256<<20, queue.QueueSize)
	assert.Equal(t, 10, queue.NumConsumers)
	assert.Nil(t, queue.StorageID)
	assert.Equal(t, exporterhelper.BatchConfig{
		FlushTimeout: time.Second, Sizer: exporterhelper.RequestSizerTypeBytes, MinSize: 1_000_000, MaxSize: 4_500_000,
	}, *queue.Batch.Get())
}

// Who counts requests or spans gets the sizes that are usual for them, and not our bytes.
func TestSizesFollowTheSizer(t *testing.T) {
	queue := load(t, "counts_requests").QueueConfig.Get()
	assert.EqualValues(t, 1000, queue.QueueSize)
	assert.EqualValues(t, 4_500_000, queue.Batch.Get().MaxSize, "batches still count bytes")
	queue = load(t, "counts_spans").QueueConfig.Get()
	assert.EqualValues(t, 256<<20, queue.QueueSize)
	assert.EqualValues(t, 8192, queue.Batch.Get().MinSize)
	assert.Zero(t, queue.Batch.Get().MaxSize)
}

func TestSecretsInAnEndpointAreNotRepeated(t *testing.T) {
	for _, endpoint := range []string{"pk:sk-canary@host", "https://pk:sk-canary@ho st", "https://pk:sk-canary@host"} {
		err := confmap.Validate(expected(func(c *Config) { c.ClientConfig.Endpoint = endpoint }))
		require.ErrorContains(t, err, "`endpoint` must")
		assert.NotContains(t, err.Error(), "canary")
	}
}

func TestConfigErrorsNameTheSetting(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"`endpoint` must be set to the base address of the service, such as https://cloud.langfuse.com":                func(c *Config) { c.ClientConfig.Endpoint = "" },
		"`endpoint` must be an http or https address such as https://cloud.langfuse.com, found \"cloud.langfuse.com\"": func(c *Config) { c.ClientConfig.Endpoint = "cloud.langfuse.com" },
		"`endpoint` must be an http or https address such as https://cloud.langfuse.com, found \"ftp://x\"":            func(c *Config) { c.ClientConfig.Endpoint = "ftp://x" },
		"`endpoint` must be an http or https address such as https://cloud.langfuse.com, found \"https://x:y:z\"":      func(c *Config) { c.ClientConfig.Endpoint = "https://x:y:z" },
		"`endpoint` must be the base address: remove \"/api/public/otel\", the exporter adds the path itself":          func(c *Config) { c.ClientConfig.Endpoint = "https://x/api/public/otel" },
		"`endpoint` must not hold credentials: use `public_key` and `secret_key`":                                      func(c *Config) { c.ClientConfig.Endpoint = "https://pk:sk@x" },
		"`endpoint` must be a base address without query or fragment, found \"https://x?a=b\"":                         func(c *Config) { c.ClientConfig.Endpoint = "https://x?a=b" },
		"`public_key` must be set: it is in the project settings of the service":                                       func(c *Config) { c.PublicKey = "" },
		"`secret_key` must be set: it is in the project settings of the service":                                       func(c *Config) { c.SecretKey = "" },
		"`ingestion_version` must be 1 to 4, or 0 to send none, found 5: the service refuses higher versions":          func(c *Config) { c.IngestionVersion = 5 },
		"`ingestion_version` must be 1 to 4, or 0 to send none, found -1: the service refuses higher versions":         func(c *Config) { c.IngestionVersion = -1 },
		"`compression` must be gzip or none, found \"zstd\": the service reads nothing else":                           func(c *Config) { c.ClientConfig.Compression = "zstd" },
		"`encoding` must be proto or json, found \"xml\"":                                                              func(c *Config) { c.Encoding = "xml" },
		"`service` must be a lower-case name of letters, digits, - and _, found \"\"":                                  func(c *Config) { c.Service = "" },
		"`sending_queue::queue_size` must be at least 4500000, found 5000: it counts bytes unless `sending_queue::sizer` says requests or items": func(c *Config) {
			c.QueueConfig.Get().QueueSize = 5000
			c.QueueConfig.Get().Batch = configoptional.None[exporterhelper.BatchConfig]()
		},
		"`auth` excludes `public_key` and `secret_key`: remove one of them": func(c *Config) {
			c.ClientConfig.Auth = configoptional.Some(configauth.Config{AuthenticatorID: component.MustNewID("x")})
		},
	} {
		assert.EqualError(t, confmap.Validate(expected(change)), want)
	}
	assert.EqualError(t, confmap.Validate(expected(func(c *Config) { c.PublicKey, c.SecretKey = "", "" })),
		"`public_key` must be set: it is in the project settings of the service\n`secret_key` must be set: it is in the project settings of the service")
}

func TestWrongTypesNameTheSetting(t *testing.T) {
	for want, conf := range map[string]map[string]any{
		"ingestion_version": {"ingestion_version": "four"},
		"compression":       {"compression": "brotli"},
		"endpoit":           {"endpoit": "https://x"},
	} {
		assert.ErrorContains(t, confmap.NewFromStringMap(conf).Unmarshal(createDefaultConfig()), want)
	}
}

func TestTheHelperDoesNotSplit(t *testing.T) {
	cfg := createDefaultConfig().(*Config)
	queue, maxBytes := takeOverMaxSize(cfg.QueueConfig)
	assert.Equal(t, 4_500_000, maxBytes)
	assert.Zero(t, queue.Get().Batch.Get().MaxSize)
	assert.EqualValues(t, 4_500_000, cfg.QueueConfig.Get().Batch.Get().MaxSize, "the configuration itself is not changed")

	cfg.QueueConfig.Get().Batch.Get().MaxSize = 0
	_, maxBytes = takeOverMaxSize(cfg.QueueConfig)
	assert.Greater(t, maxBytes, 1<<30, "0 is no limit")

	cfg.QueueConfig.Get().Batch.Get().Sizer = exporterhelper.RequestSizerTypeItems
	cfg.QueueConfig.Get().Batch.Get().MaxSize = 100
	queue, maxBytes = takeOverMaxSize(cfg.QueueConfig)
	assert.Equal(t, 4_500_000, maxBytes)
	assert.EqualValues(t, 100, queue.Get().Batch.Get().MaxSize, "a limit in spans loses nothing")
}
