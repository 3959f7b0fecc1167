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

// PromptsQuery asks for prompts that have a version for which all conditions hold; zero values are no condition.
type PromptsQuery struct {
	Name    string
	Label   string
	Tag     string
	Version *int
	// FromUpdatedAt is inclusive, ToUpdatedAt exclusive.
	FromUpdatedAt time.Time
	ToUpdatedAt   time.Time
}

// Prompts lists prompts by name, each with the versions for which the conditions hold.
func (c *Catalog) Prompts(ctx context.Context, project string, q PromptsQuery, page Page) (List[model.PromptMeta], error) {
	documents := query.Documents{Project: project, Kind: kindPrompt, Order: query.ByName}
	if q.Name != "" {
		documents.IDs = []string{q.Name}
	}
	all, err := c.collect(ctx, documents)
	if err != nil {
		return List[model.PromptMeta]{}, err
	}
	var found []model.PromptMeta
	var last []string // the id of the last version of each
	for _, d := range all {
		head, err := readPromptHead(d)
		if err != nil {
			return List[model.PromptMeta]{}, err
		}
		if meta, id := q.meta(head); len(meta.Versions) > 0 {
			found = append(found, meta)
			last = append(last, id)
		}
	}
	list, err := cut(found, page)
	if err != nil {
		return List[model.PromptMeta]{}, err
	}
	ids, err := cut(last, page)
	if err != nil {
		return List[model.PromptMeta]{}, err
	}
	return list, c.addConfigs(ctx, project, list.Rows, ids.Rows)
}

// meta is what the query finds of a prompt, and the id of the last version of that.
func (q *PromptsQuery) meta(head *promptHead) (meta model.PromptMeta, last string) {
	meta = model.PromptMeta{Name: head.name, Type: head.Type, Tags: slices.Clone(head.Tags)}
	if q.Tag != "" && !slices.Contains(head.Tags, q.Tag) {
		return meta, ""
	}
	for i := range head.Versions {
		e := &head.Versions[i]
		labels := head.labels(e)
		if q.Version != nil && e.Version != *q.Version || q.Label != "" && !slices.Contains(labels, q.Label) ||
			e.UpdatedAt.Before(q.FromUpdatedAt) || !q.ToUpdatedAt.IsZero() && !e.UpdatedAt.Before(q.ToUpdatedAt) {
			continue
		}
		meta.Versions = append(meta.Versions, e.Version)
		meta.Labels = append(meta.Labels, labels...)
		if e.UpdatedAt.After(meta.LastUpdatedAt) {
			meta.LastUpdatedAt = e.UpdatedAt
		}
		last = e.ID
	}
	return meta, last
}

// addConfigs fills in the config of the last version of each prompt.
func (c *Catalog) addConfigs(ctx context.Context, project string, rows []model.PromptMeta, ids []string) error {
	if len(rows) == 0 {
		return nil
	}
	versions, err := c.documents.ListDocuments(ctx, query.Documents{Project: project, Kind: kindPromptVersion, IDs: ids, Limit: len(ids)})
	if err != nil {
		return err
	}
	byID := map[string]store.Document{}
	for _, d := range versions.Rows {
		byID[d.ID] = d
	}
	for i := range rows {
		d, ok := byID[ids[i]]
		if !ok {
			continue // deleted a moment ago
		}
		var body promptBody
		if err := decode(d, &body); err != nil {
			return err
		}
		rows[i].LastConfig = body.Config
	}
	return nil
}
