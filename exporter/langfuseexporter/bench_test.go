// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/exporter/exportertest"

	"github.com/weirhq/weir/exporter/langfuseexporter/internal/metadata"
)

// BenchmarkPush sends batches of 512 spans with 20 attributes to a server that throws them away.
func BenchmarkPush(b *testing.B) {
	const n = 512
	td := spans(0, n)
	for _, rs := range td.ResourceSpans().All() {
		for _, ss := range rs.ScopeSpans().All() {
			for _, span := range ss.Spans().All() {
				for i := range 20 {
					span.Attributes().PutStr(fmt.Sprint("gen_ai.attribute.", i), "a value of ordinary length, more or less")
				}
			}
		}
	}
	sink := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	b.Cleanup(sink.Close)
	s, err := newService(testConfig(sink.URL), exportertest.NewNopSettings(metadata.Type))
	require.NoError(b, err)
	e := newSpanExporter(s)
	require.NoError(b, e.service.start(b.Context(), componenttest.NewNopHost()))
	b.ReportAllocs()
	for b.Loop() {
		if err := e.push(b.Context(), td); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "spans/s")
	require.NoError(b, e.service.shutdown(b.Context()))
}
