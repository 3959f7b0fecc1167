// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// Every shape takes OTLP over gRPC too, and more of it at once than gRPC allows by default.
func TestGRPC(t *testing.T) {
	for _, config := range []string{"local.yaml", "sidecar.yaml", "gateway.yaml"} {
		t.Run(config, func(t *testing.T) {
			t.Parallel()
			far := newService(t)
			far.listen()
			c := start(t, config, map[string]string{"WEIR_DATA_DIR": t.TempDir(), "LANGFUSE_BASE_URL": "http://" + far.address})
			connection, err := grpc.NewClient(c.grpc, grpc.WithTransportCredentials(insecure.NewCredentials()))
			require.NoError(t, err)
			defer connection.Close()
			td := batch(0, 1)
			const size = 5 << 20
			td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).Attributes().PutStr("langfuse.observation.output", strings.Repeat("x", size))
			_, err = ptraceotlp.NewGRPCClient(connection).Export(t.Context(), ptraceotlp.NewExportRequestFromTraces(td))
			require.NoError(t, err)

			if config == "local.yaml" {
				rows := c.read("/api/public/v2/observations?fields=basic,io")["data"].([]any)
				require.Len(t, rows, 1)
				assert.Len(t, rows[0].(map[string]any)["output"], size)
				return
			}
			require.Eventually(t, func() bool { return far.arrived() == 1 }, patience, 10*time.Millisecond)
			output, _ := far.last.Attributes().Get("langfuse.observation.output")
			assert.Len(t, output.Str(), size)
		})
	}
}
