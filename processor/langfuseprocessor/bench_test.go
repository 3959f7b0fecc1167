// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

func batchOf(spans, metadataKeys int, value string) ptrace.Traces {
	td := tracesOf(foreign, nil)
	scopeOf(td).Spans().RemoveIf(func(ptrace.Span) bool { return true })
	for range spans {
		attributes := scopeOf(td).Spans().AppendEmpty().Attributes()
		for i := range 19 {
			attributes.PutStr(fmt.Sprintf("gen_ai.attribute.%d", i), "value")
		}
		for i := range metadataKeys {
			attributes.PutStr(fmt.Sprintf("%s.key%d", observation, i), value)
		}
	}
	return td
}

func TestNoAllocationWithoutWork(t *testing.T) {
	p := newProcessor(t, configWith(func(*Config) {}))
	for name, td := range map[string]ptrace.Traces{
		"no metadata":      batchOf(10, 0, ""),
		"encoded metadata": batchOf(10, 6, `{"already":"encoded"}`),
	} {
		// The nop meter still allocates for the options of an Add; the walk itself must not.
		r := newPass(p)
		assert.Zero(t, testing.AllocsPerRun(100, func() { r.traces(td) }), name)
	}
}

func BenchmarkProcessTraces(b *testing.B) {
	const spans = 100
	for name, source := range map[string]ptrace.Traces{
		"no metadata":     batchOf(spans, 0, ""),
		"already encoded": batchOf(spans, 6, `"a value of ordinary length"`),
		"to encode":       batchOf(spans, 6, "a value of ordinary length"),
	} {
		b.Run(name, func(b *testing.B) {
			p := newProcessor(b, configWith(func(*Config) {}))
			td := ptrace.NewTraces()
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				source.CopyTo(td)
				b.StartTimer()
				_, _ = p.processTraces(b.Context(), td)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/spans, "ns/span")
		})
	}
}
