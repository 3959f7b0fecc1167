// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListSessions implements store.Traces.
func (n *Naive) ListSessions(ctx context.Context, q query.Sessions) (page store.SessionPage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		sessions := map[string]*store.Session{}
		for _, o := range p.inOrder() {
			if o.SessionID == "" {
				continue
			}
			s := sessions[o.SessionID]
			if s == nil {
				s = &store.Session{ID: o.SessionID, CreatedAt: o.Start}
				sessions[o.SessionID] = s
			}
			s.Environment = cmp.Or(s.Environment, o.Environment)
		}
		var found []store.Session
		for _, s := range sessions {
			if within(s.CreatedAt, q.From, q.To) && oneOf(q.IDs, s.ID) && oneOf(q.Environments, s.Environment) {
				found = append(found, *s)
			}
		}
		slices.SortFunc(found, func(a, b store.Session) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
		})
		page.Rows, page.Total = pageOf(found, q.Limit, q.Offset, q.WithTotal)
		return nil
	})
	return page, err
}

// inOrder are all observations, the first first.
func (p *naiveProject) inOrder() []*model.Observation {
	var all []*model.Observation
	for _, row := range p.observations {
		all = append(all, &row.Observation)
	}
	slices.SortFunc(all, func(a, b *model.Observation) int { return compareKeys(keyOf(a), keyOf(b)) })
	return all
}

// tally counts observations.
type tally struct {
	traces                            map[string]bool
	observations                      int64
	cost, input, output, totalOfUnits big.Int
}

func (t *tally) add(o *model.Observation) {
	if t.traces == nil {
		t.traces = map[string]bool{}
	}
	t.traces[o.TraceID] = true
	t.observations++
	cost, _ := o.Cost.Get(model.UsageKeyTotal)
	total, _ := o.Usage.Get(model.UsageKeyTotal)
	t.cost.Add(&t.cost, big.NewInt(int64(cost)))
	t.input.Add(&t.input, big.NewInt(tokens(o, true)))
	t.output.Add(&t.output, big.NewInt(tokens(o, false)))
	t.totalOfUnits.Add(&t.totalOfUnits, big.NewInt(total))
}

func (t *tally) numbers() store.Numbers {
	money := query.Measure{Type: query.MeasureMoney}
	cost := exact(new(big.Rat).SetFrac(&t.cost, big.NewInt(1e12)), money).(json.Number)
	return store.Numbers{Traces: int64(len(t.traces)), Observations: t.observations, TotalCost: cost}
}

// ListDays implements store.Traces.
func (n *Naive) ListDays(ctx context.Context, q query.Daily) (page store.DayPage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		wanted := map[string]bool{}
		traces, _ := q.Traces()
		for _, t := range p.traces() {
			wanted[t.ID] = asksForTrace(&traces, &t)
		}
		days, models := map[string]*tally{}, map[string]map[string]*tally{}
		for _, o := range p.inOrder() {
			if !within(o.Start, q.From, q.To) || !wanted[o.TraceID] {
				continue
			}
			date := o.Start.UTC().Format(time.DateOnly)
			if days[date] == nil {
				days[date], models[date] = &tally{}, map[string]*tally{}
			}
			if models[date][o.Model] == nil {
				models[date][o.Model] = &tally{}
			}
			days[date].add(o)
			models[date][o.Model].add(o)
		}
		dates := slices.Sorted(maps.Keys(days))
		slices.Reverse(dates)
		dates, page.Total = pageOf(dates, q.Limit, q.Offset, q.WithTotal)
		for _, date := range dates {
			day := store.Day{Date: date, Numbers: days[date].numbers()}
			for _, name := range slices.Sorted(maps.Keys(models[date])) {
				t := models[date][name]
				day.Models = append(day.Models, store.ModelUsage{
					Model: name, Numbers: t.numbers(), InputUsage: json.Number(t.input.String()),
					OutputUsage: json.Number(t.output.String()), TotalUsage: json.Number(t.totalOfUnits.String()),
				})
			}
			page.Rows = append(page.Rows, day)
		}
		return nil
	})
	return page, err
}
