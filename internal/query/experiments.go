// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"
	"slices"
	"time"
)

// ExperimentKey is a position in the list of experiments: it is sorted by the start of the latest observation, then id,
// both descending.
type ExperimentKey struct {
	LastStart time.Time
	ID        string
}

// Experiments asks for a page of experiments, those with the latest activity first. An experiment is what its
// observations within the bounds of time make of it.
type Experiments struct {
	Project string
	// From (inclusive) and To (exclusive) bound the start time of observations; zero is no bound.
	From, To time.Time
	// Where are conditions on the experiment: ColumnExperimentID, ColumnExperimentName, ColumnExperimentDatasetID.
	Where []Condition
	// WithMetadata asks for the metadata of experiments.
	WithMetadata bool
	// ScoreLimit is how many scores come with each experiment at most; 0 for none.
	ScoreLimit int
	Limit      int
	// After continues a list behind an experiment; nil begins it. An experiment that got newer observations since it
	// was shown is not shown again.
	After *ExperimentKey
}

// ExperimentItems asks for a page of items, newest first: the observations that are the root of an item of an
// experiment.
type ExperimentItems struct {
	Project string
	// From (inclusive) and To (exclusive) bound the start time of the item; zero is no bound.
	From, To time.Time
	// Where are conditions on ColumnExperimentID, ColumnExperimentName, ColumnExperimentItemID and
	// ColumnExperimentDatasetID.
	Where []Condition
	// Groups are those of observations; what belongs to the experiment, its metadata and the expected output, comes
	// always.
	Groups Groups
	// ScoreLimit is how many scores come with each item at most; 0 for none.
	ScoreLimit int
	Limit      int
	// After continues a list behind an item; nil begins it.
	After *ObservationKey
}

// ScoreWindow is how far a score may be from the rows with which it comes: before the start of the first on the page,
// or after the end of the last.
const ScoreWindow = 24 * time.Hour

// MaxScoreLimit is how many scores can come with a row at most.
const MaxScoreLimit = 50

// Validate tells why no engine could answer the query.
func (q *Experiments) Validate() error {
	if err := validatePage(q.Project, q.Limit, 0, q.After != nil); err != nil {
		return err
	}
	if q.After != nil {
		if err := validTexts([]string{q.After.ID}); err != nil {
			return err
		}
	}
	return validateExperiments(q.ScoreLimit, q.Where, ColumnExperimentID, ColumnExperimentName, ColumnExperimentDatasetID)
}

// Validate tells why no engine could answer the query.
func (q *ExperimentItems) Validate() error {
	if err := validatePage(q.Project, q.Limit, 0, q.After != nil); err != nil {
		return err
	}
	if err := q.After.validate(); err != nil {
		return err
	}
	return validateExperiments(q.ScoreLimit, q.Where,
		ColumnExperimentID, ColumnExperimentName, ColumnExperimentItemID, ColumnExperimentDatasetID)
}

func validateExperiments(scoreLimit int, where []Condition, columns ...Column) error {
	if scoreLimit < 0 || scoreLimit > MaxScoreLimit {
		return fmt.Errorf("a row comes with 0 to %d scores, not %d", MaxScoreLimit, scoreLimit)
	}
	return validateOn(where, columns)
}

// validateOn allows conditions on some columns only.
func validateOn(where []Condition, columns []Column) error {
	for i := range where {
		if !slices.Contains(columns, where[i].Column) {
			return fmt.Errorf("there is no column %q", where[i].Column)
		}
		if err := where[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}

// Observations is the question for the observations behind the items.
func (q *ExperimentItems) Observations() Observations {
	isItem := []Condition{
		{Column: ColumnExperimentID, Operator: OpIsNotNull},
		{Column: ColumnExperimentItemID, Operator: OpIsNotNull},
		{Column: ColumnIsExperimentItemRootSpan, Operator: OpEqual, Bool: true},
	}
	return Observations{
		Project: q.Project, From: q.From, To: q.To, Where: append(isItem, q.Where...),
		Groups: q.Groups | GroupExperiment, Limit: q.Limit, After: q.After,
	}
}
