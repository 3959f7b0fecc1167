// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// MediaOfTraces are the links of traces and of their observations.
func (c *Catalog) MediaOfTraces(ctx context.Context, project string, traceIDs []string) ([]model.MediaLink, error) {
	documents, err := c.linksOf(ctx, project, traceIDs)
	if err != nil {
		return nil, err
	}
	return readAll(documents, readLink)
}

// MediaOfItem are the links of a dataset item.
func (c *Catalog) MediaOfItem(ctx context.Context, project, itemID string) ([]model.MediaLink, error) {
	documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindMediaLink, Parents: []string{itemParent(itemID)}})
	if err != nil {
		return nil, err
	}
	return readAll(documents, readLink)
}

func (c *Catalog) linksOf(ctx context.Context, project string, traceIDs []string) ([]store.Document, error) {
	var links []store.Document
	for part := range slices.Chunk(unique(traceIDs), query.MaxKeys) {
		parents := make([]string, len(part))
		for i, id := range part {
			parents[i] = traceParent(id)
		}
		found, err := c.collect(ctx, query.Documents{Project: project, Kind: kindMediaLink, Parents: parents})
		if err != nil {
			return nil, err
		}
		links = append(links, found...)
	}
	return links, nil
}

// UnlinkTraces forgets the links of traces that were deleted, and the media that nothing else refers to. It gives the ids
// of those media: their contents are of no use any more.
func (c *Catalog) UnlinkTraces(ctx context.Context, project string, traceIDs []string) (unused []string, _ error) {
	links, err := c.linksOf(ctx, project, traceIDs)
	if err != nil {
		return nil, err
	}
	for i := range links {
		links[i].Revision = store.AnyRevision
	}
	return c.unlink(ctx, project, links)
}

// MediaProjects are the projects in which something refers to media.
func (c *Catalog) MediaProjects(ctx context.Context) ([]string, error) {
	return c.documents.DocumentProjects(ctx, kindMediaLink)
}

// OldLinks gives the traces of a part of the links that nobody renewed since a time, and how many links that part has: none
// behind the last one.
func (c *Catalog) OldLinks(ctx context.Context, project string, since time.Time, offset int) (traceIDs []string, links int, _ error) {
	// No older versions of links are kept, so those of that time are those that are still as they were.
	page, err := c.documents.ListDocuments(ctx, query.Documents{
		Project: project, Kind: kindMediaLink, AsOf: since, Offset: offset, Limit: query.MaxLimit,
	})
	if err != nil {
		return nil, 0, err
	}
	for _, d := range page.Rows {
		link, err := readLink(d)
		if err != nil {
			return nil, 0, err
		}
		if link.TraceID != "" {
			traceIDs = append(traceIDs, link.TraceID)
		}
	}
	return unique(traceIDs), len(page.Rows), nil
}

// UnlinkOld is UnlinkTraces for links that nobody renewed since a time. It also tells how many those were.
func (c *Catalog) UnlinkOld(ctx context.Context, project string, traceIDs []string, since time.Time) (unused []string, links int, _ error) {
	found, err := c.linksOf(ctx, project, traceIDs)
	if err != nil {
		return nil, 0, err
	}
	found = slices.DeleteFunc(found, func(d store.Document) bool { return d.UpdatedAt.After(since) })
	unused, err = c.unlink(ctx, project, found)
	return unused, len(found), err
}

// unlink deletes links as they were read, and the media that nothing else refers to.
func (c *Catalog) unlink(ctx context.Context, project string, links []store.Document) (unused []string, _ error) {
	var ids []string
	for part := range slices.Chunk(links, store.MaxDocumentChanges) {
		changes := make([]store.DocumentChange, len(part))
		for i, d := range part {
			ids = append(ids, d.Name)
			changes[i] = remove(d)
		}
		if err := c.documents.WriteDocuments(ctx, project, changes); err != nil {
			return nil, err
		}
	}
	for _, id := range unique(ids) {
		isUnused, err := c.deleteUnused(ctx, project, id)
		if err != nil {
			return unused, err
		}
		if isUnused {
			unused = append(unused, id)
		}
	}
	return unused, nil
}

// deleteUnused deletes a media to which nothing refers. Who links it meanwhile writes its record too, so that this is
// tried again and finds the link.
func (c *Catalog) deleteUnused(ctx context.Context, project, id string) (isUnused bool, _ error) {
	err := c.change(ctx, project, func() ([]store.DocumentChange, error) {
		isUnused = false
		d, err := c.find(ctx, project, kindMedia, id)
		if err != nil || d.Revision == store.NoRevision {
			return nil, err
		}
		links, err := c.documents.ListDocuments(ctx, query.Documents{Project: project, Kind: kindMediaLink, Names: []string{id}})
		if err != nil || links.Total > 0 {
			return nil, err
		}
		isUnused = true
		return []store.DocumentChange{remove(d)}, nil
	})
	return isUnused && err == nil, err
}

func readLink(d store.Document) (model.MediaLink, error) {
	var link model.MediaLink
	err := decode(d, &link)
	link.MediaID = d.Name
	return link, err
}
