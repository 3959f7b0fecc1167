// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/config/configopaque"
)

// The request as the service sees it, and with each part switched.
func TestTheRequest(t *testing.T) {
	for name, tc := range map[string]struct {
		change  func(*Config)
		path    string
		headers map[string]string
	}{
		"default": {
			func(*Config) {}, "/api/public/otel/v1/traces",
			map[string]string{
				"Authorization":                "Basic cGstdGVzdDpzay10ZXN0",
				"Content-Encoding":             "gzip",
				"Content-Type":                 "application/x-protobuf",
				"X-Langfuse-Ingestion-Version": "4",
				"User-Agent":                   "weir/1.2.3 (" + runtime.GOOS + "/" + runtime.GOARCH + ")",
			},
		},
		"base address with a path and a slash": {
			func(c *Config) { c.ClientConfig.Endpoint += "/base/" }, "/base/api/public/otel/v1/traces", nil,
		},
		"no compression": {
			func(c *Config) { c.ClientConfig.Compression = "none" }, "", map[string]string{"Content-Encoding": ""},
		},
		"JSON": {
			func(c *Config) { c.Encoding = EncodingJSON }, "", map[string]string{"Content-Type": "application/json"},
		},
		"older ingestion version": {
			func(c *Config) { c.IngestionVersion = 3 }, "", map[string]string{"X-Langfuse-Ingestion-Version": "3"},
		},
		"no ingestion version": {
			func(c *Config) { c.IngestionVersion = 0 }, "", map[string]string{"X-Langfuse-Ingestion-Version": ""},
		},
		"another service": {
			func(c *Config) { c.Service = "acme" }, "",
			map[string]string{"X-Acme-Ingestion-Version": "4", "X-Langfuse-Ingestion-Version": ""},
		},
		"own headers": {
			func(c *Config) {
				c.ClientConfig.Headers = configopaque.MapList{{Name: "X-Tenant", Value: "acme"}}
			}, "", map[string]string{"X-Tenant": "acme"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			service := newFakeService(t, reply{status: 200})
			require.NoError(t, newHarness(t).traces(testConfig(service.URL, tc.change)).ConsumeTraces(t.Context(), spans(0, 3)))
			assert.Equal(t, once(0, 3), service.arrived(), "the body is what the headers say")
			request := service.seen()[0]
			if tc.path != "" {
				assert.Equal(t, tc.path, request.path)
			}
			for key, want := range tc.headers {
				assert.Equal(t, want, request.header.Get(key), key)
			}
		})
	}
}

func TestBytesAreCounted(t *testing.T) {
	service := newFakeService(t)
	h := newHarness(t)
	td := spans(0, 200)
	require.NoError(t, h.traces(testConfig(service.URL)).ConsumeTraces(t.Context(), td))
	before, sent := h.metric("request_bytes")[""], h.metric("sent_bytes")[""]
	assert.Equal(t, int64(len(service.seen()[0].body)), before)
	assert.Less(t, sent, before)
	assert.Positive(t, sent)
}
