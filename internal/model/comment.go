// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import "time"

// ObjectType is what a comment or an entry of an annotation queue is about.
type ObjectType string

// The types of objects.
const (
	ObjectTrace       ObjectType = "TRACE"
	ObjectObservation ObjectType = "OBSERVATION"
	ObjectSession     ObjectType = "SESSION"
	ObjectPrompt      ObjectType = "PROMPT"
)

// Comment is what somebody has to say about an object.
type Comment struct {
	ID           string     `json:"-"`
	ObjectType   ObjectType `json:"objectType"`
	ObjectID     string     `json:"objectId"`
	Content      string     `json:"content"`
	AuthorUserID string     `json:"authorUserId,omitempty"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}
