// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"sync"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store"
)

// health is whether the store takes data. It is logged and reported when it changes, and not for every write.
type health struct {
	host   component.Host
	logger *zap.Logger

	mu    sync.Mutex
	bad   bool
	ended bool
}

// note takes the outcome of a write into account.
func (h *health) note(ctx context.Context, err error) {
	switch {
	case err == nil:
		h.change(nil)
	case errors.Is(err, store.ErrUnavailable) && ctx.Err() == nil:
		h.change(err)
	default:
		// A bad request, or a caller who gave up, says nothing about the store.
	}
}

func (h *health) change(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || h.bad == (err != nil) {
		return
	}
	h.bad = err != nil
	if h.bad {
		h.logger.Error("The store takes no data; senders are told to try again.", zap.Error(err))
		componentstatus.ReportStatus(h.host, componentstatus.NewRecoverableErrorEvent(err))
		return
	}
	h.logger.Info("The store takes data again.")
	componentstatus.ReportStatus(h.host, componentstatus.NewEvent(componentstatus.StatusOK))
}

func (h *health) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
}
