// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"
	"slices"
	"time"
)

// TraceParts are the parts of a trace that a reader wants besides its own fields.
type TraceParts uint8

// The parts of a trace.
const (
	// TraceIO is input, output and metadata.
	TraceIO TraceParts = 1 << iota
	// TraceMetrics is latency and total cost.
	TraceMetrics
	// TraceObservations and TraceScores are the ids of both.
	TraceObservations
	TraceScores

	TraceAll = TraceIO | TraceMetrics | TraceObservations | TraceScores
)

// Has tells whether any of the parts is wanted.
func (p TraceParts) Has(some TraceParts) bool { return p&some != 0 }

// Traces asks for a page of traces, for readers that count pages. What a trace is, is told by store.Trace; everything
// that is given must hold for that, and a list holds for a trace that has any of its entries.
type Traces struct {
	Project string
	// From (inclusive) and To (exclusive) bound the timestamp; zero is no bound.
	From, To time.Time

	IDs          []string
	Names        []string
	UserIDs      []string
	SessionIDs   []string
	Versions     []string
	Releases     []string
	Environments []string
	// Tags must all be there.
	Tags []string
	// Where are conditions on TraceColumns.
	Where []Condition

	Parts TraceParts
	// OrderBy is by timestamp, the latest first, when it is empty. Ties are broken in the same way, then by id,
	// descending.
	OrderBy       []TraceOrder
	Limit, Offset int
	// WithTotal asks for the number of all traces that fit, on whatever page.
	WithTotal bool
}

// TraceOrder sorts traces by a column that is neither a list nor an object.
type TraceOrder struct {
	Column     Column
	Descending bool
}

// TraceColumns are the columns of traces: those of observations, as far as a trace has them. ColumnStartTime is the
// timestamp.
var TraceColumns = []Column{
	ColumnID, ColumnName, ColumnUserID, ColumnSessionID, ColumnVersion, ColumnRelease, ColumnEnvironment, ColumnStartTime, ColumnLatency,
	ColumnTotalCost, ColumnTags, ColumnMetadata,
}

// Validate tells why no engine could answer the query.
func (q *Traces) Validate() error {
	if err := validatePage(q.Project, q.Limit, q.Offset, false); err != nil {
		return err
	}
	if err := validTexts(q.IDs, q.Names, q.UserIDs, q.SessionIDs, q.Versions, q.Releases, q.Environments, q.Tags); err != nil {
		return err
	}
	for _, order := range q.OrderBy {
		kind := order.Column.Kind()
		if !slices.Contains(TraceColumns, order.Column) || kind == KindList || kind == KindObject {
			return fmt.Errorf("traces are not sorted by %q", order.Column)
		}
	}
	return validateOn(q.Where, TraceColumns)
}

// Sessions asks for a page of sessions, the latest first: by creation, then id, both descending.
type Sessions struct {
	Project string
	// From (inclusive) and To (exclusive) bound the time of creation; zero is no bound.
	From, To time.Time

	IDs           []string
	Environments  []string
	Limit, Offset int
	// WithTotal asks for the number of all sessions that fit, on whatever page.
	WithTotal bool
}

// Validate tells why no engine could answer the query.
func (q *Sessions) Validate() error {
	if err := validatePage(q.Project, q.Limit, q.Offset, false); err != nil {
		return err
	}
	return validTexts(q.IDs, q.Environments)
}

// Daily asks for the numbers of each day in UTC on which an observation started, the latest first.
type Daily struct {
	Project string
	// From (inclusive) and To (exclusive) bound the start time of observations; zero is no bound.
	From, To time.Time
	// Only the observations of traces that have any of these, and all of the tags, count.
	TraceNames   []string
	UserIDs      []string
	Environments []string
	Tags         []string

	Limit, Offset int
	// WithTotal asks for the number of all days, on whatever page.
	WithTotal bool
}

// Validate tells why no engine could answer the query.
func (q *Daily) Validate() error {
	if err := validatePage(q.Project, q.Limit, q.Offset, false); err != nil {
		return err
	}
	return validTexts(q.TraceNames, q.UserIDs, q.Environments, q.Tags)
}

// Traces is the question for the traces that count; false when all do.
func (q *Daily) Traces() (traces Traces, some bool) {
	traces = Traces{Project: q.Project, Names: q.TraceNames, UserIDs: q.UserIDs, Environments: q.Environments, Tags: q.Tags}
	return traces, len(q.TraceNames)+len(q.UserIDs)+len(q.Environments)+len(q.Tags) > 0
}
