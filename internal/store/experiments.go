// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"context"
	"time"

	"github.com/weirhq/weir/internal/query"
)

// Experiments are runs over test data. Nothing is stored of them but what their observations carry.
//
// Scores come with both lists, newest first, without CORRECTION, if they are within query.ScoreWindow of the rows on the
// page.
type Experiments interface {
	// ListExperiments gives a page in the order of the start of the latest observation, then id, both descending.
	ListExperiments(ctx context.Context, q query.Experiments) (ExperimentPage, error)
	// ListExperimentItems gives a page in the order of observations.
	ListExperimentItems(ctx context.Context, q query.ExperimentItems) (ExperimentItemPage, error)
}

// Experiment is a run as its observations tell it. A text is that of the latest observation that has one: by start
// time, trace id and id.
type Experiment struct {
	ID          string
	Name        string
	Description string
	// DatasetID is empty for local data.
	DatasetID string
	// Start is that of the first observation, LastStart that of the latest, and End the latest start or end of all.
	Start, LastStart, End time.Time
	// ItemCount is the number of observations that are the root of an item.
	ItemCount int64
	// Metadata is the JSON text of a flat object, "" for none or when nobody asked.
	Metadata string
	// Scores are those of the run itself.
	Scores []StoredScore
}

// ExperimentPage is a part of the list of experiments.
type ExperimentPage struct {
	Rows []Experiment
	// Next continues the list; nil at its end.
	Next *query.ExperimentKey
}

// ExperimentItem is the observation that is the root of an item.
type ExperimentItem struct {
	StoredObservation
	// Scores are those of the observation, and those of its trace as a whole.
	Scores []StoredScore
}

// ExperimentItemPage is a part of the list of items.
type ExperimentItemPage struct {
	Rows []ExperimentItem
	// Next continues the list; nil at its end.
	Next *query.ObservationKey
}
