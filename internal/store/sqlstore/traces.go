// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"
	"math"
	"math/big"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListTraces reads a page. The query must be valid. Which traces are on it is found out with as few columns as that takes;
// all others are read for these traces only.
func ListTraces(ctx context.Context, db Querier, dialect Dialect, q *query.Traces) (store.TracePage, error) {
	var page store.TracePage
	needed := neededForTraces(q)
	if q.WithTotal {
		s := &Statement{}
		s.Write("SELECT count(*)\nFROM ")
		fromTraces(s, dialect, needed, q)
		whereTraces(s, dialect, q)
		if err := readOne(ctx, db, s, &page.Total); err != nil {
			return page, err
		}
	}
	if q.Limit == 0 {
		return page, nil
	}
	s := &Statement{}
	s.Write("SELECT id, start_time, last_start\nFROM ")
	fromTraces(s, dialect, needed, q)
	whereTraces(s, dialect, q)
	orderTraces(s, dialect, q)
	s.Write("\nLIMIT ").Arg(q.Limit).Write(" OFFSET ").Arg(q.Offset)
	found := &foundTraces{project: q.Project, parts: q.Parts, byID: map[string]*store.Trace{}}
	err := readEach(ctx, db, s, func(rows *sql.Rows) error {
		var id string
		var first, last moment
		if err := rows.Scan(&id, &first, &last); err != nil {
			return err
		}
		found.ids = append(found.ids, id)
		found.byID[id] = &store.Trace{ID: id}
		found.add(time.Time(first), time.Time(last))
		return nil
	})
	if err != nil || len(found.ids) == 0 {
		return page, err
	}
	if err := found.read(ctx, db, dialect); err != nil {
		return store.TracePage{}, err
	}
	for _, id := range found.ids {
		page.Rows = append(page.Rows, *found.byID[id])
	}
	return page, nil
}

// foundTraces are the traces of a page.
type foundTraces struct {
	project string
	parts   query.TraceParts
	ids     []string
	byID    map[string]*store.Trace
	span
}

// within asks for the observations of the traces. The bounds follow from the ids, and let the engine skip what is older or newer.
func (f *foundTraces) within(s *Statement) {
	s.Write("\nWHERE project = ").Arg(f.project)
	s.Write(" AND start_time >= ").Arg(f.first).Write(" AND start_time <= ").Arg(f.last)
	anyOf(s, "trace_id", f.ids)
}

func (f *foundTraces) read(ctx context.Context, db Querier, dialect Dialect) error {
	if err := f.readFields(ctx, db, dialect); err != nil {
		return err
	}
	if f.parts.Has(query.TraceObservations) {
		s := &Statement{}
		s.Write("SELECT trace_id, id\nFROM observations")
		f.within(s)
		s.Write("\nORDER BY start_time, id")
		if err := f.readIDs(ctx, db, s, func(t *store.Trace) *[]string { return &t.ObservationIDs }); err != nil {
			return err
		}
	}
	if !f.parts.Has(query.TraceScores) {
		return nil
	}
	s := &Statement{}
	s.Write("SELECT trace_id, id\nFROM scores\nWHERE project = ").Arg(f.project).Write(" AND data_type <> ").Arg(string(model.ScoreCorrection))
	anyOf(s, "trace_id", f.ids)
	s.Write("\nORDER BY timestamp DESC, id DESC")
	return f.readIDs(ctx, db, s, func(t *store.Trace) *[]string { return &t.ScoreIDs })
}

func (f *foundTraces) readIDs(ctx context.Context, db Querier, s *Statement, target func(*store.Trace) *[]string) error {
	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		var traceID, id string
		if err := rows.Scan(&traceID, &id); err != nil {
			return err
		}
		if t := f.byID[traceID]; t != nil {
			*target(t) = append(*target(t), id)
		}
		return nil
	})
}

// readFields reads what is put together of the columns of observations.
func (f *foundTraces) readFields(ctx context.Context, db Querier, dialect Dialect) error {
	s := &Statement{}
	s.Write("SELECT ")
	separator := ""
	for _, column := range traceColumns {
		if !f.wants(column.name) {
			continue
		}
		s.Write(separator)
		separator = ", "
		if column.name == "total_cost" {
			dialect.ExactSum(s, "coalesce(total_cost, 0)")
		} else {
			column.write(s, dialect)
		}
	}
	s.Write("\nFROM observations")
	f.within(s)
	s.Write("\nGROUP BY trace_id")
	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		var t store.Trace
		var end moment
		var cost string
		var targets []any
		for _, column := range traceColumns {
			if f.wants(column.name) {
				targets = append(targets, traceTarget(&t, column.name, &end, &cost))
			}
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		if f.parts.Has(query.TraceMetrics) {
			t.Latency, t.TotalCost = time.Time(end).Sub(t.Timestamp), clamped(cost)
		}
		if found := f.byID[t.ID]; found != nil {
			*found = t
		}
		return nil
	})
}

func (f *foundTraces) wants(column string) bool {
	switch column {
	case "last_start", "total_tokens", "observations":
		return false
	case "input", "output", "metadata":
		return f.parts.Has(query.TraceIO)
	case "end_time", "total_cost":
		return f.parts.Has(query.TraceMetrics)
	default:
		return true
	}
}

func traceTarget(t *store.Trace, column string, end *moment, cost *string) any {
	return map[string]any{
		"id": &t.ID, "start_time": (*moment)(&t.Timestamp), "end_time": end, "name": &t.Name, "user_id": &t.UserID,
		"session_id": &t.SessionID, "release": &t.Release, "version": &t.Version, "environment": &t.Environment,
		"tags": (*textList)(&t.Tags), "public": &t.Public, "bookmarked": &t.Bookmarked,
		"created_at": (*moment)(&t.CreatedAt), "updated_at": (*moment)(&t.UpdatedAt),
		"input": &t.Input, "output": &t.Output, "metadata": &t.Metadata, "total_cost": cost,
	}[column]
}

// clamped is an exact sum as an amount, or the largest that there is.
func clamped(units string) model.Decimal {
	sum, ok := new(big.Int).SetString(units, 10)
	switch {
	case !ok:
		return 0
	case sum.IsInt64():
		return model.Decimal(sum.Int64())
	default:
		return model.DecimalFromFloat(math.Inf(sum.Sign()))
	}
}
