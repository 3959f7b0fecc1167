// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/envprovider"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"

	"github.com/weirhq/weir/extension/langfusestoreextension"
)

// readConfig reads what the configuration of a collector says about a store, as the collector does.
func readConfig(ctx context.Context, uri, store string) (*langfusestoreextension.Config, error) {
	resolver, err := confmap.NewResolver(confmap.ResolverSettings{
		URIs: []string{uri}, DefaultScheme: "env",
		ProviderFactories: []confmap.ProviderFactory{envprovider.NewFactory(), fileprovider.NewFactory(), yamlprovider.NewFactory()},
	})
	if err != nil {
		return nil, err
	}
	conf, err := resolver.Resolve(ctx)
	if err != nil {
		return nil, fmt.Errorf("failed to read %s: %w", uri, err)
	}
	if err := resolver.Shutdown(ctx); err != nil {
		return nil, err
	}
	key := "extensions" + confmap.KeyDelimiter + store
	if !conf.IsSet(key) {
		return nil, fmt.Errorf("%s has no extension %s: set `--store` to the one that names the ClickHouse", uri, store)
	}
	section, err := conf.Sub(key)
	if err != nil {
		return nil, err
	}
	cfg := langfusestoreextension.NewFactory().CreateDefaultConfig().(*langfusestoreextension.Config)
	if err := section.Unmarshal(cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if err := confmap.Validate(cfg); err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	if !cfg.ClickHouse.HasValue() {
		return nil, fmt.Errorf("%s has no `clickhouse`: give the configuration that is used after the move, such as configs/cluster.yaml", key)
	}
	return cfg, nil
}
