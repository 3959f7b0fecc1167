// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// QueryMetrics computes aggregates. The query must be valid.
func QueryMetrics(ctx context.Context, db Querier, dialect Dialect, q *query.Metrics) ([]store.MetricRow, error) {
	resolved := *q
	resolved.Granularity = q.Granularity.Resolve(q.From, q.To)
	m := &metricsReader{metricRows: newMetricRows(dialect, &resolved), grouped: resolved.AllDimensions()}
	if len(q.Metrics) == 0 {
		m.columns = []metricColumn{rowCount()}
	}
	for _, metric := range q.Metrics {
		measure, _ := q.View.Measure(metric.Measure)
		m.columns = append(m.columns, newMetricColumn(dialect, metric, measure))
	}
	if err := m.read(ctx, db); err != nil {
		return nil, err
	}
	for i, metric := range q.Metrics {
		// One that is asked for twice is one column: its bins must not be in it twice.
		if metric.Aggregation == query.AggregationHistogram && !slices.Contains(q.Metrics[:i], metric) {
			measure, _ := q.View.Measure(metric.Measure)
			if err := m.readHistogram(ctx, db, metric, measure); err != nil {
				return nil, err
			}
		}
	}
	return m.answer(), nil
}

// metricsReader reads the groups of an answer.
type metricsReader struct {
	*metricRows
	grouped []query.Dimension
	columns []metricColumn
	groups  []metricGroup
}

// metricGroup is a row of the answer, with the time of its bucket.
type metricGroup struct {
	at  time.Time
	key string
	row store.MetricRow
}

// groupNames are the aliases of dimensions and time.
func (m *metricsReader) groupNames() []string {
	var names []string
	if m.q.Granularity != "" {
		names = append(names, "bucket")
	}
	for i := range m.grouped {
		names = append(names, "g"+strconv.Itoa(i))
	}
	return names
}

// selectGroups writes the columns behind groupNames.
func (m *metricsReader) selectGroups(s *Statement) {
	if m.q.Granularity != "" {
		m.dialect.Bucket(s, m.q.Granularity, "moment")
		s.Write(" AS bucket, ")
	}
	for i, d := range m.grouped {
		sql := "d_" + d.Name
		if d.Type == query.DimensionText && !d.KeepsEmpty {
			sql = "nullif(" + sql + ", '')"
		}
		s.Write(sql, " AS g", strconv.Itoa(i), ", ")
	}
}

func list(s *Statement, before string, names []string) {
	for i, name := range names {
		if i == 0 {
			s.Write(before)
		} else {
			s.Write(", ")
		}
		s.Write(name)
	}
}

func (m *metricsReader) read(ctx context.Context, db Querier) error {
	s := &Statement{}
	s.Write("SELECT ")
	m.selectGroups(s)
	for i := range m.columns {
		if i > 0 {
			s.Write(", ")
		}
		s.Write(m.columns[i].sql)
	}
	s.Write("\nFROM ")
	m.write(s)
	list(s, "\nGROUP BY ", m.groupNames())
	m.order(s)
	s.Write("\nLIMIT ").Arg(m.q.MaxRows())

	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		group, targets := m.newGroup()
		values := make([]*metricCells, len(m.columns))
		for i := range m.columns {
			values[i] = &metricCells{}
			targets = append(targets, values[i].targets(m.columns[i].cells)...)
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		g := group()
		for i, column := range m.columns {
			g.row[column.name] = column.value(values[i])
		}
		m.groups = append(m.groups, g)
		return nil
	})
}

// order is what was asked for, and then whatever makes it total.
func (m *metricsReader) order(s *Statement) {
	sorted := map[string]bool{}
	by := func(name, sql string, descending bool) {
		if sorted[name] || sql == "" {
			return
		}
		if len(sorted) == 0 {
			s.Write("\nORDER BY ")
		} else {
			s.Write(", ")
		}
		sorted[name] = true
		s.Write(sql)
		if descending {
			s.Write(" DESC")
		}
		s.Write(" NULLS LAST")
	}
	columns := map[string]string{}
	for _, column := range m.columns {
		columns[column.name] = column.order
	}
	// Dimensions come after metrics here, but cannot have the name of one: those have an aggregation in front.
	names := []string{}
	if m.q.Granularity != "" {
		columns[query.TimeDimension] = "bucket"
		names = append(names, query.TimeDimension)
	}
	for i, d := range m.grouped {
		columns[d.Name] = "g" + strconv.Itoa(i)
		names = append(names, d.Name)
	}
	if len(names) == 0 {
		return // one row
	}
	for _, order := range m.q.Order() {
		by(order.Field, columns[order.Field], order.Descending)
	}
	for _, name := range names {
		by(name, columns[name], false)
	}
}

// newGroup gives targets for the time and the dimensions of a row, and what makes a group of them once they are scanned.
func (m *metricsReader) newGroup() (group func() metricGroup, targets []any) {
	var at moment
	if m.q.Granularity != "" {
		targets = append(targets, &at)
	}
	var read []func() any
	for _, d := range m.grouped {
		target, value := dimensionCell(d)
		targets, read = append(targets, target), append(read, value)
	}
	return func() metricGroup {
		g := metricGroup{at: time.Time(at), row: store.MetricRow{}}
		key := []any{}
		if m.q.Granularity != "" {
			g.row[query.TimeDimension] = m.q.Granularity.Format(g.at)
			key = append(key, g.row[query.TimeDimension])
		}
		for i, d := range m.grouped {
			g.row[d.Name] = read[i]()
			key = append(key, g.row[d.Name])
		}
		text, _ := json.Marshal(key) // texts, numbers and lists of texts can always be written
		g.key = string(text)
		return g
	}, targets
}

// answer fills buckets and cuts.
func (m *metricsReader) answer() []store.MetricRow {
	rows := make([]store.MetricRow, 0, len(m.groups))
	if m.q.Granularity == "" || len(m.q.OrderBy) > 0 {
		for _, g := range m.groups {
			rows = append(rows, g.row)
		}
		return rows
	}
	next, last := m.q.Granularity.Truncate(m.q.From), m.q.Granularity.Truncate(m.q.To)
	fillTo := func(end time.Time) {
		for ; next.Before(end) && len(rows) < m.q.MaxRows(); next = m.q.Granularity.Next(next) {
			rows = append(rows, m.emptyRow(next))
		}
	}
	for _, g := range m.groups {
		fillTo(g.at)
		if len(rows) < m.q.MaxRows() {
			rows = append(rows, g.row)
		}
		if !next.After(g.at) {
			next = m.q.Granularity.Next(g.at)
		}
	}
	fillTo(last)
	return rows
}

func (m *metricsReader) emptyRow(at time.Time) store.MetricRow {
	row := store.MetricRow{query.TimeDimension: m.q.Granularity.Format(at)}
	for _, d := range m.grouped {
		switch {
		case d.Type == query.DimensionList && !d.IsExploded:
			row[d.Name] = []string{}
		case d.KeepsEmpty:
			row[d.Name] = ""
		default:
			row[d.Name] = nil
		}
	}
	for _, column := range m.columns {
		row[column.name] = column.empty
	}
	return row
}
