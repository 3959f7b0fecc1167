// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"context"
	"sync"

	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor"

	"github.com/weirhq/weir/internal/wire"
)

// metadataProcessor holds what every batch needs; a batch itself is a pass.
type metadataProcessor struct {
	cfg    *Config
	names  wire.Names
	meters *meters
	passes sync.Pool
}

func newMetadataProcessor(cfg *Config, set processor.Settings) (*metadataProcessor, error) {
	meters, err := newMeters(set)
	if err != nil {
		return nil, err
	}
	p := &metadataProcessor{cfg: cfg, names: wire.NewNames(cfg.Service), meters: meters}
	p.passes.New = func() any { return newPass(p) }
	return p, nil
}

func (p *metadataProcessor) shutdown(context.Context) error {
	p.meters.Shutdown()
	return nil
}

// processTraces never fails: a value that cannot be written is taken off its span and counted.
func (p *metadataProcessor) processTraces(ctx context.Context, td ptrace.Traces) (ptrace.Traces, error) {
	r := p.passes.Get().(*pass)
	r.traces(td)
	p.meters.add(ctx, &r.tally)
	r.reset()
	p.passes.Put(r)
	return td, nil
}
