// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import (
	"encoding/json"
	"time"
)

// PromptType says what a prompt consists of.
type PromptType string

// The types of prompts.
const (
	PromptText PromptType = "text"
	PromptChat PromptType = "chat"
)

// The labels that mean something to the service.
const (
	// LabelProduction is what is asked for when nothing else is said.
	LabelProduction = "production"
	// LabelLatest is always on the highest version.
	LabelLatest = "latest"
)

// Prompt is one version of a prompt.
type Prompt struct {
	ID      string
	Name    string
	Version int
	Type    PromptType
	// Prompt is the JSON text of a string, or of a list of messages.
	Prompt json.RawMessage
	// Config is any JSON, {} for none.
	Config        json.RawMessage
	CommitMessage string
	CreatedBy     string
	// Labels are unique among the versions of a prompt; latest is the last of them.
	Labels []string
	// Tags are the same for all versions.
	Tags []string
	// Resolution tells what was put in place of references; nil when there were none.
	Resolution *PromptGraph

	CreatedAt time.Time
	UpdatedAt time.Time
}

// PromptRef names one version of a prompt.
type PromptRef struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// PromptGraph is which prompts a prompt consists of.
type PromptGraph struct {
	Root PromptRef `json:"root"`
	// Dependencies are the prompts that a prompt refers to, by the id of the latter.
	Dependencies map[string][]PromptRef `json:"dependencies"`
}

// PromptMeta is what a list tells of a prompt: of those versions that were asked for.
type PromptMeta struct {
	Name          string
	Type          PromptType
	Versions      []int
	Labels        []string
	Tags          []string
	LastUpdatedAt time.Time
	LastConfig    json.RawMessage
}
