// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter // import "github.com/weirhq/weir/exporter/langfusestoreexporter"

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/convert"
	"github.com/weirhq/weir/internal/model"
)

const reasonInvalidID = "invalid_id"

// spanExporter writes the spans of a traces pipeline.
type spanExporter struct {
	*target
	converters *converters
}

func (e *spanExporter) start(ctx context.Context, host component.Host) error {
	if err := e.target.start(ctx, host); err != nil {
		return err
	}
	e.converters = newConverters(e.catalog, convert.Settings{Names: e.names, Tokenize: e.provider.Tokenize()})
	return nil
}

// push writes a batch. When it returns nil, every span is durable.
func (e *spanExporter) push(ctx context.Context, td ptrace.Traces) error {
	var projects parts[model.Observation]
	spans := td.SpanCount()
	for _, rs := range td.ResourceSpans().All() {
		stamp := e.stampOf(rs.Resource())
		converter, err := e.converters.of(ctx, stamp.project)
		if err != nil {
			return verdict(fmt.Errorf("failed to read the models of project %q: %w", stamp.project, err))
		}
		part := projects.of(stamp.project, spans)
		part.rows = converter.AppendResource(part.rows, rs, stamp.origin)
	}
	dropped := 0
	var verdicts []error
	for _, part := range projects {
		all := len(part.rows)
		part.rows = withoutStrays(part.rows)
		dropped += all - len(part.rows)
		if err := e.write(ctx, part); err != nil {
			verdicts = append(verdicts, err)
		}
	}
	err := together(verdicts)
	if dropped > 0 && isSettled(err) {
		e.telemetry.ExporterLangfuseStoreDroppedSpans.Add(ctx, int64(dropped), e.because(reasonInvalidID))
		e.set.Logger.Warn("Dropped spans without a trace id or span id.", zap.Int("spans", dropped))
	}
	return err
}

// withoutStrays takes out rows without an id, for which the store would refuse all others too.
func withoutStrays(rows []model.Observation) []model.Observation {
	kept := 0
	for i := range rows {
		if rows[i].TraceID == "" || rows[i].ID == "" {
			continue
		}
		if kept != i {
			rows[kept] = rows[i]
		}
		kept++
	}
	return rows[:kept]
}

func (e *spanExporter) write(ctx context.Context, p *part[model.Observation]) error {
	if len(p.rows) == 0 {
		return nil
	}
	if err := e.linkPrompts(ctx, p); err != nil {
		return verdict(fmt.Errorf("failed to read the prompts of project %q: %w", p.project, err))
	}
	if err := e.store.WriteObservations(ctx, p.project, p.rows); err != nil {
		return verdict(fmt.Errorf("failed to write %d observations of project %q: %w", len(p.rows), p.project, err))
	}
	return nil
}

// linkPrompts gives observations the id of the prompt that they name, where there is such a version.
func (e *spanExporter) linkPrompts(ctx context.Context, p *part[model.Observation]) error {
	named := map[catalog.PromptKey][]int{}
	for i := range p.rows {
		if row := &p.rows[i]; row.PromptName != "" && row.PromptVersion != nil {
			key := catalog.PromptKey{Name: row.PromptName, Version: *row.PromptVersion}
			named[key] = append(named[key], i)
		}
	}
	if len(named) == 0 {
		return nil
	}
	ids, err := e.catalog.PromptIDs(ctx, p.project, slices.Collect(maps.Keys(named)))
	if err != nil {
		return err
	}
	for key, id := range ids {
		for _, i := range named[key] {
			p.rows[i].PromptID = id
		}
	}
	return nil
}
