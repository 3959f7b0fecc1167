// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// healthBody is what watchdogs and client libraries look at.
type healthBody struct {
	Status  string `json:"status"`
	Version string `json:"version"`
	// Weir is the version of this program, beside that of the API which it speaks.
	Weir string `json:"weir,omitempty"`
}

// recent is how old the last event may be when a caller wants events to flow.
const recent = 3 * time.Minute

func (a *API) healthReply(status int, text string) (web.Reply, error) {
	return web.Reply{Status: status, Value: healthBody{Status: text, Version: ServiceVersion, Weir: a.Version}}, nil
}

// health tells whether the process answers, and on request whether its store does and whether events come in.
func (a *API) health(ctx context.Context, r *web.Request) (web.Reply, error) {
	asked := r.URL.Query()
	if asked.Get("failIfDatabaseUnavailable") == "true" && !a.storeAnswers(ctx) {
		return a.healthReply(http.StatusServiceUnavailable, "Database not available")
	}
	if asked.Get("failIfNoRecentEvents") == "true" {
		flowing, err := a.hasRecentEvents(ctx)
		switch {
		case err != nil:
			return a.healthReply(http.StatusServiceUnavailable, "Couldn't fetch recent events")
		case !flowing:
			return a.healthReply(http.StatusServiceUnavailable, "No events within the last 3 minutes")
		}
	}
	return a.healthReply(http.StatusOK, "OK")
}

// ready tells whether requests are welcome.
func (a *API) ready(ctx context.Context, _ *web.Request) (web.Reply, error) {
	switch {
	case a.Stopping():
		return a.healthReply(http.StatusInternalServerError, "SIGTERM / SIGINT received, shutting down")
	case !a.storeAnswers(ctx):
		return a.healthReply(http.StatusServiceUnavailable, "Readiness check failed")
	default:
		return a.healthReply(http.StatusOK, "OK")
	}
}

// storeAnswers is true without a store: then there is nothing that could be away. Anybody may ask, so that the store itself
// is asked no more than once a second.
func (a *API) storeAnswers(ctx context.Context) bool {
	if a.Store == nil {
		return true
	}
	return a.answers.get(a.Now(), func() bool {
		_, err := a.Store.ListObservations(ctx, query.Observations{Project: a.Projects[0].ID, Limit: 1, From: a.Now()})
		return err == nil
	})
}

// events tells whether there are recent ones.
type events struct {
	flowing bool
	err     error
}

func (a *API) hasRecentEvents(ctx context.Context) (bool, error) {
	if a.Store == nil {
		return true, nil
	}
	found := a.events.get(a.Now(), func() events { return a.findRecentEvents(ctx) })
	return found.flowing, found.err
}

func (a *API) findRecentEvents(ctx context.Context) events {
	now := a.Now()
	for _, project := range a.Projects {
		page, err := a.Store.ListObservations(ctx, query.Observations{Project: project.ID, Limit: 1, From: now.Add(-recent), To: now.Add(recent)})
		if err != nil || len(page.Rows) > 0 {
			return events{len(page.Rows) > 0, err}
		}
	}
	return events{}
}

// remembered is something that is found out no more than once a second, however many ask.
type remembered[T any] struct {
	mu    sync.Mutex
	until time.Time
	value T
}

func (r *remembered[T]) get(now time.Time, find func() T) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !now.Before(r.until) {
		r.value, r.until = find(), now.Add(time.Second)
	}
	return r.value
}
