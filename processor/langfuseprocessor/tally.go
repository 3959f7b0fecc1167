// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor // import "github.com/weirhq/weir/processor/langfuseprocessor"

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/weirhq/weir/processor/langfuseprocessor/internal/metadata"
)

// The attribute sets of the reasons, made once because a batch would otherwise allocate them each time.
var (
	reasonNotANumber = reasonIs("not_a_number")
	reasonNullValue  = reasonIs("null_value")
	reasonOverLimit  = reasonIs("over_limit")
)

func reasonIs(reason string) metric.MeasurementOption {
	return metric.WithAttributeSet(attribute.NewSet(attribute.String("reason", reason)))
}

// tally counts the values of one batch.
type tally struct {
	encoded, unchanged, truncated    int64
	notANumber, nullValue, overLimit int64
}

func (t *tally) record(ctx context.Context, telemetry *metadata.TelemetryBuilder) {
	add := func(counter metric.Int64Counter, n int64, options ...metric.AddOption) {
		if n > 0 {
			counter.Add(ctx, n, options...)
		}
	}
	add(telemetry.ProcessorLangfuseValuesEncoded, t.encoded)
	add(telemetry.ProcessorLangfuseValuesUnchanged, t.unchanged)
	add(telemetry.ProcessorLangfuseValuesTruncated, t.truncated)
	add(telemetry.ProcessorLangfuseValuesDropped, t.notANumber, reasonNotANumber)
	add(telemetry.ProcessorLangfuseValuesDropped, t.nullValue, reasonNullValue)
	add(telemetry.ProcessorLangfuseValuesDropped, t.overLimit, reasonOverLimit)
}
