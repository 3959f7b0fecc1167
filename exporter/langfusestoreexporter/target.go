// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"context"
	"errors"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/weirhq/weir/exporter/langfusestoreexporter/internal/metadata"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/storeprovider"
	"github.com/weirhq/weir/internal/wire"
)

// target is where both signals go: from start on, the store of the extension.
type target struct {
	cfg       *Config
	set       exporter.Settings
	names     wire.Names
	telemetry *metadata.TelemetryBuilder

	provider storeprovider.Provider
	store    store.Store
	catalog  *catalog.Catalog
}

func newTarget(cfg *Config, set exporter.Settings) (*target, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	return &target{cfg: cfg, set: set, names: wire.NewNames(cfg.Service), telemetry: telemetry}, err
}

func (t *target) start(_ context.Context, host component.Host) error {
	var err error
	if t.provider, err = storeprovider.Find(host, t.cfg.Store); err != nil {
		return err
	}
	if t.store = t.provider.Store(); t.store == nil {
		return errors.New("the store is not open: the extension that owns it has not started")
	}
	t.catalog = t.provider.Catalog()
	return nil
}

// shutdown leaves the store alone: it belongs to the extension.
func (t *target) shutdown(context.Context) error {
	t.telemetry.Shutdown()
	return nil
}

// because are the attributes of a measurement: which of several exporters it is, and why.
func (t *target) because(reason string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(attribute.String("exporter", t.set.ID.String()), attribute.String("reason", reason)))
}
