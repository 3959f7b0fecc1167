// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListExperiments implements store.Experiments.
func (n *Naive) ListExperiments(ctx context.Context, q query.Experiments) (page store.ExperimentPage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		if q.Limit == 0 {
			return nil
		}
		found := slices.DeleteFunc(p.experiments(&q), func(e store.Experiment) bool { return !asksForExperiment(&q, &e) })
		slices.SortFunc(found, func(a, b store.Experiment) int {
			return compareExperimentKeys(experimentKeyOf(&b), experimentKeyOf(&a))
		})
		if len(found) > q.Limit {
			found = found[:q.Limit]
			page.Next = new(experimentKeyOf(&found[q.Limit-1]))
		}
		var around scoreWindow
		for i := range found {
			around.add(found[i].Start, found[i].End)
		}
		for i := range found {
			found[i].Scores = p.attachedScores(around, q.ScoreLimit, func(s *model.Score) bool { return s.ExperimentID == found[i].ID })
		}
		page.Rows = found
		return nil
	})
	return page, err
}

// experiments are all that have an observation within the bounds.
func (p *naiveProject) experiments(q *query.Experiments) []store.Experiment {
	byID := map[string][]*model.Observation{}
	for _, row := range p.observations {
		if id := row.Experiment.ID; id != "" && within(row.Start, q.From, q.To) {
			byID[id] = append(byID[id], &row.Observation)
		}
	}
	var all []store.Experiment
	for id, rows := range byID {
		slices.SortFunc(rows, func(a, b *model.Observation) int { return compareKeys(keyOf(a), keyOf(b)) })
		e := store.Experiment{ID: id, Start: rows[0].Start, LastStart: rows[len(rows)-1].Start}
		for _, row := range rows {
			// The later rows overwrite what the earlier ones gave.
			e.Name = cmp.Or(row.Experiment.Name, e.Name)
			e.Description = cmp.Or(row.Experiment.Description, e.Description)
			e.DatasetID = cmp.Or(row.Experiment.DatasetID, e.DatasetID)
			if q.WithMetadata {
				e.Metadata = cmp.Or(row.Experiment.Metadata, e.Metadata)
			}
			for _, t := range []time.Time{row.Start, row.End} {
				if t.After(e.End) {
					e.End = t
				}
			}
			if row.Experiment.ItemRootID == row.ID && row.Experiment.ItemID != "" {
				e.ItemCount++
			}
		}
		all = append(all, e)
	}
	return all
}

func asksForExperiment(q *query.Experiments, e *store.Experiment) bool {
	// Conditions see it as an observation that has nothing else.
	seen := model.Observation{Experiment: model.Experiment{ID: e.ID, Name: e.Name, DatasetID: e.DatasetID}}
	return (q.After == nil || compareExperimentKeys(experimentKeyOf(e), *q.After) < 0) &&
		!slices.ContainsFunc(q.Where, func(c query.Condition) bool { return !holds(&c, &seen) })
}

func experimentKeyOf(e *store.Experiment) query.ExperimentKey {
	return query.ExperimentKey{LastStart: e.LastStart, ID: e.ID}
}

func compareExperimentKeys(a, b query.ExperimentKey) int {
	return cmp.Or(a.LastStart.Compare(b.LastStart), cmp.Compare(a.ID, b.ID))
}

// ListExperimentItems implements store.Experiments.
func (n *Naive) ListExperimentItems(ctx context.Context, q query.ExperimentItems) (page store.ExperimentItemPage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	found, err := n.ListObservations(ctx, q.Observations())
	if err != nil {
		return page, err
	}
	page.Next = found.Next
	var around scoreWindow
	for _, row := range found.Rows {
		around.add(row.Start, row.End)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		for _, row := range found.Rows {
			page.Rows = append(page.Rows, store.ExperimentItem{
				StoredObservation: row,
				Scores: p.attachedScores(around, q.ScoreLimit, func(s *model.Score) bool {
					return s.TraceID == row.TraceID && (s.ObservationID == "" || s.ObservationID == row.ID)
				}),
			})
		}
		return nil
	})
	return page, err
}

// scoreWindow is the time of a page: its first start, and its last start or end.
type scoreWindow struct{ first, last time.Time }

func (w *scoreWindow) add(start, end time.Time) {
	if w.first.IsZero() || start.Before(w.first) {
		w.first = start
	}
	for _, t := range []time.Time{start, end} {
		if t.After(w.last) {
			w.last = t
		}
	}
}

// attachedScores are the newest of some scores that are close to the times on a page.
func (p *naiveProject) attachedScores(around scoreWindow, limit int, isWanted func(*model.Score) bool) []store.StoredScore {
	var scores []store.StoredScore
	for _, score := range p.scores {
		isNear := !score.Timestamp.Before(around.first.Add(-query.ScoreWindow)) && !score.Timestamp.After(around.last.Add(query.ScoreWindow))
		if isNear && score.DataType != model.ScoreCorrection && isWanted(&score.Score) {
			scores = append(scores, score)
		}
	}
	slices.SortFunc(scores, newestScoreFirst)
	return scores[:min(limit, len(scores))]
}
