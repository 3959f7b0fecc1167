// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreextension // import "github.com/weirhq/weir/extension/langfusestoreextension"

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/weirhq/weir/internal/blobs"
)

// expiryInterval is how often media are looked for whose traces the retention deleted.
const expiryInterval = 10 * time.Minute

// startExpiry begins to delete media of traces that are gone, where there is a retention.
func (e *storeExtension) startExpiry(ctx context.Context) {
	if e.cfg.Retention == 0 {
		return
	}
	expiry := &blobs.Expiry{Store: e.store, Catalog: e.catalog, Blobs: e.media, Retention: e.cfg.Retention, Now: e.now}
	e.background.Go(func() {
		ticker := time.NewTicker(expiryInterval)
		defer ticker.Stop()
		for {
			e.expire(ctx, expiry)
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
}

func (e *storeExtension) expire(ctx context.Context, expiry *blobs.Expiry) {
	unlinked, err := expiry.Round(ctx)
	if err != nil && ctx.Err() == nil {
		e.set.Logger.Warn("Could not delete all media of traces that are gone; it is tried again.", zap.Error(err))
	}
	if unlinked > 0 {
		e.set.Logger.Info("Deleted references to media from traces that are gone.", zap.Int("references", unlinked))
	}
}
