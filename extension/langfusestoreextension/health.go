// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"errors"
	"sync"
	"time"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componentstatus"
	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/store"
)

// health is whether the store takes data. It is logged and reported when it changes, and not for every write.
type health struct {
	host   component.Host
	logger *zap.Logger
	now    func() time.Time

	mu sync.Mutex
	// bad is why the store takes no data; nil if it does.
	bad error
	// failed is when a write last failed.
	failed time.Time
	ended  bool
}

// note takes the outcome of a write into account.
func (h *health) note(ctx context.Context, err error) {
	switch {
	case err == nil:
		h.change(nil)
	case errors.Is(err, store.ErrUnavailable) && ctx.Err() == nil:
		h.mu.Lock()
		h.failed = h.now()
		h.mu.Unlock()
		h.change(err)
	default:
		// A bad request, or a caller who gave up, says nothing about the store.
	}
}

// looked takes into account whether a store answers a question. Who is told that it is away may send no more writes, so an
// answer means that it is back, unless a write failed just now.
func (h *health) looked(err error) {
	if err != nil {
		h.change(err)
		return
	}
	h.mu.Lock()
	failed := h.failed
	h.mu.Unlock()
	if h.now().Sub(failed) > lookInterval {
		h.change(nil)
	}
}

func (h *health) change(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended || (h.bad == nil) == (err == nil) {
		return
	}
	h.bad = err
	if err != nil {
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
