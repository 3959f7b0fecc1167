// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"maps"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/query"
)

// metricRows writes the rows of which metrics are computed: with a column d_ for each dimension in use, m_ for each measure,
// e_ for what is exploded, and moment for the time. Aliases are made of names of our own tables only.
type metricRows struct {
	q       *query.Metrics
	dialect Dialect

	dimensions map[string]viewValue
	measures   map[string]viewValue
	explosions []explosion
}

// view tells what the names of the query stand for.
func (m *metricRows) view() (dimensions, measures map[string]viewValue) {
	switch m.q.View {
	case query.ViewObservations:
		return observationDimensions, observationMeasures
	case query.ViewTraces:
		return traceDimensions, traceMeasures
	default:
		return scoreDimensions, scoreMeasures
	}
}

// table is the name under which statements know the table of the view, and its column with the time of a row.
func (m *metricRows) table() (name, at string) {
	switch m.q.View {
	case query.ViewObservations:
		return "o", "o.start_time"
	case query.ViewTraces:
		return "traces", "traces.start_time"
	default:
		return "s", "s.timestamp"
	}
}

// newMetricRows finds out what the query needs.
func newMetricRows(dialect Dialect, q *query.Metrics) *metricRows {
	m := &metricRows{q: q, dialect: dialect, dimensions: map[string]viewValue{}, measures: map[string]viewValue{}}
	dimensions, measures := m.view()
	wanted := q.AllDimensions()
	for i := range q.Filters {
		// A list is filtered as a whole, and not entry by entry.
		if d, ok := q.FilterDimension(q.Filters[i].Column); ok && (!d.IsExploded || d.Type != query.DimensionList) {
			wanted = append(wanted, d)
		}
	}
	for _, d := range wanted {
		if value, ok := dimensions[d.Name]; ok {
			m.dimensions[d.Name] = value
			continue
		}
		i := slices.IndexFunc(explosions, func(e explosion) bool { return e.dimension == d.Name })
		if !slices.Contains(m.explosions, explosions[i]) {
			m.explosions = append(m.explosions, explosions[i])
		}
	}
	for _, metric := range q.Metrics {
		if value, ok := measures[metric.Measure]; ok {
			m.measures[metric.Measure] = value
		}
	}
	return m
}

// write appends all layers, each in brackets: rows, filters, explosions. What is outside adds the filters on exploded values.
func (m *metricRows) write(s *Statement) {
	for _, e := range m.explosions {
		s.Write("(SELECT *, ")
		switch {
		case e.measure != "":
			m.dialect.ExplodeNumbers(s, "e_"+e.dimension, "d_"+e.dimension, "m_"+e.measure, e.places)
		case e.isKeys:
			m.dialect.ExplodeKeys(s, "e_"+e.dimension, "d_"+e.dimension)
		default:
			m.dialect.ExplodeList(s, "e_"+e.dimension, "d_"+e.dimension)
		}
		s.Write("\nFROM ")
	}
	s.Write("(SELECT * FROM (")
	m.selectRows(s)
	s.Write(") AS base\nWHERE TRUE")
	m.filters(s, false)
	s.Write(") AS filtered")
	for range m.explosions {
		s.Write(") AS exploded")
	}
	s.Write("\nWHERE TRUE")
	m.filters(s, true)
}

// filters appends those that stand on exploded values, or all others.
func (m *metricRows) filters(s *Statement, exploded bool) {
	for i := range m.q.Filters {
		filter := &m.q.Filters[i]
		var on operand
		isExploded := false
		switch filter.Column {
		case m.q.View.TimeColumn():
			on = operand{kind: query.KindTime, sql: "moment"}
		case query.ColumnMetadata:
			on = operand{kind: query.KindObject, sql: "metadata"}
		default:
			d, _ := m.q.FilterDimension(filter.Column)
			on = operand{kind: d.Kind(), sql: "d_" + d.Name}
			isExploded = d.IsExploded
			if isExploded && d.Type == query.DimensionList {
				on.sql, on.isKeys, isExploded = "e_"+d.Name, d.Name == "toolNames", false
			}
		}
		if isExploded == exploded {
			s.Write("\n  AND ")
			conditions{s, m.dialect}.on(&filter.Condition, on)
		}
	}
}

