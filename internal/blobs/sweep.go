// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"context"
	"errors"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/store"
)

// sweeping is a store that deletes with traces the media that nothing else refers to.
type sweeping struct {
	store.Store
	catalog *catalog.Catalog
	blobs   *Store
}

// Sweeping is the store in which media go with their traces.
func Sweeping(s store.Store, c *catalog.Catalog, b *Store) store.Store {
	return &sweeping{Store: s, catalog: c, blobs: b}
}

// DeleteTraces deletes traces, then what they alone refer to. Where the second fails, the caller tries both again.
func (s *sweeping) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	if err := s.Store.DeleteTraces(ctx, project, traceIDs); err != nil {
		return err
	}
	unused, err := s.catalog.UnlinkTraces(ctx, project, traceIDs)
	return errors.Join(err, s.blobs.deleteUnused(ctx, s.catalog, project, unused))
}
