// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

const (
	// maxNesting is how deep references may lead.
	maxNesting = 5
	// maxUses is how many different references a prompt may have.
	maxUses = 100
	// maxResolved bounds a prompt with all texts in it, in bytes: what is little when written can be much when resolved.
	maxResolved = 4 << 20
)

// A prompt refers to another by @@@langfusePrompt:name=NAME|version=N@@@ or @@@langfusePrompt:name=NAME|label=LABEL@@@.
// References are looked for in the JSON text, in which they are a part of a string.
var useTag = regexp.MustCompile(`@@@langfusePrompt:(.*?)@@@`)

// promptUse is a reference to a version, or to whatever has a label.
type promptUse struct {
	Name    string `json:"name"`
	Version int    `json:"version,omitempty"`
	Label   string `json:"label,omitempty"`
}

// isOneOf tells whether it refers to one of some versions.
func (u promptUse) isOneOf(versions []promptEntry) bool {
	return slices.ContainsFunc(versions, func(e promptEntry) bool {
		return u.Version == e.Version && u.Label == "" || u.Label != "" && slices.Contains(e.Labels, u.Label)
	})
}

func (u promptUse) query() PromptQuery {
	if u.Label != "" {
		return PromptQuery{Name: u.Name, Label: u.Label}
	}
	return PromptQuery{Name: u.Name, Version: &u.Version}
}

// parseUse reads what stands in a tag, as a part of JSON text.
func parseUse(inner string) (use promptUse, ok bool) {
	var text string
	if json.Unmarshal([]byte(`"`+inner+`"`), &text) != nil {
		return promptUse{}, false // it goes from one string of the JSON text to another
	}
	parts := strings.Split(text, "|")
	if len(parts) != 2 {
		return promptUse{}, false
	}
	name, hasName := strings.CutPrefix(parts[0], "name=")
	use.Name = name
	if version, has := strings.CutPrefix(parts[1], "version="); has {
		n, err := strconv.Atoi(version)
		use.Version = n
		return use, hasName && name != "" && err == nil && n > 0
	}
	label, hasLabel := strings.CutPrefix(parts[1], "label=")
	use.Label = label
	return use, hasName && name != "" && hasLabel && label != ""
}

// usesOf are the different references in a prompt, but not more than one too many.
func usesOf(prompt json.RawMessage) []promptUse {
	var uses []promptUse
	found := map[promptUse]bool{}
	for _, match := range useTag.FindAllSubmatchIndex(prompt, -1) {
		use, ok := parseUse(string(prompt[match[2]:match[3]]))
		if !ok || found[use] {
			continue
		}
		found[use] = true
		if uses = append(uses, use); len(uses) > maxUses {
			break
		}
	}
	return uses
}

// resolver puts texts in place of references.
type resolver struct {
	catalog *Catalog
	project string
	graph   map[string][]model.PromptRef
	// done are the prompts that were resolved already, by id.
	done map[string]json.RawMessage
	size int
}

func (c *Catalog) newResolver(project string) *resolver {
	return &resolver{catalog: c, project: project, graph: map[string][]model.PromptRef{}, done: map[string]json.RawMessage{}}
}

// resolve is a prompt with the texts of others in place of references to them.
func (c *Catalog) resolve(ctx context.Context, project string, prompt model.Prompt) (model.Prompt, error) {
	uses := usesOf(prompt.Prompt)
	if len(uses) == 0 {
		return prompt, nil
	}
	r := c.newResolver(project)
	text, err := r.resolveUses(ctx, prompt, uses, nil)
	if err != nil {
		return model.Prompt{}, err
	}
	prompt.Prompt = text
	prompt.Resolution = &model.PromptGraph{Root: refOf(prompt), Dependencies: r.graph}
	return prompt, nil
}

// checkUses tells whether a prompt that is to be made could be resolved.
func (c *Catalog) checkUses(ctx context.Context, project string, prompt model.Prompt, uses []promptUse) error {
	if len(uses) == 0 {
		return nil
	}
	_, err := c.newResolver(project).resolveUses(ctx, prompt, uses, nil)
	if errors.Is(err, store.ErrNotFound) {
		return invalid("prompt", "%v", err)
	}
	return err
}

func refOf(p model.Prompt) model.PromptRef {
	return model.PromptRef{ID: p.ID, Name: p.Name, Version: p.Version}
}

// resolve resolves a prompt that is used by those in path.
func (r *resolver) resolve(ctx context.Context, prompt model.Prompt, path []string) (json.RawMessage, error) {
	if text, ok := r.done[prompt.ID]; ok {
		return text, nil
	}
	if slices.Contains(path, prompt.Name) {
		return nil, invalid("prompt", "Circular dependency detected involving prompt '%s' version %d", prompt.Name, prompt.Version)
	}
	if len(path) > maxNesting {
		return nil, invalid("prompt", "Maximum nesting depth exceeded: prompts refer to each other more than %d levels deep", maxNesting)
	}
	return r.resolveUses(ctx, prompt, usesOf(prompt.Prompt), path)
}

// resolveUses resolves a prompt that has these references.
func (r *resolver) resolveUses(ctx context.Context, prompt model.Prompt, uses []promptUse, path []string) (json.RawMessage, error) {
	if len(uses) > maxUses {
		return nil, invalid("prompt", "A prompt refers to at most %d others", maxUses)
	}
	texts := make(map[promptUse]json.RawMessage, len(uses))
	for _, use := range uses {
		used, err := r.catalog.findPrompt(ctx, r.project, use.query())
		if errors.Is(err, store.ErrNotFound) {
			return nil, notFound("Prompt dependency not found: %s", use)
		}
		if err != nil {
			return nil, err
		}
		if used.Type != model.PromptText {
			return nil, invalid("prompt", "Prompt dependency is not a text prompt: %s", use)
		}
		if texts[use], err = r.resolve(ctx, used, append(path, prompt.Name)); err != nil {
			return nil, err
		}
		if ref := refOf(used); !slices.Contains(r.graph[prompt.ID], ref) {
			r.graph[prompt.ID] = append(r.graph[prompt.ID], ref)
		}
	}
	text, err := r.replace(prompt.Prompt, texts)
	if err != nil {
		return nil, err
	}
	r.done[prompt.ID] = text
	return text, nil
}

// replace puts in the texts, which are JSON strings, without their quotes.
func (r *resolver) replace(prompt json.RawMessage, texts map[promptUse]json.RawMessage) (json.RawMessage, error) {
	var out []byte
	at := 0
	for _, match := range useTag.FindAllSubmatchIndex(prompt, -1) {
		use, ok := parseUse(string(prompt[match[2]:match[3]]))
		if !ok {
			continue
		}
		text := texts[use]
		out = append(out, prompt[at:match[0]]...)
		out = append(out, text[1:len(text)-1]...)
		at = match[1]
		if r.size+len(out) > maxResolved {
			return nil, invalid("prompt", "The prompt has more than %d bytes when its references are resolved", maxResolved)
		}
	}
	out = append(out, prompt[at:]...)
	r.size += len(out)
	return out, nil
}
