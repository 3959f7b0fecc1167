// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package blobs // import "github.com/weirhq/weir/internal/blobs"

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

const (
	// grace is how long a trace may take to arrive after its media.
	grace = 24 * time.Hour
	// pagesAtOnce bounds the links of a project that one round looks at; the next one goes on behind them.
	pagesAtOnce = 10
	// tracesAtOnce is how many traces are looked for in one query.
	tracesAtOnce = 500
)

// Expiry deletes the media of traces that the retention deleted. It is for one at a time.
type Expiry struct {
	Store     store.Store
	Catalog   *catalog.Catalog
	Blobs     *Store
	Retention time.Duration
	Now       func() time.Time

	// offsets are where the next round goes on, by project.
	offsets map[string]int
}

// Round looks at a part of the links of each project, and unlinks traces that have no observation any more.
func (e *Expiry) Round(ctx context.Context) (unlinked int, _ error) {
	projects, err := e.Catalog.MediaProjects(ctx)
	if err != nil {
		return 0, err
	}
	if e.offsets == nil {
		e.offsets = map[string]int{}
	}
	since := e.Now().Add(-e.Retention - grace).UTC().Truncate(time.Microsecond)
	var failures []error
	for _, project := range projects {
		n, err := e.project(ctx, project, since)
		unlinked += n
		failures = append(failures, err)
	}
	return unlinked, errors.Join(failures...)
}

func (e *Expiry) project(ctx context.Context, project string, since time.Time) (unlinked int, _ error) {
	for range pagesAtOnce {
		traceIDs, links, err := e.Catalog.OldLinks(ctx, project, since, e.offsets[project])
		if err != nil {
			return unlinked, err
		}
		gone, err := e.gone(ctx, project, traceIDs)
		if err != nil {
			return unlinked, err
		}
		unused, n, err := e.Catalog.UnlinkOld(ctx, project, gone, since)
		unlinked += n
		if err := errors.Join(err, e.Blobs.deleteUnused(ctx, e.Catalog, project, unused)); err != nil {
			return unlinked, err
		}
		if links < query.MaxLimit {
			delete(e.offsets, project)
			return unlinked, nil
		}
		e.offsets[project] += max(links-n, 0)
	}
	return unlinked, nil
}

// gone are the traces of which there is no observation.
func (e *Expiry) gone(ctx context.Context, project string, traceIDs []string) ([]string, error) {
	var gone []string
	for part := range slices.Chunk(traceIDs, tracesAtOnce) {
		page, err := e.Store.ListTraces(ctx, query.Traces{Project: project, IDs: part, Limit: len(part)})
		if err != nil {
			return nil, err
		}
		isThere := make(map[string]bool, len(page.Rows))
		for i := range page.Rows {
			isThere[page.Rows[i].ID] = true
		}
		for _, id := range part {
			if !isThere[id] {
				gone = append(gone, id)
			}
		}
	}
	return gone, nil
}
