// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver // import "github.com/weirhq/weir/receiver/langfusereceiver"

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/confignet"
	"go.opentelemetry.io/collector/confmap"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// Config is the configuration of the receiver.
type Config struct {
	// ServerConfig is the listener: address, TLS, CORS, the size of a body before decompression, timeouts.
	confighttp.ServerConfig `mapstructure:",squash"`

	// Service is the name from which attribute and header names are built.
	Service string `mapstructure:"service"`
	// Store is the extension that reads are answered from. Without it the receiver hands data on and answers no reads.
	Store component.ID `mapstructure:"store"`
	// Projects are the tenants and their keys.
	Projects []ProjectConfig `mapstructure:"projects"`
	// TrustForwardedHeaders says that a proxy before the receiver sets X-Forwarded-Proto and X-Forwarded-Host, and that
	// nobody else can reach it. They are then the address under which media are uploaded and read.
	TrustForwardedHeaders bool `mapstructure:"trust_forwarded_headers"`
	// LegacyReads says that the deprecated reads of older client libraries are answered.
	LegacyReads bool `mapstructure:"legacy_reads"`
	// Limits bound what requests cost.
	Limits LimitsConfig `mapstructure:"limits"`

	// storeIsMeant says that the configuration names the store, so that a missing one is an error.
	storeIsMeant bool

	// prevent unkeyed literal initialization
	_ struct{}
}

// LimitsConfig bounds what requests cost.
type LimitsConfig struct {
	// DecompressedSize is the largest body after decompression, in bytes.
	DecompressedSize int64 `mapstructure:"max_decompressed_size"`
	// CompressionRatio is how much larger than its compressed form a body may be.
	CompressionRatio int64 `mapstructure:"max_compression_ratio"`
	// BytesInFlight bounds the bodies and answers of all requests together.
	BytesInFlight int64 `mapstructure:"max_bytes_in_flight"`
	// ConcurrentRequests is how many requests are worked on at a time.
	ConcurrentRequests int64 `mapstructure:"max_concurrent_requests"`
	// ResponseSize is the largest answer to a read, in bytes.
	ResponseSize int64 `mapstructure:"max_response_size"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var (
	_ component.Config    = (*Config)(nil)
	_ confmap.Validator   = (*Config)(nil)
	_ confmap.Validator   = (*LimitsConfig)(nil)
	_ confmap.Unmarshaler = (*Config)(nil)
)

const (
	defaultEndpoint = "localhost:3000"
	mib             = 1 << 20

	// defaultReadTimeout is for a caller that sends byte by byte.
	defaultReadTimeout       = time.Minute
	defaultReadHeaderTimeout = 10 * time.Second
	// defaultWriteTimeout leaves a query its full time.
	defaultWriteTimeout = 2 * time.Minute
)

// defaultStore is the id of the store extension where a configuration has one.
var defaultStore = component.MustNewID("langfuse_store")

func createDefaultConfig() component.Config {
	server := confighttp.NewDefaultServerConfig()
	server.NetAddr = confignet.AddrConfig{Transport: confignet.TransportTypeTCP, Endpoint: defaultEndpoint}
	server.MaxRequestBodySize = 32 * mib
	server.ReadTimeout = defaultReadTimeout
	server.ReadHeaderTimeout = defaultReadHeaderTimeout
	server.WriteTimeout = defaultWriteTimeout
	return &Config{
		ServerConfig: server,
		Service:      wire.DefaultService,
		Store:        defaultStore,
		LegacyReads:  true,
		Limits: LimitsConfig{
			DecompressedSize:   128 * mib,
			CompressionRatio:   500,
			BytesInFlight:      512 * mib,
			ConcurrentRequests: 256,
			ResponseSize:       64 * mib,
		},
	}
}

// Unmarshal remembers whether the store was named.
func (c *Config) Unmarshal(conf *confmap.Conf) error {
	c.storeIsMeant = conf.IsSet("store")
	return conf.Unmarshal(c)
}

// Validate names every setting that is wrong.
func (c *Config) Validate() error {
	errs := []error{wire.ValidateService(c.Service)}
	if c.NetAddr.Endpoint == "" {
		errs = append(errs, fmt.Errorf("`endpoint` must be the address to listen at, such as %s", defaultEndpoint))
	}
	if c.Auth.HasValue() {
		errs = append(errs, errors.New("`auth` has no place here: the keys of `projects` let callers in"))
	}
	if len(c.CompressionAlgorithms) > 0 {
		errs = append(errs, errors.New("`compression_algorithms` has no place here: gzip, deflate and zstd are always taken"))
	}
	errs = append(errs, validateProjects(c.Projects), c.validateDevelopmentKeys())
	return errors.Join(errs...)
}

// Validate names every limit that is wrong.
func (c *LimitsConfig) Validate() error {
	var errs []error
	for _, limit := range []struct {
		name  string
		value int64
	}{
		{"max_decompressed_size", c.DecompressedSize},
		{"max_compression_ratio", c.CompressionRatio},
		{"max_bytes_in_flight", c.BytesInFlight},
		{"max_concurrent_requests", c.ConcurrentRequests},
		{"max_response_size", c.ResponseSize},
	} {
		if limit.value <= 0 {
			errs = append(errs, fmt.Errorf("`%s` must be positive, found %d", limit.name, limit.value))
		}
	}
	for _, part := range []struct {
		name  string
		value int64
	}{{"max_decompressed_size", c.DecompressedSize}, {"max_response_size", c.ResponseSize}} {
		if c.BytesInFlight < part.value {
			errs = append(errs, fmt.Errorf("`max_bytes_in_flight` (%d) must be at least `%s` (%d), or the largest could never be had", c.BytesInFlight, part.name, part.value))
		}
	}
	return errors.Join(errs...)
}

// isLoopback tells whether only programs on the same machine can reach the listener.
func (c *Config) isLoopback() bool {
	if c.NetAddr.Transport == confignet.TransportTypeUnix {
		return true
	}
	host, _, err := net.SplitHostPort(c.NetAddr.Endpoint)
	return err == nil && web.IsLoopback(host)
}

// loopbackOrigins are pages from the own machine.
var loopbackOrigins = []string{
	"http://localhost", "http://localhost:*", "https://localhost", "https://localhost:*",
	"http://127.0.0.1", "http://127.0.0.1:*", "http://[::1]", "http://[::1]:*",
}

// cors says which web pages may call the API. With keys that everybody knows, it is those from the own machine unless the
// configuration says otherwise: else any page that a developer looks at could read what is stored.
func (c *Config) cors() web.CORS {
	if !c.CORS.HasValue() {
		if c.hasDevelopmentKeys() {
			return web.CORS{Origins: loopbackOrigins}
		}
		return web.CORS{}
	}
	set := c.CORS.Get()
	cors := web.CORS{Origins: set.AllowedOrigins, Headers: set.AllowedHeaders, Exposed: set.ExposedHeaders, MaxAge: set.MaxAge}
	if slices.Contains(set.AllowedHeaders, "*") {
		cors.Headers = nil // the browser is told the names that it asks for
	}
	if set.AllowedOrigins == nil {
		cors.Origins = []string{}
	}
	return cors
}
