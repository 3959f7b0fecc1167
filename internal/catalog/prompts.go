// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// PromptQuery asks for one version of a prompt: by its number, or else by a label, which is production when nothing is said.
type PromptQuery struct {
	Name    string
	Version *int
	Label   string
	// Raw leaves references as they are.
	Raw bool
}

func errNoPromptVersion(name string, version int) error {
	return notFound("Prompt not found: '%s' with version %d", name, version)
}

func errNoPromptLabel(name, label string) error {
	return notFound("Prompt not found: '%s' with label '%s'", name, label)
}

func checkVersionOrLabel(version *int, label string) error {
	if version != nil && label != "" {
		return invalid("", "Cannot specify both version and label")
	}
	return nil
}

// Prompt is one version of a prompt, with the texts of others in place of references to them.
func (c *Catalog) Prompt(ctx context.Context, project string, q PromptQuery) (model.Prompt, error) {
	if err := checkVersionOrLabel(q.Version, q.Label); err != nil {
		return model.Prompt{}, err
	}
	prompt, err := c.findPrompt(ctx, project, q)
	if err != nil || q.Raw {
		return prompt, err
	}
	return c.resolve(ctx, project, prompt)
}

// findPrompt is a version as it is stored.
func (c *Catalog) findPrompt(ctx context.Context, project string, q PromptQuery) (model.Prompt, error) {
	head, err := c.promptHead(ctx, project, q.Name)
	if err != nil {
		return model.Prompt{}, err
	}
	if q.Version != nil {
		if e := head.byVersion(*q.Version); e != nil {
			return c.readVersion(ctx, project, head, e)
		}
		return model.Prompt{}, errNoPromptVersion(q.Name, *q.Version)
	}
	label := cmp.Or(q.Label, model.LabelProduction)
	if e := head.byLabel(label); e != nil {
		return c.readVersion(ctx, project, head, e)
	}
	return model.Prompt{}, errNoPromptLabel(q.Name, label)
}

// SetPromptLabels adds labels to a version and takes them from all others.
func (c *Catalog) SetPromptLabels(ctx context.Context, project, name string, version int, labels []string) (model.Prompt, error) {
	if err := checkLabels("newLabels", labels); err != nil {
		return model.Prompt{}, err
	}
	if slices.Contains(labels, model.LabelLatest) {
		return model.Prompt{}, invalid("newLabels", "Label 'latest' is always assigned to the latest prompt version")
	}
	var head *promptHead
	err := c.change(ctx, project, func() (_ []store.DocumentChange, err error) {
		if head, err = c.promptHead(ctx, project, name); err != nil {
			return nil, err
		}
		e := head.byVersion(version)
		if e == nil {
			return nil, errNoPromptVersion(name, version)
		}
		head.moveLabels(version, labels, c.now())
		if len(e.Labels) > maxLabels {
			return nil, invalid("newLabels", "A version has at most %d labels", maxLabels)
		}
		change, err := head.change()
		return []store.DocumentChange{change}, err
	})
	if err != nil {
		return model.Prompt{}, err
	}
	return c.readVersion(ctx, project, head, head.byVersion(version))
}

// DeletePrompt deletes one version, or those with a label, or all. It is refused while other prompts refer to them.
func (c *Catalog) DeletePrompt(ctx context.Context, project, name string, version *int, label string) error {
	if err := checkVersionOrLabel(version, label); err != nil {
		return err
	}
	defer c.forgetPrompt(project, name)
	for {
		isDone, err := c.deleteVersions(ctx, project, name, version, label)
		if err != nil || isDone {
			return err
		}
	}
}

// deleteVersions deletes as many versions as fit into one write, the newest first.
func (c *Catalog) deleteVersions(ctx context.Context, project, name string, version *int, label string) (isDone bool, _ error) {
	err := c.change(ctx, project, func() ([]store.DocumentChange, error) {
		head, err := c.promptHead(ctx, project, name)
		if err != nil {
			return nil, err
		}
		var deleted, kept []promptEntry
		for i := range head.Versions {
			e := head.Versions[i]
			labels := head.labels(&e)
			if version != nil && e.Version != *version || label != "" && !slices.Contains(labels, label) {
				kept = append(kept, e)
				continue
			}
			e.Labels = labels
			deleted = append(deleted, e)
		}
		if len(deleted) == 0 {
			return nil, nothingToDelete(name, version, label)
		}
		if err := c.checkUnused(ctx, project, name, deleted); err != nil {
			return nil, err
		}
		// More than one is deleted only when all are.
		isDone = true
		if n := store.MaxDocumentChanges - 1; len(deleted) > n {
			isDone = false
			kept, deleted = head.Versions[:len(deleted)-n], deleted[len(deleted)-n:]
		}
		head.Versions = kept
		change, err := head.change()
		changes := []store.DocumentChange{change}
		for i := range deleted {
			changes = append(changes, remove(store.Document{Kind: kindPromptVersion, ID: deleted[i].ID, Revision: store.AnyRevision}))
		}
		return changes, err
	})
	return isDone, err
}

