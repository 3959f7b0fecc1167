// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import "time"

// boundsOf is a range of start times outside of which no row can fulfil the conditions; zero is no bound. The conditions
// still decide: this only tells an engine which of its data it may leave alone.
func boundsOf(conditions []Condition) (from, to time.Time) {
	for i := range conditions {
		c := &conditions[i]
		if c.Column != ColumnStartTime {
			continue
		}
		switch c.Operator {
		case OpGreater, OpGreaterOrEqual:
			from = later(from, c.Time)
		case OpLess:
			to = earlier(to, c.Time)
		case OpLessOrEqual:
			to = earlier(to, c.Time.Add(time.Millisecond)) // the end of the range is not in it
		}
	}
	return from, to
}

func later(bound, t time.Time) time.Time {
	if bound.IsZero() || t.After(bound) {
		return t
	}
	return bound
}

func earlier(bound, t time.Time) time.Time {
	if bound.IsZero() || t.Before(bound) {
		return t
	}
	return bound
}
