// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"net/http"

	"go.opentelemetry.io/collector/consumer"
	"go.opentelemetry.io/collector/receiver/receiverhelper"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// Settings are what data is handed to. A consumer is nil when the receiver is in no pipeline of that signal.
type Settings struct {
	Names  wire.Names
	Traces consumer.Traces
	Logs   consumer.Logs
	// Configs is nil without a store: then whoever gets the scores checks them.
	Configs ScoreConfigs
	Report  *receiverhelper.ObsReport
	// ID is the id of the receiver, for messages about the configuration.
	ID string
}

// Ingest has the handlers.
type Ingest struct {
	Settings
}

// New makes the handlers.
func New(set Settings) *Ingest { return &Ingest{Settings: set} }

// Routes are the paths of the service, and those that stock OTLP exporters use when they have a base address only.
func (i *Ingest) Routes() []web.Route {
	routes := []web.Route{
		{Method: http.MethodPost, Path: "/api/public/scores", Access: web.WriteScores, Handle: i.scores},
		{Method: http.MethodPost, Path: "/api/public/ingestion", Access: web.WriteScores, Style: web.StyleEnvelope, Handle: i.batch},
	}
	for _, prefix := range []string{"/api/public/otel/v1", "/v1"} {
		routes = append(routes,
			web.Route{Method: http.MethodPost, Path: prefix + "/traces", Access: web.Write, Style: web.StyleOTLP, Handle: i.traces},
			web.Route{Method: http.MethodPost, Path: prefix + "/logs", Access: web.Write, Style: web.StyleOTLP, Handle: i.logs},
			web.Route{Method: http.MethodPost, Path: prefix + "/metrics", Access: web.Write, Style: web.StyleOTLP, Handle: i.metrics},
		)
	}
	return routes
}
