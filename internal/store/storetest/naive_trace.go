// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// naiveTrace is a trace, and what else metrics want to know of it.
type naiveTrace struct {
	store.Trace
	rows []*model.Observation
}

// traces puts all traces together, with all their parts.
func (p *naiveProject) traces() []naiveTrace {
	byID := map[string][]*store.StoredObservation{}
	for key, row := range p.observations {
		byID[key.traceID] = append(byID[key.traceID], row)
	}
	var all []naiveTrace
	for id, rows := range byID {
		slices.SortFunc(rows, func(a, b *store.StoredObservation) int {
			return compareKeys(keyOf(&a.Observation), keyOf(&b.Observation))
		})
		all = append(all, p.traceOf(id, rows))
	}
	return all
}

// traceOf puts a trace together; the rows are sorted.
func (p *naiveProject) traceOf(id string, rows []*store.StoredObservation) naiveTrace {
	t := naiveTrace{Trace: store.Trace{ID: id, Timestamp: rows[0].Start, CreatedAt: rows[0].CreatedAt}}
	var rootName string
	end := rows[0].Start
	for _, o := range rows {
		t.rows = append(t.rows, &o.Observation)
		t.Name, t.UserID, t.SessionID = cmp.Or(t.Name, o.TraceName), cmp.Or(t.UserID, o.UserID), cmp.Or(t.SessionID, o.SessionID)
		t.Release, t.Version, t.Environment = cmp.Or(t.Release, o.Release), cmp.Or(t.Version, o.Version), cmp.Or(t.Environment, o.Environment)
		t.Public, t.Bookmarked = t.Public || o.Public, t.Bookmarked || o.Bookmarked
		t.Tags = append(t.Tags, o.Tags...)
		if o.IsRoot() {
			rootName = cmp.Or(rootName, o.Name)
			t.Input, t.Output, t.Metadata = cmp.Or(t.Input, o.Input), cmp.Or(t.Output, o.Output), cmp.Or(t.Metadata, o.Metadata)
		}
		t.CreatedAt, t.UpdatedAt = minTime(t.CreatedAt, o.CreatedAt), maxTime(t.UpdatedAt, o.UpdatedAt)
		end = maxTime(end, maxTime(o.Start, o.End))
		cost, _ := o.Cost.Get(model.UsageKeyTotal)
		t.TotalCost = t.TotalCost.Plus(cost)
		t.ObservationIDs = append(t.ObservationIDs, o.ID)
	}
	t.Name = cmp.Or(t.Name, rootName)
	t.Latency = end.Sub(t.Timestamp)
	slices.Sort(t.Tags)
	t.Tags = slices.Compact(t.Tags)
	var scores []store.StoredScore
	for _, score := range p.scores {
		if score.TraceID == id && score.DataType != model.ScoreCorrection {
			scores = append(scores, score)
		}
	}
	slices.SortFunc(scores, newestScoreFirst)
	for _, score := range scores {
		t.ScoreIDs = append(t.ScoreIDs, score.ID)
	}
	return t
}

func minTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func maxTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// asObservation is a trace as conditions see it.
func (t *naiveTrace) asObservation() *model.Observation {
	return &model.Observation{
		ID: t.ID, Name: t.Name, UserID: t.UserID, SessionID: t.SessionID, Version: t.Version, Release: t.Release, Environment: t.Environment,
		Start: t.Timestamp, End: t.Timestamp.Add(t.Latency), Tags: t.Tags, Metadata: t.Metadata,
		Cost: model.Costs{{Key: model.UsageKeyTotal, Amount: t.TotalCost}},
	}
}

func asksForTrace(q *query.Traces, t *naiveTrace) bool {
	o := t.asObservation()
	return within(t.Timestamp, q.From, q.To) && oneOf(q.IDs, t.ID) && oneOf(q.Names, t.Name) && oneOf(q.UserIDs, t.UserID) &&
		oneOf(q.SessionIDs, t.SessionID) && oneOf(q.Versions, t.Version) && oneOf(q.Releases, t.Release) && oneOf(q.Environments, t.Environment) &&
		!slices.ContainsFunc(q.Tags, func(tag string) bool { return !slices.Contains(t.Tags, tag) }) &&
		!slices.ContainsFunc(q.Where, func(c query.Condition) bool { return !holds(&c, o) })
}

func compareTraces(q *query.Traces, a, b *naiveTrace) int {
	for _, order := range q.OrderBy {
		var c int
		switch order.Column {
		case query.ColumnStartTime:
			c = a.Timestamp.Compare(b.Timestamp)
		case query.ColumnLatency:
			c = cmp.Compare(a.Latency, b.Latency)
		case query.ColumnTotalCost:
			c = cmp.Compare(a.TotalCost, b.TotalCost)
		default:
			c = strings.Compare(textOf(order.Column, a.asObservation()), textOf(order.Column, b.asObservation()))
		}
		if order.Descending {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Or(b.Timestamp.Compare(a.Timestamp), strings.Compare(b.ID, a.ID))
}

// ListTraces implements store.Traces.
func (n *Naive) ListTraces(ctx context.Context, q query.Traces) (page store.TracePage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		found := slices.DeleteFunc(p.traces(), func(t naiveTrace) bool { return !asksForTrace(&q, &t) })
		slices.SortFunc(found, func(a, b naiveTrace) int { return compareTraces(&q, &a, &b) })
		found, page.Total = pageOf(found, q.Limit, q.Offset, q.WithTotal)
		for _, t := range found {
			if !q.Parts.Has(query.TraceIO) {
				t.Input, t.Output, t.Metadata = "", "", ""
			}
			if !q.Parts.Has(query.TraceMetrics) {
				t.Latency, t.TotalCost = 0, 0
			}
			if !q.Parts.Has(query.TraceObservations) {
				t.ObservationIDs = nil
			}
			if !q.Parts.Has(query.TraceScores) {
				t.ScoreIDs = nil
			}
			page.Rows = append(page.Rows, t.Trace)
		}
		return nil
	})
	return page, err
}

// pageOf cuts a page out of a list.
func pageOf[T any](all []T, limit, offset int, withTotal bool) (page []T, total int64) {
	if withTotal {
		total = int64(len(all))
	}
	all = all[min(offset, len(all)):]
	return all[:min(limit, len(all))], total
}
