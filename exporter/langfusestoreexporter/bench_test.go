// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store"
)

// nowhere takes everything and keeps nothing, so that what is measured is the exporter.
type nowhere struct{ store.Store }

func (nowhere) WriteObservations(context.Context, string, []model.Observation) error { return nil }
func (nowhere) WriteScores(context.Context, string, []model.Score) error             { return nil }

// BenchmarkPush takes batches of 512 generations with 1 kB of text each to a store that throws them away.
func BenchmarkPush(b *testing.B) {
	const n = 512
	h := newHarness(b)
	h.extension.store = nowhere{}
	var err error
	h.extension.prices, err = pricing.Default()
	require.NoError(b, err)

	b.Run("spans", func(b *testing.B) {
		td := spans(0, n)
		for _, span := range td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().All() {
			for key, value := range map[string]string{
				"langfuse.observation.type":            "generation",
				"langfuse.observation.input":           strings.Repeat("text ", 100),
				"langfuse.observation.output":          strings.Repeat("text ", 100),
				"langfuse.observation.model.name":      "gpt-4o",
				"langfuse.observation.usage_details":   `{"input":1000,"output":10}`,
				"langfuse.observation.metadata.tenant": `"acme"`,
				"langfuse.user.id":                     "u-1",
				"langfuse.session.id":                  "s-1",
			} {
				span.Attributes().PutStr(key, value)
			}
		}
		e := h.traces(configWith())
		b.ReportAllocs()
		for b.Loop() {
			if err := e.ConsumeTraces(b.Context(), td); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "spans/s")
	})
	b.Run("scores", func(b *testing.B) {
		ld := evaluations("", make([]string, n)...)
		e := h.scores(configWith())
		b.ReportAllocs()
		for b.Loop() {
			if err := e.ConsumeLogs(b.Context(), ld); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "scores/s")
	})
}
