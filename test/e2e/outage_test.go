// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/binary"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
)

// batch makes n spans with the ids from first on, each with a kilobyte of text.
func batch(first, n int) ptrace.Traces {
	td := ptrace.NewTraces()
	spans := td.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty().Spans()
	for i := first; i < first+n; i++ {
		span := spans.AppendEmpty()
		span.SetName("generation")
		span.SetTraceID(pcommon.TraceID(binary.BigEndian.AppendUint64(make([]byte, 8), uint64(i/10+1))))
		span.SetSpanID(pcommon.SpanID(binary.BigEndian.AppendUint64(nil, uint64(i+1))))
		span.Attributes().PutStr("langfuse.observation.input", strings.Repeat("text ", 200))
		span.Attributes().PutStr("langfuse.observation.metadata.tenant", "acme")
	}
	return td
}

// A graceful stop while the service is down loses nothing either, and says so.
func TestOutageAndStop(t *testing.T) {
	const spans, perBatch = 2_000, 500
	far := newService(t)
	env := map[string]string{"WEIR_DATA_DIR": t.TempDir(), "WEIR_UPSTREAM_URL": far.URL()}

	first := start(t, "sidecar.yaml", env)
	for sent := 0; sent < spans; sent += perBatch {
		first.sendTraces(batch(sent, perBatch))
	}
	require.Eventually(t, func() bool { return strings.Contains(first.Printed.String(), "Will retry the request") },
		patience, 10*time.Millisecond, "it was tried")
	first.Signal(syscall.SIGTERM)
	assert.Zero(t, first.ExitCode())
	assert.Contains(t, first.Printed.String(), "What is not yet delivered stays in the queue on disk.")
	assert.NotContains(t, first.Printed.String(), "Dropping data")

	require.NoError(t, far.Listen())
	start(t, "sidecar.yaml", env)
	require.Eventually(t, func() bool { return arrived(far) == spans }, patience, 20*time.Millisecond)
}

// Spans that were acknowledged while the service was down survive a kill, and arrive when it is back.
func TestOutageAndKill(t *testing.T) {
	const spans, perBatch = 20_000, 500
	far := newService(t)
	env := map[string]string{"WEIR_DATA_DIR": t.TempDir(), "WEIR_UPSTREAM_URL": far.URL()}

	first := start(t, "sidecar.yaml", env)
	for sent := 0; sent < spans; sent += perBatch {
		first.sendTraces(batch(sent, perBatch))
	}
	first.Signal(syscall.SIGKILL)
	require.Zero(t, arrived(far))

	require.NoError(t, far.Listen())
	second := start(t, "sidecar.yaml", env)
	require.Eventually(t, func() bool { return arrived(far) == spans }, patience, 20*time.Millisecond)

	twice := 0
	for _, times := range far.Spans() {
		if times.Kept > 1 {
			twice++
		}
	}
	t.Logf("sent %d, acknowledged %d, found %d, doubled %d, lost %d", spans, spans, arrived(far), twice, spans-arrived(far))
	assert.Zero(t, twice, "no answer was lost, so nothing was sent twice")
	require.Eventually(t, func() bool { return second.metric("otelcol_exporter_queue_size") == 0 }, patience, 20*time.Millisecond)
	assert.InDelta(t, spans, second.metric("otelcol_exporter_sent_spans"), 0)
	assert.Zero(t, second.metric("otelcol_exporter_langfuse_dropped_spans"))
	second.Signal(syscall.SIGTERM)
}
