// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/receiverhelper"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/apidoc/apidoctest"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// harness is the routes behind a server, with sinks behind them.
type harness struct {
	url       string
	client    *http.Client
	spans     *consumertest.TracesSink
	records   *consumertest.LogsSink
	telemetry *componenttest.Telemetry
}

var (
	receiverID = component.MustNewID("langfuse")
	testNames  = wire.NewNames("langfuse")
)

func newHarness(t *testing.T, change func(*Settings)) *harness {
	t.Helper()
	h := &harness{spans: new(consumertest.TracesSink), records: new(consumertest.LogsSink), telemetry: componenttest.NewTelemetry()}
	t.Cleanup(func() { require.NoError(t, h.telemetry.Shutdown(context.WithoutCancel(t.Context()))) })
	report, err := receiverhelper.NewObsReport(receiverhelper.ObsReportSettings{
		ReceiverID: receiverID, Transport: "http",
		ReceiverCreateSettings: receiver.Settings{ID: receiverID, TelemetrySettings: h.telemetry.NewTelemetrySettings()},
	})
	require.NoError(t, err)
	set := Settings{Names: testNames, Traces: h.spans, Logs: h.records, Report: report, ID: "langfuse"}
	if change != nil {
		change(&set)
	}
	handler, err := web.NewServer(web.Settings{
		Keys: web.NewKeyring([]web.Key{
			{Project: &web.Project{ID: "one"}, PublicKey: "pk", SecretKey: "sk", MayRead: true, MayWrite: true},
			{Project: &web.Project{ID: "one"}, PublicKey: "pk-read", SecretKey: "sk", MayRead: true},
		}),
		Limits:   web.BodyLimits{Decompressed: 1 << 20, Ratio: 100, InFlight: web.NewBudget(8 << 20), Strangers: web.NewBudget(8 << 20)},
		Requests: web.NewBudget(100),
		Logger:   zap.NewNop(),
	}, New(set).Routes())
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	h.url = server.URL
	// Whatever a test sends, and is answered, is held against the description of the API.
	h.client = &http.Client{Transport: apidoctest.Transport(t, server.Client().Transport)}
	return h
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (h *harness) post(t *testing.T, path, contentType string, body []byte, headers ...string) answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url+path, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("pk:sk")))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header[headers[i]] = []string{headers[i+1]} // as it stands, underscores too
	}
	response, err := h.client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, strings.TrimSuffix(string(content), "\n")}
}
