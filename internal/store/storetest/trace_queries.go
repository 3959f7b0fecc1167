// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// tracesQuery is any question for traces that has to do with a row.
func (r *Rows) tracesQuery(project string, o *model.Observation) query.Traces {
	q := query.Traces{
		Project: project, Limit: pick(r, []int{0, 1, 7, 100}), Offset: pick(r, []int{0, 0, 1, 50}), WithTotal: r.chance(2),
		Parts: query.TraceParts(r.IntN(int(query.TraceAll) + 1)),
	}
	for _, list := range []struct {
		target *[]string
		value  string
	}{
		{&q.IDs, o.TraceID},
		{&q.Names, o.Name},
		{&q.Names, o.TraceName},
		{&q.UserIDs, o.UserID},
		{&q.SessionIDs, o.SessionID},
		{&q.Versions, o.Version},
		{&q.Releases, o.Release},
		{&q.Environments, o.Environment},
	} {
		if r.chance(8) {
			*list.target = r.textsLike([]string{list.value})
		}
	}
	if r.chance(8) {
		q.Tags = some(r, o.Tags)
	}
	if r.chance(5) {
		q.From = r.near(o.Start)
	}
	if r.chance(5) {
		q.To = r.near(o.Start)
	}
	for range r.IntN(3) {
		q.Where = append(q.Where, r.traceCondition(o))
	}
	for range r.IntN(3) {
		order := query.TraceOrder{Column: pick(r, query.TraceColumns[:10]), Descending: r.chance(2)}
		q.OrderBy = append(q.OrderBy, order)
	}
	return q
}

func (r *Rows) traceCondition(o *model.Observation) query.Condition {
	for {
		column, operator, isNumber := pick(r, query.TraceColumns), pick(r, allOperators), r.chance(2)
		if takes(column, operator, isNumber) {
			return r.conditionOn(column, operator, isNumber && column.Kind() == query.KindObject, o)
		}
	}
}

func (r *Rows) sessionsQuery(project string, o *model.Observation) query.Sessions {
	q := query.Sessions{Project: project, Limit: pick(r, []int{0, 1, 7, 100}), Offset: pick(r, []int{0, 0, 1}), WithTotal: !r.chance(4)}
	if r.chance(4) {
		q.IDs = r.textsLike([]string{o.SessionID})
	}
	if r.chance(4) {
		q.Environments = r.textsLike([]string{o.Environment})
	}
	if r.chance(4) {
		q.From = r.near(o.Start)
	}
	if r.chance(4) {
		q.To = r.near(o.Start)
	}
	return q
}

func (r *Rows) daysQuery(project string, o *model.Observation) query.Daily {
	s := r.sessionsQuery(project, o)
	q := query.Daily{
		Project: project, From: s.From, To: s.To, Environments: s.Environments, Limit: s.Limit, Offset: s.Offset, WithTotal: s.WithTotal,
	}
	if r.chance(4) {
		q.TraceNames = r.textsLike([]string{o.TraceName, o.Name})
	}
	if r.chance(4) {
		q.UserIDs = r.textsLike([]string{o.UserID})
	}
	if r.chance(4) {
		q.Tags = some(r, o.Tags)
	}
	return q
}
