// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/exporter/exportertest"

	"github.com/weirhq/weir/exporter/langfuseexporter/internal/metadata"
)

// However long a service asks to wait, it is between no time and an hour.
func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	for _, header := range []string{"1", "0", "-1", "99999999999", "1.5", "Sun, 15 Nov 2026 12:00:30 GMT", "Sun, 15 Nov 2099 12:00:30 GMT", "x", " 2 ", ""} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		wait := retryAfter(header, now)
		assert.True(t, wait >= 0 && wait <= maxRetryAfter, wait)
	})
}

// Whatever a service answers to scores and spans, nothing is dropped or sent again that was not sent, and nothing is both.
func FuzzSettle(f *testing.F) {
	f.Add(207, []byte(`{"successes":[{"id":"a","status":201}],"errors":[{"id":"b","status":400,"message":"m","error":"e"}]}`))
	f.Add(207, []byte(`{"errors":[{"id":"a","status":503},{"id":"a","status":400},{"id":"z","status":500}]}`))
	f.Add(207, []byte(`{"errors":{}}`))
	f.Add(207, []byte(`<html>`))
	f.Add(200, []byte(`{"partialSuccess":{"rejectedSpans":"7","errorMessage":"m"}}`))
	f.Add(200, []byte(`{"partialSuccess":{"rejectedSpans":"-7"}}`))
	f.Add(200, []byte{0x0a, 0x02, 0x08, 0x05})
	s, err := newService(testConfig("http://localhost"), exportertest.NewNopSettings(metadata.Type))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		scores := &scoreBatch{newScoreExporter(s), []scoreEvent{{id: "a", scoreID: "1"}, {id: "b", scoreID: "2"}}}
		for _, contentType := range []string{contentJSON, contentProto} {
			a := answer{status: status, header: http.Header{"Content-Type": {contentType}}, body: body}
			settled := scores.settle(t.Context(), a)
			again := 0
			if settled.again != nil {
				again = settled.again.items()
				assert.Error(t, settled.why)
			}
			assert.True(t, settled.dropped >= 0 && settled.dropped+again <= scores.items(), "%d dropped, %d again", settled.dropped, again)

			batch := &spanBatch{exporter: newSpanExporter(s), td: spans(0, 3)}
			taken := batch.settle(t.Context(), a)
			assert.True(t, taken.dropped >= 0 && taken.dropped <= 3, taken.dropped)
			assert.Nil(t, taken.again)
		}
	})
}
