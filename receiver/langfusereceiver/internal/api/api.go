// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"slices"
	"time"

	"github.com/weirhq/weir/internal/blobs"
	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// ServiceVersion is the version of the service whose API this is. Client libraries look at it to find out what they may
// ask for.
const ServiceVersion = "4.55.0"

// Settings are what the API answers from.
type Settings struct {
	// Store and Catalog are nil where the receiver only hands data on.
	Store   store.Store
	Catalog *catalog.Catalog
	// Media are the contents of media; nil where there is no store, or none for them.
	Media *blobs.Store
	// TrustForwarded says that a proxy tells the address by which callers know this server.
	TrustForwarded bool
	// Version is that of this program.
	Version string
	// Projects are all that there are.
	Projects []*web.Project
	// StoreID and ReceiverID are the ids in the configuration, for messages about it.
	StoreID, ReceiverID string
	// LegacyReads says that the older reads are answered too.
	LegacyReads bool
	// MaxResponse bounds the size of an answer in bytes.
	MaxResponse int64
	// Stopping tells whether the program is about to end.
	Stopping func() bool
	// Now is the clock.
	Now func() time.Time
}

// API has the handlers.
type API struct {
	Settings
	answers remembered[bool]
	events  remembered[events]
}

// New makes the handlers.
func New(set Settings) *API { return &API{Settings: set} }

// Routes are all routes that the API answers.
func (a *API) Routes() []web.Route {
	routes := a.openRoutes()
	media := a.mediaRoutes()
	if a.Media == nil {
		handleAll(media, a.withoutMedia)
	}
	stored := slices.Concat(a.storeRoutes(), a.resourceRoutes(), media)
	if a.Store == nil {
		handleAll(stored, a.withoutStore)
	}
	routes = append(routes, stored...)
	return slices.Concat(routes, a.legacyRoutes(), retiredRoutes())
}

func handleAll(routes []web.Route, handle web.Handler) {
	for i := range routes {
		routes[i].Handle = handle
	}
}