func nothingToDelete(name string, version *int, label string) error {
	switch {
	case version != nil:
		return errNoPromptVersion(name, *version)
	case label != "":
		return errNoPromptLabel(name, label)
	default:
		return notFound("Prompt not found: '%s'", name)
	}
}

// checkUnused looks whether another prompt refers to versions that are to be deleted.
func (c *Catalog) checkUnused(ctx context.Context, project, name string, deleted []promptEntry) error {
	documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindPrompt, Order: query.ByName})
	if err != nil {
		return err
	}
	for _, d := range documents {
		head, err := readPromptHead(d)
		if err != nil {
			return err
		}
		for i := range head.Versions {
			for _, use := range head.Versions[i].Uses {
				if head.name != name && use.Name == name && use.isOneOf(deleted) {
					return invalid("", "Other prompts are depending on prompt versions you are trying to delete: version %d of '%s'", head.Versions[i].Version, head.name)
				}
			}
		}
	}
	return nil
}

// PromptKey is a version of a prompt.
type PromptKey struct {
	Name    string
	Version int
}

// promptKey is a version of a prompt of a project.
type promptKey struct {
	project string
	PromptKey
}

// promptHeadsAtOnce is how many heads are read in one query: each has all versions of a prompt.
const promptHeadsAtOnce = 500

// PromptIDs are the ids of versions of prompts. Those that there are not are left out. What was found, and that there was
// nothing, is remembered for a while, since it is asked for with every observation that names a prompt.
func (c *Catalog) PromptIDs(ctx context.Context, project string, keys []PromptKey) (map[PromptKey]string, error) {
	wanted := make([]promptKey, 0, len(keys))
	for _, key := range keys {
		if key.Name != "" && len(key.Name) <= store.MaxDocumentKey { // others name nothing, and would fill the memory
			wanted = append(wanted, promptKey{project, key})
		}
	}
	found, err := c.promptIDs.getAll(wanted, func(missing []promptKey) (map[promptKey]string, error) {
		return c.readPromptIDs(ctx, project, missing)
	})
	if err != nil {
		return nil, err
	}
	ids := make(map[PromptKey]string, len(found))
	for key, id := range found {
		if id != "" {
			ids[key.PromptKey] = id
		}
	}
	return ids, nil
}

// readPromptIDs reads the heads of all prompts at once.
func (c *Catalog) readPromptIDs(ctx context.Context, project string, keys []promptKey) (map[promptKey]string, error) {
	byName := make(map[string][]promptKey, len(keys))
	var names []string
	for _, key := range keys {
		if byName[key.Name] == nil {
			names = append(names, key.Name)
		}
		byName[key.Name] = append(byName[key.Name], key)
	}
	ids := make(map[promptKey]string, len(keys))
	for part := range slices.Chunk(names, promptHeadsAtOnce) {
		documents, err := c.collect(ctx, query.Documents{Project: project, Kind: kindPrompt, IDs: part})
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			head, err := readPromptHead(d)
			if err != nil {
				return nil, err
			}
			for _, key := range byName[head.name] {
				if e := head.byVersion(key.Version); e != nil {
					ids[key] = e.ID
				}
			}
		}
	}
	return ids, nil
}

func (c *Catalog) forgetPrompt(project, name string) {
	c.promptIDs.forget(func(key promptKey) bool { return key.project == project && key.Name == name })
}

// String is the reference as messages write it.
func (u promptUse) String() string {
	if u.Label != "" {
		return "'" + u.Name + "' with label '" + u.Label + "'"
	}
	return "'" + u.Name + "' with version " + strconv.Itoa(u.Version)
}
