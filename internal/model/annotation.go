// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import "time"

// AnnotationQueue is a list of objects that people are to score.
type AnnotationQueue struct {
	ID             string   `json:"-"`
	Name           string   `json:"name"`
	Description    string   `json:"description,omitempty"`
	ScoreConfigIDs []string `json:"scoreConfigIds"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}

// AnnotationStatus says how far an entry of a queue is.
type AnnotationStatus string

// The states of entries of annotation queues.
const (
	AnnotationPending   AnnotationStatus = "PENDING"
	AnnotationCompleted AnnotationStatus = "COMPLETED"
)

// AnnotationItem is an entry of an annotation queue.
type AnnotationItem struct {
	ID         string           `json:"-"`
	QueueID    string           `json:"-"`
	ObjectID   string           `json:"objectId"`
	ObjectType ObjectType       `json:"objectType"`
	Status     AnnotationStatus `json:"status"`
	// CompletedAt is zero while it is pending.
	CompletedAt time.Time `json:"completedAt,omitzero"`

	CreatedAt time.Time `json:"-"`
	UpdatedAt time.Time `json:"-"`
}
