// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package store // import "github.com/weirhq/weir/internal/store"

import (
	"context"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// Store keeps the rows of all projects. No method that is called for a project ever sees or touches a row of another one. All methods may be called at the same time, and all honour the cancellation of their context; a write that has
// begun is finished all the same, and then tells what came of it.
//
// An answer is of one moment, also where it has a total or counts the same rows in several ways.
//
// What is written is durable when the method returns nil: a power cut right after it loses nothing. It is visible to
// every read that begins afterwards. A write is all or nothing.
type Store interface {
	Observations
	Scores
	Documents
	ScoreLists
	Experiments
	Metrics
	Traces

	// Stats tells how much the store holds.
	Stats(ctx context.Context) (Stats, error)
	// Close waits for what is under way and releases everything, file locks included. Later calls of any method
	// give ErrUnavailable.
	Close(ctx context.Context) error
}

// Stats is how much a store holds.
type Stats struct {
	Observations int64
	Scores       int64
	// Bytes is the space on disk, 0 where the engine cannot tell.
	Bytes int64
}

// Observations are the rows of spans.
type Observations interface {
	// WriteObservations stores rows. A row with the same trace id and id as a stored one replaces it, whatever its
	// start time; of two such rows in one call the later counts. A replaced row keeps the time at which it was
	// first stored. The rows must not change before it returns.
	WriteObservations(ctx context.Context, project string, rows []model.Observation) error

	// ListObservations gives a page in the order of start time, then trace id, then id, all descending. That order
	// is total: following Next from page to page neither skips nor repeats a row that was there when the first page
	// was read, while others write, unless a writer gives that row another start time. Fields of groups that
	// were not asked for are left empty, and are not read. A page whose texts are larger than the query allows is
	// ErrTooLarge.
	ListObservations(ctx context.Context, q query.Observations) (ObservationPage, error)

	// DeleteTraces removes all observations and all scores of the traces. Unknown ids are no error.
	DeleteTraces(ctx context.Context, project string, traceIDs []string) error
}

// StoredObservation is an observation with the times that the store knows.
type StoredObservation struct {
	model.Observation
	CreatedAt time.Time
	UpdatedAt time.Time
}

// ObservationPage is a part of the list of observations.
type ObservationPage struct {
	Rows []StoredObservation
	// Next continues the list; nil at its end.
	Next *query.ObservationKey
	// Total is the number of rows on all pages, if it was asked for.
	Total int64
}

// Scores are the rows of judgements.
type Scores interface {
	// WriteScores stores scores by their id. A score with the id of a stored one is merged into it: what the later
	// one gives wins, what it does not give stays; timestamp, subject, environment and the time of creation keep
	// their first value; metadata objects are merged deeply. A score that changes nothing leaves the stored one as it is,
	// the time of its last change included.
	WriteScores(ctx context.Context, project string, scores []model.Score) error

	// ScoresByID gives the scores with these ids, in no particular order. Unknown ids are left out.
	ScoresByID(ctx context.Context, project string, ids []string) ([]StoredScore, error)

	// DeleteScores removes scores by their id. Unknown ids are no error.
	DeleteScores(ctx context.Context, project string, ids []string) error
}

// StoredScore is a score with the times that the store knows.
type StoredScore struct {
	model.Score
	CreatedAt time.Time
	UpdatedAt time.Time
}
