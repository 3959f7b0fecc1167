// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/receiver/receivertest"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/weirhq/weir/receiver/langfusereceiver/internal/metadata"
)

func newReceiver(t *testing.T, settings map[string]any) *apiReceiver {
	t.Helper()
	cfg, err := load(settings)
	require.NoError(t, err)
	r, err := NewFactory().CreateTraces(t.Context(), receivertest.NewNopSettings(metadata.Type), cfg, consumertest.NewNop())
	require.NoError(t, err)
	return r.(*apiReceiver)
}

func TestSignalsShareOneServer(t *testing.T) {
	cfg, err := load(oneProject(nil))
	require.NoError(t, err)
	cfg.NetAddr.Endpoint = "localhost:0"
	factory, set := NewFactory(), receivertest.NewNopSettings(metadata.Type)
	traces, err := factory.CreateTraces(t.Context(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	logs, err := factory.CreateLogs(t.Context(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	assert.Same(t, traces, logs)
	require.NoError(t, traces.Start(t.Context(), nopHost()))
	require.NoError(t, logs.Start(t.Context(), nopHost()))
	require.NoError(t, traces.Shutdown(t.Context()))
	require.NoError(t, logs.Shutdown(t.Context()))

	again, err := factory.CreateTraces(t.Context(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	assert.NotSame(t, traces, again, "a server that was shut down is not started again")
}

func TestBusyPort(t *testing.T) {
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "localhost:0")
	require.NoError(t, err)
	defer taken.Close()
	settings := oneProject(nil)
	settings["endpoint"] = taken.Addr().String()
	r := newReceiver(t, settings)
	err = r.Start(t.Context(), nopHost())
	require.ErrorContains(t, err, "failed to listen at `endpoint` "+taken.Addr().String())
	require.ErrorContains(t, err, "address already in use; end the program that listens there, or set another `endpoint`")
	require.NoError(t, r.Shutdown(t.Context()))
}

func TestGreeting(t *testing.T) {
	cfg, err := load(oneProject(nil))
	require.NoError(t, err)
	cfg.NetAddr.Endpoint = "127.0.0.1:0"
	core, logs := observer.New(zap.InfoLevel)
	set := receivertest.NewNopSettings(metadata.Type)
	set.Logger = zap.New(core)
	r, err := NewFactory().CreateTraces(t.Context(), set, cfg, consumertest.NewNop())
	require.NoError(t, err)
	require.NoError(t, r.Start(t.Context(), nopHost()))
	require.NoError(t, r.Shutdown(t.Context()))
	var said []string
	for _, entry := range logs.All() {
		said = append(said, entry.Message)
	}
	require.Len(t, said, 2)
	assert.Regexp(t, `^The API listens at http://127\.0\.0\.1:\d+; /api/docs there describes it\.$`, said[0])
	assert.Equal(t, `Project "p" has the public keys pk.`, said[1])
	assert.NotContains(t, fmt.Sprint(logs.All()), "sk", "no secret is told")
}

func TestStoreThatIsNotThere(t *testing.T) {
	settings := oneProject(nil)
	settings["endpoint"], settings["store"] = "localhost:0", "langfuse_store/main"
	r := newReceiver(t, settings)
	err := r.Start(t.Context(), host{})
	require.EqualError(t, err, "there is no store: add `langfuse_store/main:` below `extensions:`, and `langfuse_store/main` to the list `service::extensions`")
	require.NoError(t, r.Shutdown(t.Context()))
}

func TestExtensionThatIsNoStore(t *testing.T) {
	settings := oneProject(nil)
	settings["endpoint"] = "localhost:0"
	r := newReceiver(t, settings)
	other := struct {
		component.StartFunc
		component.ShutdownFunc
	}{}
	err := r.Start(t.Context(), host{defaultStore: &other})
	require.ErrorContains(t, err, "`store` names the extension langfuse_store, which is no store")
	require.NoError(t, r.Shutdown(t.Context()))
}

// get asks a server that listens on a port.
func (r *apiReceiver) get(t *testing.T, path string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.address.String()+path, http.NoBody)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(content)
}

func TestReadyWhileStopping(t *testing.T) {
	settings := oneProject(nil)
	settings["endpoint"] = "localhost:0"
	r := newReceiver(t, settings)
	require.NoError(t, r.Start(t.Context(), nopHost()))
	defer func() { require.NoError(t, r.Shutdown(t.Context())) }()
	status, body := r.get(t, "/api/public/ready")
	assert.Equal(t, 200, status)
	assert.JSONEq(t, `{"status":"OK","version":"4.55.0","weir":"latest"}`, body)
	r.stopping.Store(true)
	status, body = r.get(t, "/api/public/ready")
	assert.Equal(t, 500, status)
	assert.JSONEq(t, `{"status":"SIGTERM / SIGINT received, shutting down","version":"4.55.0","weir":"latest"}`, body)
	status, _ = r.get(t, "/api/public/health")
	assert.Equal(t, 200, status)
}

func nopHost() component.Host { return componenttest.NewNopHost() }

type host map[component.ID]component.Component

func (h host) GetExtensions() map[component.ID]component.Component { return h }
