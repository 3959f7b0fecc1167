// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"context"
	"sync"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/convert"
	"github.com/weirhq/weir/internal/pricing"
)

// converters has a converter for each project, since projects have models and prices of their own.
type converters struct {
	catalog  *catalog.Catalog
	settings convert.Settings // without prices

	mu    sync.Mutex
	known map[string]projectConverter
}

type projectConverter struct {
	prices    *pricing.Table
	converter *convert.Converter
}

func newConverters(c *catalog.Catalog, settings convert.Settings) *converters {
	return &converters{catalog: c, settings: settings, known: map[string]projectConverter{}}
}

// of gives the converter of a project with the prices that it has now.
func (c *converters) of(ctx context.Context, project string) (*convert.Converter, error) {
	prices, err := c.catalog.Prices(ctx, project)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.known[project]; ok && known.prices == prices {
		return known.converter, nil
	}
	settings := c.settings
	settings.Prices = prices
	made := projectConverter{prices, convert.New(settings)}
	c.known[project] = made
	return made.converter, nil
}
