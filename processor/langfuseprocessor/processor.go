// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/processor/langfuseprocessor/internal/metadata"
)

// metadataProcessor holds what every batch needs; a batch itself is a pass.
type metadataProcessor struct {
	cfg       *Config
	names     wire.Names
	telemetry *metadata.TelemetryBuilder
	passes    sync.Pool
}

func newMetadataProcessor(cfg *Config, set component.TelemetrySettings) (*metadataProcessor, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set)
	if err != nil {
		return nil, err
	}
	p := &metadataProcessor{cfg: cfg, names: wire.NewNames(cfg.Service), telemetry: telemetry}
	p.passes.New = func() any { return newPass(p) }
	return p, nil
}

func (p *metadataProcessor) shutdown(context.Context) error {
	p.telemetry.Shutdown()
	return nil
}

// processTraces never fails: a value that cannot be written is taken off its span and counted.
func (p *metadataProcessor) processTraces(ctx context.Context, td ptrace.Traces) (ptrace.Traces, error) {
	r := p.passes.Get().(*pass)
	r.traces(td)
	r.tally.record(ctx, p.telemetry)
	r.reset()
	p.passes.Put(r)
	return td, nil
}
