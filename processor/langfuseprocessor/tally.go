// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"context"

	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/weirhq/weir/processor/langfuseprocessor/internal/metadata"
)

// tally counts the values of one batch.
type tally struct {
	encoded, unchanged, truncated    int64
	notANumber, nullValue, overLimit int64
}

// meters adds tallies up. The attribute sets are made once, because a batch would otherwise make them each time.
type meters struct {
	*metadata.TelemetryBuilder
	plain, notANumber, nullValue, overLimit []metric.AddOption
}

func newMeters(set processor.Settings) (*meters, error) {
	telemetry, err := metadata.NewTelemetryBuilder(set.TelemetrySettings)
	if err != nil {
		return nil, err
	}
	id := attribute.String("processor", set.ID.String())
	with := func(attributes ...attribute.KeyValue) []metric.AddOption {
		return []metric.AddOption{metric.WithAttributeSet(attribute.NewSet(append(attributes, id)...))}
	}
	return &meters{
		TelemetryBuilder: telemetry,
		plain:            with(),
		notANumber:       with(attribute.String("reason", "not_a_number")),
		nullValue:        with(attribute.String("reason", "null_value")),
		overLimit:        with(attribute.String("reason", "over_limit")),
	}, nil
}

func (m *meters) add(ctx context.Context, t *tally) {
	add := func(counter metric.Int64Counter, n int64, options []metric.AddOption) {
		if n > 0 {
			counter.Add(ctx, n, options...)
		}
	}
	add(m.ProcessorLangfuseValuesEncoded, t.encoded, m.plain)
	add(m.ProcessorLangfuseValuesUnchanged, t.unchanged, m.plain)
	add(m.ProcessorLangfuseValuesTruncated, t.truncated, m.plain)
	add(m.ProcessorLangfuseValuesDropped, t.notANumber, m.notANumber)
	add(m.ProcessorLangfuseValuesDropped, t.nullValue, m.nullValue)
	add(m.ProcessorLangfuseValuesDropped, t.overLimit, m.overLimit)
}
