// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/config/configopaque"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/config/configtls"
	"go.opentelemetry.io/collector/confmap"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store/clickhouse"
)

// ClickHouseConfig is about a store in ClickHouse, which any number of collectors may share.
type ClickHouseConfig struct {
	// Endpoints are the addresses of the native protocol, host:port. They are tried in their order.
	Endpoints []string `mapstructure:"endpoints"`
	// Database has the tables; it is made if it is not there.
	Database string              `mapstructure:"database"`
	Username string              `mapstructure:"username"`
	Password configopaque.String `mapstructure:"password"`
	// TLS, if it is there, secures the connections.
	TLS configoptional.Optional[configtls.ClientConfig] `mapstructure:"tls"`

	// Cluster is the name of a cluster of the servers: rows are then spread over its shards.
	Cluster string `mapstructure:"cluster"`
	// Replicated keeps every row on all replicas of its shard. It has not been tried against a running Keeper.
	Replicated bool `mapstructure:"replicated"`

	// DialTimeout is how long it may take to connect.
	DialTimeout time.Duration `mapstructure:"dial_timeout"`
	// MaxConnections bounds the connections for queries, those for writing, and those for what either looks up first, each.
	MaxConnections int `mapstructure:"max_connections"`
	// MemoryLimit bounds the memory that ClickHouse uses for one query.
	MemoryLimit Size `mapstructure:"memory_limit"`

	// prevent unkeyed literal initialization
	_ struct{}
}

var _ confmap.Validator = (*ClickHouseConfig)(nil)

func defaultClickHouse() ClickHouseConfig {
	d := clickhouse.Settings{}.WithDefaults()
	return ClickHouseConfig{
		Endpoints: d.Endpoints, Database: d.Database, Username: d.Username,
		DialTimeout: d.DialTimeout, MaxConnections: d.MaxConnections, MemoryLimit: Size(d.QueryMemory),
	}
}

// Validate checks the section and names every setting that is wrong.
func (c *ClickHouseConfig) Validate() error {
	var errs []error
	if len(c.Endpoints) == 0 {
		errs = append(errs, errors.New("`endpoints` must name at least one server, such as clickhouse:9000"))
	}
	for _, endpoint := range c.Endpoints {
		if problem := endpointProblem(endpoint); problem != "" {
			errs = append(errs, fmt.Errorf("`endpoints` must be host:port of the native protocol, such as clickhouse:9000; %q %s", endpoint, problem))
		}
	}
	if c.Username == "" {
		errs = append(errs, errors.New("`username` must be set"))
	}
	errs = append(errs, clickhouse.Settings{Database: c.Database, Cluster: c.Cluster, Replicated: c.Replicated}.Validate())
	if c.DialTimeout <= 0 {
		errs = append(errs, fmt.Errorf("`dial_timeout` must be positive, found %s", c.DialTimeout))
	}
	if c.MaxConnections < minConnections {
		errs = append(errs, fmt.Errorf("`max_connections` must be at least %d, found %d", minConnections, c.MaxConnections))
	}
	if c.MemoryLimit < minMemoryLimit {
		errs = append(errs, fmt.Errorf("`memory_limit` must be at least %s, found %s", minMemoryLimit, c.MemoryLimit))
	}
	return errors.Join(errs...)
}

// minConnections is what one write needs at the same time.
const minConnections = 4

func endpointProblem(endpoint string) string {
	if strings.Contains(endpoint, "://") {
		return "has a scheme"
	}
	host, port, err := net.SplitHostPort(endpoint)
	if err != nil || host == "" {
		return "lacks a host or a port"
	}
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || number == 0 {
		return "has no port"
	}
	return ""
}

// ClickHouseSettings are the settings of the engine for ClickHouse, where that section is there.
func (c *Config) ClickHouseSettings(ctx context.Context, logger *zap.Logger) (clickhouse.Settings, error) {
	section := c.ClickHouse.Get()
	settings := clickhouse.Settings{
		Endpoints: section.Endpoints, Database: section.Database, Username: section.Username, Password: string(section.Password),
		Cluster: section.Cluster, Replicated: section.Replicated,
		DialTimeout: section.DialTimeout, MaxConnections: section.MaxConnections,
		QueryTimeout: c.Query.Timeout, QueryMemory: int64(section.MemoryLimit), Retention: c.Retention, Logger: logger,
	}
	if secured := section.TLS.Get(); secured != nil {
		var err error
		if settings.TLS, err = secured.LoadTLSConfig(ctx); err != nil {
			return settings, fmt.Errorf("`clickhouse::tls`: %w", err)
		}
	}
	return settings, nil
}
