// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import "time"

// Groups are the groups of fields that a reader wants; the ids, times and type come always.
type Groups uint16

// The groups of fields of an observation. Metrics are computed from times. Tools, experiment and origin are no groups of the public v2 API, but
// other readers need them.
const (
	GroupBasic Groups = 1 << iota
	GroupTime
	GroupIO
	GroupMetadata
	GroupModel
	GroupUsage
	GroupPrompt
	GroupTraceContext
	GroupTools
	GroupExperiment
	GroupOrigin
	GroupMetrics

	GroupAll = GroupBasic | GroupTime | GroupIO | GroupMetadata | GroupModel | GroupUsage | GroupPrompt | GroupTraceContext |
		GroupTools | GroupExperiment | GroupOrigin | GroupMetrics
)

// Has tells whether any of the groups is wanted.
func (g Groups) Has(some Groups) bool { return g&some != 0 }

// ObservationKey is a position in the list of observations: it is sorted by start time, then trace id, then id,
// all descending.
type ObservationKey struct {
	Start   time.Time
	TraceID string
	ID      string
}

func (k *ObservationKey) validate() error {
	if k == nil {
		return nil
	}
	return validTexts([]string{k.TraceID, k.ID})
}

// MaxLimit is the largest page.
const MaxLimit = 1000

// Observations asks for a page of observations, newest first.
type Observations struct {
	Project string
	// From (inclusive) and To (exclusive) bound the start time; zero is no bound. With them an engine can leave
	// most of its data alone.
	From, To time.Time
	// Where must all hold.
	Where  []Condition
	Groups Groups
	Limit  int
	// MaxBytes bounds the texts of the page that can be large, such as input, output and metadata; 0 is no bound.
	MaxBytes int64
	// After continues a list behind a row; nil begins it.
	After *ObservationKey
	// Offset begins a list behind so many rows, for readers that count pages. It does not go with After.
	Offset int
	// WithTotal asks for the number of all rows that fit, on whatever page.
	WithTotal bool
}

// Validate tells why no engine could answer the query.
func (q *Observations) Validate() error {
	if err := validatePage(q.Project, q.Limit, q.Offset, q.After != nil); err != nil {
		return err
	}
	if err := q.After.validate(); err != nil {
		return err
	}
	for i := range q.Where {
		if err := q.Where[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}
