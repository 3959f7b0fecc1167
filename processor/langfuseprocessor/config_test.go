// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/confmaptest"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/weirhq/weir/processor/langfuseprocessor/internal/metadata"
)

func configWith(change func(*Config)) *Config {
	cfg := createDefaultConfig().(*Config)
	change(cfg)
	return cfg
}

func TestConfigVariants(t *testing.T) {
	conf, err := confmaptest.LoadConf(filepath.Join("testdata", "config.yaml"))
	require.NoError(t, err)
	for name, want := range map[string]*Config{
		"": {
			Service: "langfuse",
			Metadata: MetadataConfig{
				Encoding: EncodingJSON, Strings: StringsAuto, TraceValueLimit: 200, OverLimit: OverLimitDrop,
			},
			Attributes: AttributesConfig{ComplexValues: ComplexValuesJSON},
		},
		"older_server": configWith(func(c *Config) { c.Metadata.Encoding = EncodingPlain }),
		"strict": configWith(func(c *Config) {
			c.Metadata.Strings = StringsAlways
			c.Metadata.OverLimit = OverLimitTruncate
		}),
		"unlimited": configWith(func(c *Config) {
			c.Metadata.TraceValueLimit = 0
			c.Metadata.OverLimit = OverLimitKeep
			c.Attributes.ComplexValues = ComplexValuesKeep
		}),
		"other_service": configWith(func(c *Config) { c.Service = "acme" }),
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
	for want, change := range map[string]func(*Config){
		"`service` must be a lower-case name of letters, digits, - and _, found \"My Service\"": func(c *Config) { c.Service = "My Service" },
		"metadata: `encoding` must be json or plain, found \"xml\"":                             func(c *Config) { c.Metadata.Encoding = "xml" },
		"metadata: `strings` must be auto or always, found \"never\"":                           func(c *Config) { c.Metadata.Strings = "never" },
		"metadata: `trace_value_limit` must be positive, or 0 for no limit, found -1":           func(c *Config) { c.Metadata.TraceValueLimit = -1 },
		"metadata: `over_limit` must be drop, truncate or keep, found \"\"":                     func(c *Config) { c.Metadata.OverLimit = "" },
		"attributes: `complex_values` must be json or keep, found \"yes\"":                      func(c *Config) { c.Attributes.ComplexValues = "yes" },
	} {
		assert.EqualError(t, confmap.Validate(configWith(change)), want)
	}
	assert.EqualError(t, confmap.Validate(configWith(func(c *Config) {
		c.Metadata.Encoding = "a"
		c.Metadata.Strings = "b"
	})), "metadata: `encoding` must be json or plain, found \"a\"\n`strings` must be auto or always, found \"b\"")
}

func TestVerifyShutdown(t *testing.T) {
	processortest.VerifyShutdown(t, NewFactory(), createDefaultConfig())
}
