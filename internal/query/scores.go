// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
)

// ScoreKey is a position in the list of scores: it is sorted by timestamp, then id, both descending.
type ScoreKey struct {
	Timestamp time.Time
	ID        string
}

// Scores asks for a page of scores, newest first. Everything that is given must hold; a list holds for a score that has
// any of its entries, and an empty one for every score.
type Scores struct {
	Project string
	// From (inclusive) and To (exclusive) bound the timestamp; zero is no bound.
	From, To time.Time

	IDs           []string
	Names         []string
	Sources       []model.ScoreSource
	DataTypes     []model.ScoreDataType
	Environments  []string
	ConfigIDs     []string
	QueueIDs      []string
	AuthorUserIDs []string
	// TraceIDs finds the scores of observations of these traces too.
	TraceIDs       []string
	ObservationIDs []string
	SessionIDs     []string
	ExperimentIDs  []string

	// Numbers are values of NUMERIC and BOOLEAN scores (true is 1), Texts those of all others.
	Numbers []float64
	Texts   []string
	// Min and Max are inclusive bounds of such numbers.
	Min, Max *float64
	// Compare is what older reads offer in their place.
	Compare *ScoreComparison

	// UserIDs and TraceTags ask for scores of traces of which some observation has any of these users, and of which the
	// observations together have all of these tags.
	UserIDs   []string
	TraceTags []string
	// ExceptDataTypes are left out, because a reader does not know them.
	ExceptDataTypes []model.ScoreDataType
	// OnlyOfTraces leaves out the scores of sessions and experiments, which the oldest read does not know.
	OnlyOfTraces bool
	// Where are conditions on the columns of scores, as ScoreColumnKind tells them.
	Where []Condition

	Limit int
	// After continues a list behind a score; nil begins it.
	After *ScoreKey
	// Offset begins a list behind so many scores, for readers that count pages. It does not go with After.
	Offset int
	// WithTotal asks for the number of all scores that fit, on whatever page.
	WithTotal bool
}

// ScoreComparison compares the number of a score. Scores without one never fit.
type ScoreComparison struct {
	Operator Operator
	Number   float64
}

// Columns of scores that observations do not have. They are untyped, because a Column is one of observations.
const (
	ColumnSource        = "source"
	ColumnDataType      = "dataType"
	ColumnConfigID      = "configId"
	ColumnQueueID       = "queueId"
	ColumnAuthorUserID  = "authorUserId"
	ColumnObservationID = "observationId"
	ColumnComment       = "comment"
	// ColumnValue is the number of a NUMERIC or BOOLEAN score, ColumnStringValue the text of any other.
	ColumnValue       = "value"
	ColumnStringValue = "stringValue"
	ColumnTimestamp   = "timestamp"
)

var scoreKinds = map[Column]Kind{
	ColumnID: KindText, ColumnName: KindText, ColumnSource: KindText, ColumnDataType: KindText, ColumnEnvironment: KindText,
	ColumnConfigID: KindText, ColumnQueueID: KindText, ColumnAuthorUserID: KindText, ColumnComment: KindText,
	ColumnTraceID: KindText, ColumnObservationID: KindText, ColumnSessionID: KindText, ColumnExperimentID: KindText,
	ColumnStringValue: KindText, ColumnValue: KindNumber, ColumnTimestamp: KindTime, ColumnMetadata: KindObject,
}

// ScoreColumnKind tells what the values of a column of scores are; 0 for a column that does not exist.
func ScoreColumnKind(c Column) Kind { return scoreKinds[c] }

var scoreComparisons = append(slices.Clone(comparisons), OpNotEqual)

// Validate tells why no engine could answer the query.
func (q *Scores) Validate() error {
	if err := validatePage(q.Project, q.Limit, q.Offset, q.After != nil); err != nil {
		return err
	}
	if err := validTexts(q.IDs, q.Names, q.Environments, q.ConfigIDs, q.QueueIDs, q.AuthorUserIDs, q.TraceIDs, q.ObservationIDs,
		q.SessionIDs, q.ExperimentIDs, q.Texts, q.UserIDs, q.TraceTags); err != nil {
		return err
	}
	if q.After != nil {
		if err := validTexts([]string{q.After.ID}); err != nil {
			return err
		}
	}
	numbers := slices.Clone(q.Numbers)
	for _, bound := range []*float64{q.Min, q.Max} {
		if bound != nil {
			numbers = append(numbers, *bound)
		}
	}
	if q.Compare != nil {
		if !slices.Contains(scoreComparisons, q.Compare.Operator) {
			return fmt.Errorf("a score is not compared with the operator %q", q.Compare.Operator)
		}
		numbers = append(numbers, q.Compare.Number)
	}
	for _, number := range numbers {
		if math.IsNaN(number) || math.IsInf(number, 0) {
			return fmt.Errorf("the value of a score is a finite number, not %v", number)
		}
	}
	for i := range q.Where {
		if err := q.Where[i].validateAs(ScoreColumnKind(q.Where[i].Column)); err != nil {
			return err
		}
	}
	return nil
}

// validatePage is what all lists have in common.
func validatePage(project string, limit, offset int, continues bool) error {
	switch {
	case project == "":
		return errors.New("a query needs a project")
	case limit < 0 || limit > MaxLimit:
		return fmt.Errorf("a page has 0 to %d rows, not %d", MaxLimit, limit)
	case offset < 0:
		return fmt.Errorf("a list begins at its first row or later, not at %d", offset)
	case offset > 0 && continues:
		return errors.New("a list begins behind a row or behind a number of rows, not both")
	}
	return nil
}
