// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// promptHead is what changes about a prompt, in one document: who changes anything changes that, so versions and labels
// stay unique however many do so at once. What never changes, a document a version holds.
type promptHead struct {
	Type model.PromptType `json:"type"`
	Tags []string         `json:"tags,omitempty"`
	// Versions are in ascending order, never empty.
	Versions []promptEntry `json:"versions"`

	name     string
	revision int64
}

type promptEntry struct {
	Version   int       `json:"version"`
	ID        string    `json:"id"`
	Labels    []string  `json:"labels,omitempty"` // without latest
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	// Uses are the prompts that this version refers to.
	Uses []promptUse `json:"uses,omitempty"`
}

// promptBody is the document of a version.
type promptBody struct {
	Prompt        json.RawMessage `json:"prompt"`
	Config        json.RawMessage `json:"config"`
	CommitMessage string          `json:"commitMessage,omitempty"`
	CreatedBy     string          `json:"createdBy,omitempty"`
}

// promptHead reads the head of a prompt; it has no revision where there is none.
func (c *Catalog) promptHead(ctx context.Context, project, name string) (*promptHead, error) {
	d, err := c.find(ctx, project, kindPrompt, name)
	if err != nil || d.Revision == store.NoRevision {
		return &promptHead{name: name}, err
	}
	return readPromptHead(d)
}

func readPromptHead(d store.Document) (*promptHead, error) {
	head := &promptHead{name: d.ID, revision: d.Revision}
	return head, decode(d, head)
}

// change is the change that stores the head: one without versions is deleted.
func (h *promptHead) change() (store.DocumentChange, error) {
	d := store.Document{Kind: kindPrompt, ID: h.name, Name: h.name, Revision: h.revision}
	if len(h.Versions) == 0 {
		return remove(d), nil
	}
	var err error
	d.Body, err = encode(h)
	return store.DocumentChange{Document: d, Expect: h.revision}, err
}

// last is the highest version, 0 for none.
func (h *promptHead) last() int {
	if len(h.Versions) == 0 {
		return 0
	}
	return h.Versions[len(h.Versions)-1].Version
}

// labels are those of a version: latest is always on the highest, and comes last.
func (h *promptHead) labels(e *promptEntry) []string {
	labels := slices.Clone(e.Labels)
	if e.Version == h.last() {
		labels = append(labels, model.LabelLatest)
	}
	return labels
}

// byVersion and byLabel are nil where there is no such version.
func (h *promptHead) byVersion(version int) *promptEntry {
	for i := range h.Versions {
		if h.Versions[i].Version == version {
			return &h.Versions[i]
		}
	}
	return nil
}

func (h *promptHead) byLabel(label string) *promptEntry {
	for i := range h.Versions {
		if slices.Contains(h.labels(&h.Versions[i]), label) {
			return &h.Versions[i]
		}
	}
	return nil
}

// moveLabels gives labels to a version and takes them from all others.
func (h *promptHead) moveLabels(to int, labels []string, now time.Time) {
	for i := range h.Versions {
		e := &h.Versions[i]
		before := len(e.Labels)
		if e.Version == to {
			for _, label := range labels {
				if !slices.Contains(e.Labels, label) {
					e.Labels = append(e.Labels, label)
				}
			}
		} else {
			e.Labels = slices.DeleteFunc(slices.Clone(e.Labels), func(label string) bool { return slices.Contains(labels, label) })
		}
		if len(e.Labels) != before {
			e.UpdatedAt = now
		}
	}
}

// prompt is a version with all that is known of it.
func (h *promptHead) prompt(e *promptEntry, d store.Document) (model.Prompt, error) {
	var body promptBody
	if err := decode(d, &body); err != nil {
		return model.Prompt{}, err
	}
	return model.Prompt{
		ID: e.ID, Name: h.name, Version: e.Version, Type: h.Type, Prompt: body.Prompt, Config: body.Config,
		CommitMessage: body.CommitMessage, CreatedBy: body.CreatedBy, Labels: h.labels(e), Tags: slices.Clone(h.Tags),
		CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
	}, nil
}

// read is a version of the prompt. That it is missing means that it was deleted a moment ago.
func (c *Catalog) readVersion(ctx context.Context, project string, h *promptHead, e *promptEntry) (model.Prompt, error) {
	d, err := c.find(ctx, project, kindPromptVersion, e.ID)
	if err != nil {
		return model.Prompt{}, err
	}
	if d.Revision == store.NoRevision {
		return model.Prompt{}, errNoPromptVersion(h.name, e.Version)
	}
	return h.prompt(e, d)
}
