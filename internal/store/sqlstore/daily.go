// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListDays reads a page. The query must be valid.
func ListDays(ctx context.Context, db Querier, dialect Dialect, q *query.Daily) (store.DayPage, error) {
	var page store.DayPage
	if q.WithTotal {
		s := &Statement{}
		s.Write("SELECT count(DISTINCT date)")
		fromDays(s, dialect, q)
		if err := readOne(ctx, db, s, &page.Total); err != nil {
			return page, err
		}
	}
	if q.Limit == 0 {
		return page, nil
	}
	var days span
	s := &Statement{}
	s.Write("SELECT date")
	numberColumns(s, dialect)
	fromDays(s, dialect, q)
	s.Write("\nGROUP BY date ORDER BY date DESC\nLIMIT ").Arg(q.Limit).Write(" OFFSET ").Arg(q.Offset)
	err := readEach(ctx, db, s, func(rows *sql.Rows) error {
		var d store.Day
		var date moment
		var cost string
		if err := rows.Scan(&date, &d.Traces, &d.Observations, &cost); err != nil {
			return err
		}
		d.Date, d.TotalCost = query.GranularityDay.Format(time.Time(date)), json.Number(amount(cost))
		days.add(time.Time(date), time.Time(date))
		page.Rows = append(page.Rows, d)
		return nil
	})
	if err != nil || len(page.Rows) == 0 {
		return page, err
	}
	return page, readModels(ctx, db, dialect, q, days, page.Rows)
}

func numberColumns(s *Statement, dialect Dialect) {
	s.Write(", count(DISTINCT trace_id), count(*), ")
	dialect.ExactSum(s, "coalesce(total_cost, 0)")
}

func fromDays(s *Statement, dialect Dialect, q *query.Daily) {
	s.Write("\nFROM (SELECT ")
	dialect.Bucket(s, query.GranularityDay, "start_time")
	s.Write(" AS date, trace_id, model, input_tokens, output_tokens, total_tokens, total_cost FROM observations WHERE project = ").Arg(q.Project)
	bounded(s, "start_time", q.From, q.To)
	if traces, some := q.Traces(); some {
		s.Write("\n  AND trace_id IN (SELECT id FROM ")
		fromTraces(s, dialect, neededForTraces(&traces), &traces)
		whereTraces(s, dialect, &traces)
		s.Write(")")
	}
	s.Write(") AS days")
}

// readModels adds what each model did on the days of a page, between which there is no other.
func readModels(ctx context.Context, db Querier, dialect Dialect, q *query.Daily, between span, days []store.Day) error {
	byDate := make(map[string]*store.Day, len(days))
	for i := range days {
		byDate[days[i].Date] = &days[i]
	}
	s := &Statement{}
	s.Write("SELECT date, model")
	numberColumns(s, dialect)
	for _, column := range []string{"input_tokens", "output_tokens", "coalesce(total_tokens, 0)"} {
		s.Write(", ")
		dialect.ExactSum(s, column)
	}
	fromDays(s, dialect, q)
	s.Write("\nWHERE date >= ").Arg(between.first).Write(" AND date <= ").Arg(between.last).Write("\nGROUP BY date, model ORDER BY date, model")
	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		var m store.ModelUsage
		var date moment
		var cost, input, output, total string
		if err := rows.Scan(&date, &m.Model, &m.Traces, &m.Observations, &cost, &input, &output, &total); err != nil {
			return err
		}
		m.TotalCost = json.Number(amount(cost))
		m.InputUsage, m.OutputUsage, m.TotalUsage = json.Number(input), json.Number(output), json.Number(total)
		if d := byDate[query.GranularityDay.Format(time.Time(date))]; d != nil {
			d.Models = append(d.Models, m)
		}
		return nil
	})
}
