// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// Naive is a store in memory that does the obvious: a map of rows, looked through from end to end. It forgets
// everything with the process and is fit for tests only.
type Naive struct {
	mu       sync.Mutex
	closed   bool
	projects map[string]*naiveProject
	clock    func() time.Time
	// lastDocument is when a document was last changed.
	lastDocument time.Time
}

var _ store.Store = (*Naive)(nil)

type naiveProject struct {
	observations map[rowID]*store.StoredObservation
	scores       map[string]store.StoredScore
	documents    []naiveDocument
}

// rowID is what makes an observation the same as another.
type rowID struct{ traceID, id string }

// NewNaive is an empty store.
func NewNaive() *Naive { return &Naive{projects: map[string]*naiveProject{}, clock: time.Now} }

// WriteObservations implements store.Observations.
func (n *Naive) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	return n.with(ctx, project, func(p *naiveProject) error {
		for i := range rows {
			if rows[i].TraceID == "" || rows[i].ID == "" {
				return fmt.Errorf("%w: observation %d of the batch has no trace id or no id", store.ErrInvalid, i)
			}
		}
		now := n.clock().UTC()
		for i := range rows {
			key := rowID{rows[i].TraceID, rows[i].ID}
			row := store.StoredObservation{Observation: clone(rows[i]), CreatedAt: now, UpdatedAt: now}
			if old, ok := p.observations[key]; ok {
				row.CreatedAt = old.CreatedAt
			}
			p.observations[key] = &row
		}
		return nil
	})
}

// ListObservations implements store.Observations.
func (n *Naive) ListObservations(ctx context.Context, q query.Observations) (page store.ObservationPage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		var found []*store.StoredObservation
		for _, row := range p.observations {
			if asksFor(&q, &row.Observation) {
				found = append(found, row)
			}
		}
		if q.WithTotal {
			page.Total = int64(len(found))
		}
		if q.Limit == 0 {
			return nil
		}
		if q.After != nil {
			found = slices.DeleteFunc(found, func(row *store.StoredObservation) bool { return compareKeys(keyOf(&row.Observation), *q.After) >= 0 })
		}
		slices.SortFunc(found, func(a, b *store.StoredObservation) int {
			return compareKeys(keyOf(&b.Observation), keyOf(&a.Observation))
		})
		found = found[min(q.Offset, len(found)):]
		if len(found) > q.Limit {
			found = found[:q.Limit]
			last := keyOf(&found[q.Limit-1].Observation)
			page.Next = &last
		}
		var size int64
		for _, row := range found {
			selected := selectGroups(row, q.Groups)
			selected.Observation = clone(selected.Observation)
			page.Rows = append(page.Rows, selected)
			size += selected.PayloadSize()
		}
		if q.MaxBytes > 0 && size > q.MaxBytes {
			page = store.ObservationPage{}
			return store.ErrTooLarge
		}
		return nil
	})
	return page, err
}

// DeleteTraces implements store.Observations.
func (n *Naive) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	return n.with(ctx, project, func(p *naiveProject) error {
		for key := range p.observations {
			if slices.Contains(traceIDs, key.traceID) {
				delete(p.observations, key)
			}
		}
		for id, score := range p.scores {
			if score.TraceID != "" && slices.Contains(traceIDs, score.TraceID) {
				delete(p.scores, id)
			}
		}
		return nil
	})
}

// WriteScores implements store.Scores.
func (n *Naive) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	return n.with(ctx, project, func(p *naiveProject) error {
		for i := range scores {
			if scores[i].ID == "" {
				return fmt.Errorf("%w: score %d of the batch has no id", store.ErrInvalid, i)
			}
		}
		now := n.clock().UTC()
		for i := range scores {
			score := store.StoredScore{Score: scores[i], CreatedAt: now, UpdatedAt: now}
			if old, ok := p.scores[score.ID]; ok {
				score.Score = mergeScores(old.Score, score.Score)
				score.CreatedAt = old.CreatedAt
				if score.Score == old.Score {
					score.UpdatedAt = old.UpdatedAt
				}
			}
			p.scores[score.ID] = score
		}
		return nil
	})
}

// ScoresByID implements store.Scores.
func (n *Naive) ScoresByID(ctx context.Context, project string, ids []string) (found []store.StoredScore, err error) {
	err = n.with(ctx, project, func(p *naiveProject) error {
		for id, score := range p.scores {
			if slices.Contains(ids, id) {
				found = append(found, score)
			}
		}
		return nil
	})
	return found, err
}

// DeleteScores implements store.Scores.
func (n *Naive) DeleteScores(ctx context.Context, project string, ids []string) error {
	return n.with(ctx, project, func(p *naiveProject) error {
		for _, id := range ids {
			delete(p.scores, id)
		}
		return nil
	})
}

// Stats implements store.Store.
func (n *Naive) Stats(ctx context.Context) (stats store.Stats, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return stats, err
	}
	for _, p := range n.projects {
		stats.Observations += int64(len(p.observations))
		stats.Scores += int64(len(p.scores))
	}
	return stats, nil
}

// Close implements store.Store.
func (n *Naive) Close(context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	return nil
}

// with lets one caller at a time do something with the rows of a project. A function that changes rows must find
// every fault before its first change: that makes it all or nothing.
func (n *Naive) with(ctx context.Context, project string, do func(*naiveProject) error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.usable(ctx); err != nil {
		return err
	}
	if project == "" {
		return fmt.Errorf("%w: no project", store.ErrInvalid)
	}
	p, ok := n.projects[project]
	if !ok {
		p = &naiveProject{observations: map[rowID]*store.StoredObservation{}, scores: map[string]store.StoredScore{}}
		n.projects[project] = p
	}
	return do(p)
}

func (n *Naive) usable(ctx context.Context) error {
	if n.closed {
		return fmt.Errorf("%w: it is closed", store.ErrUnavailable)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
	}
	return nil
}
