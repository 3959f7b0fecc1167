// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog // import "github.com/weirhq/weir/internal/catalog"

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

const (
	maxLabel         = 36
	maxLabels        = 50
	maxTags          = 50
	maxTag           = 200
	maxCommitMessage = 500
	maxPromptBytes   = 1 << 20
	maxVersions      = 10_000
)

var (
	labelPattern = regexp.MustCompile(`^[a-z0-9_\-.]+$`)
	// takenNames are pages of the service.
	takenNames = []string{"new", "metrics", "prompt-detail"}
)

// PromptCreate makes a new version of a prompt.
type PromptCreate struct {
	Name string
	// Type is text when it is empty.
	Type          model.PromptType
	Prompt        json.RawMessage
	Config        json.RawMessage
	Labels        []string
	CommitMessage string
	// Tags replace those of the prompt; nil leaves them as they are.
	Tags []string
}

// CreatePrompt makes a new version of a prompt.
func (c *Catalog) CreatePrompt(ctx context.Context, project string, create PromptCreate) (model.Prompt, error) {
	create.Type = cmp.Or(create.Type, model.PromptText)
	if err := create.check(); err != nil {
		return model.Prompt{}, err
	}
	if isNull(create.Config) {
		create.Config = json.RawMessage("{}")
	}
	uses := usesOf(create.Prompt)
	if err := c.checkUses(ctx, project, model.Prompt{Name: create.Name, Prompt: create.Prompt}, uses); err != nil {
		return model.Prompt{}, err
	}
	body, err := encode(promptBody{
		Prompt: create.Prompt, Config: create.Config, CommitMessage: create.CommitMessage, CreatedBy: createdByAPI,
	})
	if err != nil {
		return model.Prompt{}, err
	}
	defer c.forgetPrompt(project, create.Name)
	var head *promptHead
	var changes []store.DocumentChange
	err = c.change(ctx, project, func() (_ []store.DocumentChange, err error) {
		if head, err = c.promptHead(ctx, project, create.Name); err != nil {
			return nil, err
		}
		switch {
		case head.revision == store.NoRevision:
			head.Type = create.Type
		case head.Type != create.Type:
			return nil, invalid("type", "Previous versions have different prompt type. Create a new prompt with a different name.")
		case len(head.Versions) >= maxVersions:
			return nil, invalid("name", "A prompt has at most %d versions", maxVersions)
		}
		if create.Tags != nil {
			head.Tags = unique(create.Tags)
		}
		now := c.now()
		e := promptEntry{Version: head.last() + 1, ID: newID(), CreatedAt: now, UpdatedAt: now, Uses: uses}
		head.Versions = append(head.Versions, e)
		head.moveLabels(e.Version, withoutLatest(create.Labels), now)
		change, err := head.change()
		changes = []store.DocumentChange{
			{Document: store.Document{Kind: kindPromptVersion, ID: e.ID, Parent: create.Name, Body: body}}, change,
		}
		return changes, err
	})
	if err != nil {
		return model.Prompt{}, err
	}
	return head.prompt(&head.Versions[len(head.Versions)-1], changes[0].Document)
}

// createdByAPI is who made a prompt: there is no other way.
const createdByAPI = "API"

// now is the time of a change, as it is shown.
func (c *Catalog) now() time.Time { return c.options.Now().UTC().Truncate(time.Millisecond) }

func withoutLatest(labels []string) []string {
	return slices.DeleteFunc(unique(labels), func(label string) bool { return label == model.LabelLatest })
}

// unique leaves out what came before.
func unique(texts []string) []string {
	var all []string
	for _, text := range texts {
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func (p *PromptCreate) check() error {
	if err := checkName("name", p.Name); err != nil {
		return err
	}
	if strings.Contains(p.Name, "|") {
		return invalid("name", "Prompt name cannot contain '|' character")
	}
	if slices.Contains(takenNames, p.Name) {
		return invalid("name", "Prompt name cannot be '%s'", p.Name)
	}
	if err := oneOf("type", p.Type, model.PromptText, model.PromptChat); err != nil {
		return err
	}
	if err := checkLabels("labels", p.Labels); err != nil {
		return err
	}
	if len(p.Tags) > maxTags {
		return invalid("tags", "A prompt has at most %d tags", maxTags)
	}
	for _, tag := range p.Tags {
		if err := checkText("tags", tag, 1, maxTag); err != nil {
			return err
		}
	}
	if err := checkText("commitMessage", p.CommitMessage, 0, maxCommitMessage); err != nil {
		return err
	}
	if err := checkJSON("config", p.Config); err != nil {
		return err
	}
	return checkPrompt(p.Type, p.Prompt)
}

func checkLabels(field string, labels []string) error {
	if len(labels) > maxLabels {
		return invalid(field, "A version has at most %d labels", maxLabels)
	}
	for _, label := range labels {
		if err := checkText(field, label, 1, maxLabel); err != nil {
			return err
		}
		if !labelPattern.MatchString(label) {
			return invalid(field, "Label must be lowercase alphanumeric with optional underscores, hyphens, or periods")
		}
	}
	return nil
}

// checkPrompt holds a prompt to its type.
func checkPrompt(kind model.PromptType, prompt json.RawMessage) error {
	if len(prompt) > maxPromptBytes {
		return invalid("prompt", "prompt has %d bytes, more than %d", len(prompt), maxPromptBytes)
	}
	if err := checkJSON("prompt", prompt); err != nil {
		return err
	}
	if kind == model.PromptText {
		var text *string
		if json.Unmarshal(prompt, &text) != nil || text == nil {
			return invalid("prompt", "The prompt of type text must be a string")
		}
		return nil
	}
	var messages []json.RawMessage
	if json.Unmarshal(prompt, &messages) != nil || messages == nil {
		return invalid("prompt", "The prompt of type chat must be a list of messages")
	}
	for i, message := range messages {
		var m struct {
			Type    string
			Role    *string
			Content *string
			Name    *string
		}
		if json.Unmarshal(message, &m) != nil {
			return invalid("prompt", "Message %d of the prompt must be an object with role and content, both strings", i+1)
		}
		if m.Type == "placeholder" {
			if m.Name == nil || *m.Name == "" {
				return invalid("prompt", "Message %d of the prompt is a placeholder and needs a name", i+1)
			}
			continue
		}
		if m.Role == nil || m.Content == nil {
			return invalid("prompt", "Message %d of the prompt must be an object with role and content, both strings", i+1)
		}
	}
	return nil
}
