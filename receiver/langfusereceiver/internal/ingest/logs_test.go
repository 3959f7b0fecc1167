// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/pdata/plog/plogotlp"
)

const logsJSON = `{"resourceLogs":[{"resource":{"attributes":[{"key":"weir.project.id","value":{"stringValue":"other"}}]},"scopeLogs":[{"logRecords":[{"eventName":"gen_ai.evaluation.result"}]}]}]}`

func TestLogsGoIntoThePipeline(t *testing.T) {
	request := plogotlp.NewExportRequest()
	require.NoError(t, request.UnmarshalJSON([]byte(logsJSON)))
	binary, err := request.MarshalProto()
	require.NoError(t, err)
	for contentType, body := range map[string][]byte{"application/json": []byte(logsJSON), "application/x-protobuf": binary} {
		for _, path := range []string{"/v1/logs", "/api/public/otel/v1/logs"} {
			h := newHarness(t, nil)
			assert.Equal(t, 200, h.post(t, path, contentType, body).status)
			require.Equal(t, 1, h.records.LogRecordCount())
			resource := h.records.AllLogs()[0].ResourceLogs().At(0)
			assert.Equal(t, map[string]any{"weir.project.id": "one", "weir.public_key": "pk"}, resource.Resource().Attributes().AsRaw())
			assert.Equal(t, "gen_ai.evaluation.result", resource.ScopeLogs().At(0).LogRecords().At(0).EventName())
		}
	}
}

func TestBadLogs(t *testing.T) {
	h := newHarness(t, nil)
	assert.Equal(t, 400, h.post(t, "/v1/logs", "application/json", []byte("{")).status)
	got := h.post(t, "/v1/logs", "application/json", []byte(logsJSON+" and more"))
	assert.Equal(t, 400, got.status)
	assert.JSONEq(t, `{"error":"Failed to parse OTel JSON Logs"}`, got.body)
	assert.Equal(t, 400, h.post(t, "/v1/logs", "application/x-protobuf", []byte("{")).status)
	assert.Equal(t, 400, h.post(t, "/v1/logs", "text/plain", []byte("{}")).status)
	assert.Equal(t, 200, h.post(t, "/v1/logs", "application/json", []byte("{}")).status)
	assert.Zero(t, h.records.LogRecordCount())
	away := newHarness(t, func(s *Settings) { s.Logs = consumertest.NewErr(errors.New("full")) })
	got = away.post(t, "/v1/logs", "application/json", []byte(logsJSON))
	assert.Equal(t, 503, got.status)
	assert.Equal(t, "1", got.header.Get("Retry-After"))
}

func TestMetricsAreTakenAndForgotten(t *testing.T) {
	h := newHarness(t, nil)
	for _, path := range []string{"/v1/metrics", "/api/public/otel/v1/metrics"} {
		got := h.post(t, path, "application/x-protobuf", []byte("anything"))
		assert.Equal(t, 200, got.status)
		assert.JSONEq(t, `{"message":"OK"}`, got.body)
	}
	assert.Equal(t, 400, h.post(t, "/v1/metrics", "text/plain", nil).status)
}

func FuzzLogs(f *testing.F) {
	f.Add(true, []byte(logsJSON))
	f.Add(false, []byte{10, 0})
	f.Fuzz(func(t *testing.T, asJSON bool, body []byte) {
		encoding := protobuf
		var err error
		if asJSON {
			encoding = jsonText
			_, err = countJSON(body)
		} else {
			_, err = logsMessage.count(body, 0)
		}
		if err != nil {
			return
		}
		if ld, err := decodeLogs(encoding, body); err == nil && ld.LogRecordCount() < 0 {
			t.Fatal("no count")
		}
	})
}
