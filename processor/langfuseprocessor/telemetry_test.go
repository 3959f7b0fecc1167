// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/metric/metricdata/metricdatatest"

	"github.com/weirhq/weir/processor/langfuseprocessor/internal/metadatatest"
)

func TestValuesAreCounted(t *testing.T) {
	tel := componenttest.NewTelemetry()
	t.Cleanup(func() { require.NoError(t, tel.Shutdown(context.WithoutCancel(t.Context()))) })
	settings := metadatatest.NewSettings(tel)
	p, err := newMetadataProcessor(configWith(func(c *Config) {
		c.Metadata.OverLimit = OverLimitTruncate
		c.Metadata.TraceValueLimit = 10
	}), settings)
	require.NoError(t, err)

	td := tracesOf(foreign, map[string]any{
		observation + ".encoded":   "text",
		observation + ".number":    int64(1),
		observation + ".unchanged": `"text"`,
		observation + ".null":      nil,
		observation + ".nan":       math.NaN(),
		trace + ".truncated":       strings.Repeat("x", 20),
		trace + ".uncuttable":      1.2345678901234,
		"messages":                 map[string]any{"role": "user"},
		"other":                    "not counted",
	})
	_, err = p.processTraces(t.Context(), td)
	require.NoError(t, err)
	_, err = p.processTraces(t.Context(), tracesOf(foreign, map[string]any{"other": "a batch with nothing to count"}))
	require.NoError(t, err)
	require.NoError(t, p.shutdown(t.Context()))

	one := func(n int64, reasons ...string) []metricdata.DataPoint[int64] {
		attributes := []attribute.KeyValue{attribute.String("processor", settings.ID.String())}
		for _, reason := range reasons {
			attributes = append(attributes, attribute.String("reason", reason))
		}
		return []metricdata.DataPoint[int64]{{Value: n, Attributes: attribute.NewSet(attributes...)}}
	}
	ignore := metricdatatest.IgnoreTimestamp()
	metadatatest.AssertEqualProcessorLangfuseValuesEncoded(t, tel, one(4), ignore)
	metadatatest.AssertEqualProcessorLangfuseValuesUnchanged(t, tel, one(1), ignore)
	metadatatest.AssertEqualProcessorLangfuseValuesTruncated(t, tel, one(1), ignore)
	dropped := append(one(1, "null_value"), append(one(1, "not_a_number"), one(1, "over_limit")...)...)
	metadatatest.AssertEqualProcessorLangfuseValuesDropped(t, tel, dropped, ignore)
}
