// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"slices"
	"time"

	"github.com/weirhq/weir/internal/query"
)

// isRoot is where an observation is a logical root.
const isRoot = "(parent_id = '' OR is_app_root)"

// traceColumn is a column of traces: an aggregate over the observations of one.
type traceColumn struct {
	name  string
	write func(s *Statement, d Dialect)
}

func plain(name, sql string) traceColumn {
	return traceColumn{name, func(s *Statement, _ Dialect) { s.Write(sql) }}
}

func firstText(name, expression string) traceColumn {
	return traceColumn{name, func(s *Statement, d Dialect) { d.FirstText(s, func() { s.Write(expression) }) }}
}

// ofRoot is the first text that a logical root has.
func ofRoot(column string) traceColumn {
	return firstText(column, "CASE WHEN "+isRoot+" THEN "+column+" ELSE '' END")
}

// traceColumns have the names of the columns of observations, so that conditions can be written on either. The first few
// cost little, and tell what others are for.
var traceColumns = []traceColumn{
	plain("id", "trace_id"),
	plain("start_time", "min(start_time)"),
	plain("last_start", "max(start_time)"),
	plain("end_time", "max(greatest(start_time, coalesce(end_time, start_time)))"),
	{"name", func(s *Statement, d Dialect) {
		s.Write("coalesce(nullif(")
		d.FirstText(s, func() { s.Write("trace_name") })
		s.Write(", ''), ")
		ofRoot("name").write(s, d)
		s.Write(")")
	}},
	firstText("user_id", "user_id"),
	firstText("session_id", "session_id"),
	firstText("release", "release"),
	firstText("version", "version"),
	firstText("environment", "environment"),
	{"tags", func(s *Statement, d Dialect) { d.ListUnion(s, "tags") }},
	plain("public", "max(public)"),
	plain("bookmarked", "max(bookmarked)"),
	plain("created_at", "min(created_at)"),
	plain("updated_at", "max(updated_at)"),
	ofRoot("input"),
	ofRoot("output"),
	ofRoot("metadata"),
	{"total_cost", func(s *Statement, d Dialect) { d.Sum(s, "coalesce(total_cost, 0)") }},
	{"total_tokens", func(s *Statement, d Dialect) { d.Sum(s, "coalesce(total_tokens, 0)") }},
	plain("observations", "count(*)"),
}

// fromTraces writes a source with some columns of traces, in brackets. Bounds and ids leave out what cannot be needed; who
// reads from it must ask for the rest of the conditions.
func fromTraces(s *Statement, dialect Dialect, names []string, q *query.Traces) {
	s.Write("(SELECT ")
	first := true
	for _, column := range traceColumns {
		if slices.Contains(names, column.name) {
			if !first {
				s.Write(", ")
			}
			first = false
			column.write(s, dialect)
			s.Write(" AS ", column.name)
		}
	}
	s.Write("\nFROM observations\nWHERE project = ").Arg(q.Project)
	anyOf(s, "trace_id", q.IDs)
	// A trace that fits has an observation that does, so these can be found before anything is put together. That the whole
	// trace fits is another question.
	inTraces := func(condition func()) {
		s.Write("\n  AND trace_id IN (SELECT trace_id FROM observations WHERE project = ").Arg(q.Project)
		condition()
		s.Write(")")
	}
	if !q.From.IsZero() || !q.To.IsZero() {
		inTraces(func() { bounded(s, "start_time", q.From, q.To) })
	}
	if len(q.SessionIDs) > 0 && !slices.Contains(q.SessionIDs, "") {
		inTraces(func() { anyOf(s, "session_id", q.SessionIDs) })
	}
	if len(q.UserIDs) > 0 && !slices.Contains(q.UserIDs, "") {
		inTraces(func() { anyOf(s, "user_id", q.UserIDs) })
	}
	s.Write("\nGROUP BY trace_id) AS traces")
}

// neededForTraces are the columns on which a query has conditions, or by which it sorts.
func neededForTraces(q *query.Traces) []string {
	needed := []string{"id", "start_time", "last_start"}
	for name, values := range map[string][]string{
		"name": q.Names, "user_id": q.UserIDs, "session_id": q.SessionIDs, "version": q.Versions, "release": q.Releases,
		"environment": q.Environments, "tags": q.Tags,
	} {
		if len(values) > 0 {
			needed = append(needed, name)
		}
	}
	add := func(column query.Column) {
		if column == query.ColumnLatency {
			needed = append(needed, "end_time")
		} else {
			needed = append(needed, names[column])
		}
	}
	for i := range q.Where {
		add(q.Where[i].Column)
	}
	for _, order := range q.OrderBy {
		add(order.Column)
	}
	return needed
}

// whereTraces appends all conditions of a query on traces.
func whereTraces(s *Statement, dialect Dialect, q *query.Traces) {
	s.Write("\nWHERE TRUE")
	bounded(s, "start_time", q.From, q.To)
	anyOf(s, "name", q.Names)
	anyOf(s, "user_id", q.UserIDs)
	anyOf(s, "session_id", q.SessionIDs)
	anyOf(s, "version", q.Versions)
	anyOf(s, "release", q.Releases)
	anyOf(s, "environment", q.Environments)
	if len(q.Tags) > 0 {
		s.Write("\n  AND ")
		dialect.ListHas(s, "tags", q.Tags, true)
	}
	for i := range q.Where {
		s.Write("\n  AND ")
		conditions{s, dialect}.write(&q.Where[i])
	}
}

func orderTraces(s *Statement, dialect Dialect, q *query.Traces) {
	s.Write("\nORDER BY ")
	for _, order := range q.OrderBy {
		if order.Column == query.ColumnLatency {
			milliseconds("start_time", "end_time").write(s, dialect)
		} else {
			s.Write(names[order.Column])
		}
		if order.Descending {
			s.Write(" DESC")
		}
		s.Write(", ")
	}
	s.Write("start_time DESC, id DESC")
}

// span is the time in which all observations of some traces start.
type span struct{ first, last time.Time }

func (t *span) add(first, last time.Time) {
	if t.first.IsZero() || first.Before(t.first) {
		t.first = first
	}
	if last.After(t.last) {
		t.last = last
	}
}