// selectRows reads what is needed, and nothing else, of the rows in the range of time.
func (m *metricRows) selectRows(s *Statement) {
	table, at := m.table()
	s.Write("SELECT ", at, " AS moment")
	if slices.ContainsFunc(m.q.Filters, func(f query.MetricFilter) bool { return f.Column == query.ColumnMetadata }) {
		s.Write(", ", table, ".metadata AS metadata")
	}
	if m.q.View == query.ViewObservations {
		for _, e := range explosions {
			s.Write(", ", e.column, " AS e_", e.dimension)
		}
	}
	needs := map[relation]bool{}
	add := func(prefix string, values map[string]viewValue) {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			s.Write(", ")
			values[name].write(s, m.dialect)
			s.Write(" AS ", prefix, name)
			needs[values[name].from] = true
		}
	}
	add("d_", m.dimensions)
	add("m_", m.measures)
	switch m.q.View {
	case query.ViewObservations:
		s.Write("\nFROM observations AS o")
	case query.ViewTraces:
		s.Write("\nFROM ")
		// The end is in here, but not there.
		fromTraces(s, m.dialect, metricTraceColumns, &query.Traces{Project: m.q.Project, From: m.q.From, To: m.q.To.Add(time.Millisecond)})
	default:
		s.Write("\nFROM scores AS s")
	}
	m.join(s, needs)
	s.Write("\nWHERE ", at, " >= ").Arg(m.q.From).Write(" AND ", at, " <= ").Arg(m.q.To)
	if m.q.View != query.ViewTraces {
		s.Write(" AND ", table, ".project = ").Arg(m.q.Project)
	}
	anyOf(s, "s.data_type", scoreTypes[m.q.View])
}

// join leaves out rows that have nothing on the other side, but for traces.
func (m *metricRows) join(s *Statement, needs map[relation]bool) {
	if needs[scoreCounts] {
		s.Write("\nJOIN (SELECT trace_id, observation_id, count(*) AS scores FROM scores WHERE project = ").Arg(m.q.Project).
			Write(" AND observation_id <> '' GROUP BY trace_id, observation_id) AS c ON c.trace_id = o.trace_id AND c.observation_id = o.id")
	}
	if needs[scoresOfTrace] {
		// A trace without scores has none, and stays.
		s.Write("\nLEFT JOIN (SELECT trace_id, count(*) AS scores FROM scores WHERE project = ").Arg(m.q.Project).
			Write(" AND trace_id <> '' GROUP BY trace_id) AS c ON c.trace_id = traces.id")
	}
	if needs[judged] {
		s.Write("\nJOIN observations AS o ON o.project = s.project AND o.trace_id = s.trace_id AND o.id = s.observation_id")
	}
	if needs[rootOfTrace] {
		const columns = "trace_id, user_id, trace_name, name, tags, release, version, experiment_name, experiment_id"
		s.Write("\nJOIN (SELECT ", columns, " FROM (SELECT ", columns,
			", row_number() OVER (PARTITION BY trace_id ORDER BY start_time, id) AS place FROM observations WHERE project = ").Arg(m.q.Project).
			Write(" AND parent_id = ''").
			// Without these lines the roots of all time would be sorted.
			Write(" AND trace_id IN (SELECT trace_id FROM scores WHERE project = ").Arg(m.q.Project).
			Write(" AND timestamp >= ").Arg(m.q.From).Write(" AND timestamp <= ").Arg(m.q.To).
			Write(")) AS roots WHERE place = 1) AS r ON r.trace_id = s.trace_id")
	}
}
