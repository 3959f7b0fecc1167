// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import "github.com/weirhq/weir/internal/query"

// operand is what a condition stands on where that is no column of observations.
type operand struct {
	kind query.Kind
	// sql is an expression of our own making; for a list or an object it is the column that has its JSON text.
	sql string
	// isKeys says that the list is the keys of an object.
	isKeys bool
}

// on appends a condition on an operand. It is never NULL: a row fulfils it or does not.
func (w conditions) on(c *query.Condition, o operand) {
	expression := func() { w.Write(o.sql) }
	w.Write("coalesce(")
	switch o.kind {
	case query.KindText:
		w.text(c, expression)
	case query.KindNumber:
		w.comparison(c, expression, c.Number)
	case query.KindTime:
		w.comparison(c, expression, c.Time)
	case query.KindBool:
		w.comparison(c, expression, c.Bool)
	case query.KindList:
		w.list(c, o.sql, o.isKeys)
	case query.KindPayload:
		w.payload(c, o.sql)
	case query.KindObject:
		w.metadata(c, o.sql)
	}
	w.Write(", FALSE)")
}

// anyOf appends that a column has one of some values; no values ask for nothing.
func anyOf[T ~string](s *Statement, column string, values []T) {
	if len(values) == 0 {
		return
	}
	s.Write("\n  AND ", column, " IN ").List(asStrings(values))
}

func asStrings[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}
