// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/weirhq/weir/exporter/langfuseexporter/internal/metadata"
)

// service is the other side, as both signals of an exporter see it: a client from the first start to the last shutdown,
// and how we stand with it.
type service struct {
	cfg       *Config
	set       exporter.Settings
	telemetry *metadata.TelemetryBuilder
	standing  *standing

	mu      sync.Mutex
	started int // signals that are started and not shut down
	client  *client

	stopVerifying context.CancelFunc
	verifying     sync.WaitGroup
}

func newService(cfg *Config, set exporter.Settings) (*service, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	s := &service{cfg: cfg, set: set, telemetry: telemetry}
	s.standing = &standing{service: s}
	return s, err
}

// itself are the attributes of a measurement: which of several exporters it is.
func (s *service) itself() metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(s.exporterID()))
}

// because adds the reason for what is measured.
func (s *service) because(reason string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(s.exporterID(), attribute.String("reason", reason)))
}

func (s *service) exporterID() attribute.KeyValue {
	return attribute.String("exporter", s.set.ID.String())
}

func (s *service) start(ctx context.Context, host component.Host) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.standing.addHost(host)
	s.started++
	if s.started > 1 {
		return nil
	}
	var err error
	if s.client, err = newClient(ctx, s, host); err != nil {
		return err
	}
	if s.cfg.Verify {
		// In the background: a service that is away must not keep the collector from starting.
		var background context.Context
		background, s.stopVerifying = context.WithCancel(context.WithoutCancel(ctx))
		s.verifying.Go(func() { s.verify(background) })
	}
	return nil
}

func (s *service) shutdown(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started--
	if s.started > 0 {
		return nil
	}
	if s.stopVerifying != nil {
		s.stopVerifying()
		s.verifying.Wait()
	}
	if s.client != nil {
		s.client.close()
	}
	s.telemetry.Shutdown()
	return nil
}
