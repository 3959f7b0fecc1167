// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"database/sql"
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"github.com/weirhq/weir/internal/query"
)

// metricColumn is a column of an answer: which cells are read for it, and what is made of them.
type metricColumn struct {
	name string
	sql  string
	// cells tells the cells of sql: t for a text, n for a count, f for a float.
	cells string
	value func(*metricCells) any
	// order is what to sort by; empty where that is not possible.
	order string
	// empty is the value over no rows.
	empty any
}

// metricCells are the cells of a column in a row.
type metricCells struct {
	text  sql.NullString
	count sql.NullInt64
	float sql.NullFloat64
}

func (c *metricCells) targets(cells string) []any {
	var targets []any
	for _, cell := range cells {
		switch cell {
		case 't':
			targets = append(targets, &c.text)
		case 'n':
			targets = append(targets, &c.count)
		case 'f':
			targets = append(targets, &c.float)
		}
	}
	return targets
}

func rowCount() metricColumn {
	return metricColumn{name: query.CountColumn, sql: "count(*)", cells: "n", value: countValue, order: "count(*)", empty: int64(0)}
}

func countValue(c *metricCells) any { return c.count.Int64 }

// newMetricColumn says how a metric is computed. Whole numbers and money stay exact: their sums are read as text.
func newMetricColumn(dialect Dialect, metric query.Metric, measure query.Measure) metricColumn {
	input := "m_" + measure.Name
	column := metricColumn{name: metric.Column()}
	fraction, isPercentile := metric.Aggregation.Percentile()
	switch {
	case metric.Aggregation == query.AggregationCount:
		column.sql, column.cells, column.value, column.empty = "count("+input+")", "n", countValue, int64(0)
	case metric.Aggregation == query.AggregationUniq:
		column.sql, column.cells, column.value, column.empty = "count(DISTINCT "+input+")", "n", countValue, int64(0)
	case metric.Aggregation == query.AggregationHistogram:
		// It takes a statement of its own; this is what a group without values has.
		column.sql, column.cells, column.value = "count(*)", "n", func(*metricCells) any { return nil }
		return column
	case isPercentile:
		column.sql = written(func(s *Statement) { dialect.Quantile(s, fraction, input) })
		column.cells, column.value = "f", floatValue(measure.Type)
	case measure.Type == query.MeasureFloat:
		column.sql, column.cells, column.value = string(metric.Aggregation)+"("+input+")", "f", floatValue(measure.Type)
	default:
		return exactColumn(dialect, column, metric.Aggregation, measure, input)
	}
	column.order = column.sql
	return column
}

// exactColumn is for the sum, average, minimum and maximum of whole numbers and money.
func exactColumn(dialect Dialect, column metricColumn, aggregation query.Aggregation, measure query.Measure, input string) metricColumn {
	sum := written(func(s *Statement) { dialect.ExactSum(s, input) })
	column.cells = "t"
	column.order = string(aggregation) + "(" + input + ")"
	switch aggregation {
	case query.AggregationAvg:
		column.sql, column.cells = sum+", count("+input+")", "tn"
		column.value = func(c *metricCells) any { return average(c, measure.Type) }
		return column
	case query.AggregationSum:
		column.sql = sum
		column.order = written(func(s *Statement) { dialect.Sum(s, input) })
		if measure.IsCounted {
			column.empty = json.Number("0")
		}
	default:
		column.sql = "CAST(" + column.order + " AS VARCHAR)"
	}
	empty := column.empty
	column.value = func(c *metricCells) any {
		switch {
		case !c.text.Valid:
			return empty
		case measure.Type == query.MeasureMoney:
			return json.Number(amount(c.text.String))
		default:
			return json.Number(c.text.String)
		}
	}
	return column
}

// written is a piece of SQL as text. It must have no arguments.
func written(write func(*Statement)) string {
	s := &Statement{}
	write(s)
	return s.String()
}

func floatValue(t query.MeasureType) func(*metricCells) any {
	return func(c *metricCells) any {
		if !c.float.Valid || math.IsNaN(c.float.Float64) || math.IsInf(c.float.Float64, 0) {
			return nil
		}
		return c.float.Float64 / unitOf(t)
	}
}

// unitOf is how many of what is stored make one of what is shown.
func unitOf(t query.MeasureType) float64 {
	if t == query.MeasureMoney {
		return decimalScale
	}
	return 1
}

// average is the nearest float to the exact one.
func average(c *metricCells, t query.MeasureType) any {
	sum, ok := new(big.Int).SetString(c.text.String, 10)
	if !c.text.Valid || !ok || c.count.Int64 == 0 {
		return nil
	}
	divisor := new(big.Int).Mul(big.NewInt(c.count.Int64), big.NewInt(int64(unitOf(t))))
	mean, _ := new(big.Rat).SetFrac(sum, divisor).Float64()
	return mean
}

// amount writes a whole number of 1e-12 dollars as dollars.
func amount(units string) string {
	sign := ""
	if strings.HasPrefix(units, "-") {
		sign, units = "-", units[1:]
	}
	if len(units) <= decimalPlaces {
		units = strings.Repeat("0", decimalPlaces+1-len(units)) + units
	}
	point := len(units) - decimalPlaces
	whole, fraction := units[:point], strings.TrimRight(units[point:], "0")
	if fraction == "" {
		return sign + whole
	}
	return sign + whole + "." + fraction
}

// dimensionCell gives a target for the value of a dimension, and reads what was scanned into it.
func dimensionCell(d query.Dimension) (target any, value func() any) {
	switch {
	case d.Type == query.DimensionList && !d.IsExploded:
		var texts textList
		return &texts, func() any { return append([]string{}, texts...) }
	case d.Type == query.DimensionNumber:
		var n sql.NullFloat64
		return &n, func() any { return optional(n.Valid, n.Float64) }
	case d.Type == query.DimensionBool:
		var b sql.NullBool
		return &b, func() any { return optional(b.Valid, b.Bool) }
	default:
		var text sql.NullString
		return &text, func() any { return optional(text.Valid, text.String) }
	}
}

func optional[T any](valid bool, value T) any {
	if !valid {
		return nil
	}
	return value
}
