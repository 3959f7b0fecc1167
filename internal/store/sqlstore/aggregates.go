// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import "github.com/weirhq/weir/internal/query"

// Aggregates are the part of a dialect that looks at many rows.
type Aggregates interface {
	// FirstText and LastText write an aggregate over observations: an expression for the first or last that has a text, by
	// start time, trace id and id; an empty one where none has.
	FirstText(s *Statement, expression func())
	LastText(s *Statement, expression func())

	// ListUnion writes an aggregate: the different entries of the lists in a column, sorted, as such a list again.
	ListUnion(s *Statement, column string)

	// Sum writes an aggregate: the sum of integers, however large it is; NULL over nothing.
	Sum(s *Statement, expression string)
	// ExactSum writes an aggregate: the same as text.
	ExactSum(s *Statement, expression string)
	// Quantile writes an aggregate: the value at a fraction of the sorted ones, between two of them in proportion.
	Quantile(s *Statement, fraction float64, expression string)

	// Bucket writes the beginning of the bucket of a time, Date its day as 2006-01-02.
	Bucket(s *Statement, granularity query.Granularity, expression string)
	Date(s *Statement, expression string)

	// ExplodeList and ExplodeKeys write a column of a SELECT that makes one row for each entry of a list of texts, or each
	// key of an object; none where there is none.
	ExplodeList(s *Statement, column, alias string)
	ExplodeKeys(s *Statement, column, alias string)
	// ExplodeNumbers writes two such columns for the keys and values of an object of numbers, which have so many decimal
	// places at most and become whole by leaving out the point behind that many.
	ExplodeNumbers(s *Statement, column, keyAlias, valueAlias string, places int)
}
