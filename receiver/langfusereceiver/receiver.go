// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusereceiver // import "github.com/weirhq/weir/receiver/langfusereceiver"

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.opentelemetry.io/collector/config/confighttp"
	"go.opentelemetry.io/collector/config/confignet"
	"go.opentelemetry.io/collector/config/configoptional"
	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/receiverhelper"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/storeprovider"
	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/api"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// apiReceiver is one server, whatever number of signals it is a receiver of.
type apiReceiver struct {
	cfg    *Config
	set    receiver.Settings
	traces consumer.Traces // nil when it is in no traces pipeline
	logs   consumer.Logs   // nil when it is in no logs pipeline
	// forget makes the factory begin anew with the same configuration.
	forget func()

	started  sync.Once
	startErr error
	stopped  sync.Once
	stopErr  error
	stopping atomic.Bool

	server   *http.Server // nil before Start
	address  net.Addr
	stopWait sync.WaitGroup
}

func newAPIReceiver(cfg *Config, set receiver.Settings, forget func()) *apiReceiver {
	return &apiReceiver{cfg: cfg, set: set, forget: forget}
}

// Start listens and serves. It is called once for each signal, and does its work once.
func (r *apiReceiver) Start(ctx context.Context, host component.Host) error {
	r.started.Do(func() { r.startErr = r.start(ctx, host) })
	return r.startErr
}

func (r *apiReceiver) start(ctx context.Context, host component.Host) error {
	handler, err := r.handler(host)
	if err != nil {
		return err
	}
	server := r.cfg.ServerConfig              // a copy: the server writes its defaults into it
	server.CompressionAlgorithms = []string{} // bodies are opened by the routes, within limits
	server.MaxRequestBodySize = math.MaxInt64 // and bounded by them: some take more than others
	server.CORS = configoptional.None[confighttp.CORSConfig]()
	r.server, err = server.ToServer(ctx, host.GetExtensions(), r.set.TelemetrySettings, handler)
	if err != nil {
		return err
	}
	listener, err := server.ToListener(ctx)
	if err != nil {
		r.server = nil
		return fmt.Errorf("failed to listen at `endpoint` %s: %w; end the program that listens there, or set another `endpoint`", r.cfg.NetAddr.Endpoint, err)
	}
	r.address = listener.Addr()
	r.greet()
	r.stopWait.Go(func() {
		if err := r.server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			componentstatus.ReportStatus(host, componentstatus.NewFatalErrorEvent(err))
		}
	})
	return nil
}

// greet tells where the API is and with which keys, for who has just started it.
func (r *apiReceiver) greet() {
	address := r.address.String()
	if r.address.Network() != "unix" {
		scheme := "http://"
		if r.cfg.TLS.HasValue() {
			scheme = "https://"
		}
		address = scheme + address
	}
	r.set.Logger.Info("The API listens at " + address + "; /api/docs there describes it.")
	for i := range r.cfg.Projects {
		p := &r.cfg.Projects[i]
		keys := make([]string, len(p.Keys))
		for k := range p.Keys {
			keys[k] = p.Keys[k].PublicKey
		}
		r.set.Logger.Info(fmt.Sprintf("Project %q has the public keys %s.", p.ID, strings.Join(keys, ", ")))
	}
}

// handler answers all routes.
func (r *apiReceiver) handler(host component.Host) (http.Handler, error) {
	projects, keys := r.cfg.tenants()
	routes, err := r.routes(host, projects)
	if err != nil {
		return nil, err
	}
	return web.NewServer(web.Settings{
		Keys: web.NewKeyring(keys),
		Limits: web.BodyLimits{
			Compressed:   r.cfg.MaxRequestBodySize,
			Decompressed: r.cfg.Limits.DecompressedSize,
			Ratio:        r.cfg.Limits.CompressionRatio,
			InFlight:     web.NewBudget(r.cfg.Limits.BytesInFlight),
			Strangers:    web.NewBudget(max(r.cfg.Limits.BytesInFlight/strangersShare, 1)),
		},
		Requests:     web.NewBudget(r.cfg.Limits.ConcurrentRequests),
		MaxAnswer:    r.cfg.Limits.ResponseSize,
		CORS:         r.cfg.cors(),
		LoopbackOnly: r.cfg.hasDevelopmentKeys() && r.cfg.NetAddr.Transport != confignet.TransportTypeUnix,
		Logger:       r.set.Logger,
	}, routes)
}

// strangersShare is the part of the memory for requests that those with a public key alone may have.
const strangersShare = 4

// routes are everything that the server answers.
func (r *apiReceiver) routes(host component.Host, projects []*web.Project) ([]web.Route, error) {
	provider, err := r.provider(host)
	if err != nil {
		return nil, err
	}
	report, err := receiverhelper.NewObsReport(receiverhelper.ObsReportSettings{
		ReceiverID: r.set.ID, Transport: "http", ReceiverCreateSettings: r.set,
	})
	if err != nil {
		return nil, err
	}
	settings := api.Settings{
		Version: r.set.BuildInfo.Version, Projects: projects, StoreID: r.cfg.Store.String(), ReceiverID: r.set.ID.String(),
		LegacyReads: r.cfg.LegacyReads, MaxResponse: r.cfg.Limits.ResponseSize, TrustForwarded: r.cfg.TrustForwardedHeaders,
		Stopping: r.stopping.Load, Now: time.Now,
	}
	taking := ingest.Settings{
		Names: wire.NewNames(r.cfg.Service), Traces: r.traces, Logs: r.logs, Report: report, ID: r.set.ID.String(),
	}
	if provider != nil {
		settings.Store, settings.Catalog, settings.Media = provider.Store(), provider.Catalog(), provider.Media()
		taking.Configs = provider.Catalog()
	}
	return append(ingest.New(taking).Routes(), api.New(settings).Routes()...), nil
}

// provider is the extension with the store; nil where the configuration has none and asks for none.
func (r *apiReceiver) provider(host component.Host) (storeprovider.Provider, error) {
	if _, there := host.GetExtensions()[r.cfg.Store]; !there && !r.cfg.storeIsMeant {
		return nil, nil
	}
	return storeprovider.Find(host, r.cfg.Store)
}

// shutdownTimeout is how long requests may take to end; who reads an answer slowly must not keep the collector from it.
const shutdownTimeout = 20 * time.Second

// Shutdown lets requests end and stops listening. It may be called without Start, and twice.
func (r *apiReceiver) Shutdown(ctx context.Context) error {
	r.stopped.Do(func() {
		r.forget()
		r.stopping.Store(true)
		if r.server != nil {
			ctx, cancel := context.WithTimeout(ctx, shutdownTimeout)
			defer cancel()
			if err := r.server.Shutdown(ctx); err != nil {
				r.set.Logger.Warn("Requests did not end in time and were cut off.", zap.Error(err))
				r.stopErr = r.server.Close()
			}
		}
		r.stopWait.Wait()
	})
	return r.stopErr
}
