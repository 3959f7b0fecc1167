// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// driver does the same to an engine and to a naive store. There are few projects, traces and ids, so that most
// operations have to do with what is there already.
type driver struct {
	*testing.T
	engine   Engine
	dir      string
	store    store.Store
	naive    *Naive
	rows     *Rows
	projects []string
	traceIDs []string
	ids      []string
	scoreIDs []string
	// created is when the engine says that it first stored a row.
	created map[string]map[rowID]time.Time
	papers  *papers
}

func newDriver(t *testing.T, engine Engine, seed uint64) *driver {
	t.Helper()
	d := &driver{T: t, engine: engine, dir: t.TempDir(), naive: NewNaive(), rows: NewRows(seed), created: map[string]map[rowID]time.Time{}}
	d.store = engine.open(t, d.dir)
	d.papers = newPapers(seed)
	// The names of projects are new each time, because an engine may have a place that outlives the test.
	prefix := fmt.Sprintf("random-%016x", rand.Uint64())
	for i := range 3 {
		d.projects = append(d.projects, fmt.Sprintf("%s-%d", prefix, i))
		d.created[d.projects[i]] = map[rowID]time.Time{}
	}
	for i := range 10 {
		d.traceIDs = append(d.traceIDs, fmt.Sprintf("trace-%d", i))
		d.ids = append(d.ids, fmt.Sprintf("o-%d", i))
		d.scoreIDs = append(d.scoreIDs, fmt.Sprintf("score-%d", i))
	}
	d.traceIDs = append(d.traceIDs, d.rows.oddID(), d.rows.oddID())
	d.ids = append(d.ids, d.rows.oddID(), d.rows.oddID())
	return d
}

// step does one operation.
func (d *driver) step(i int) {
	d.papers.step(d, i)
	project := pick(d.rows, d.projects)
	log := func(format string, args ...any) {
		d.Logf("%d: project %c: %s", i, project[len(project)-1], fmt.Sprintf(format, args...))
	}
	switch n := d.rows.IntN(100); {
	case n < 40:
		d.write(project, log)
	case n < 60:
		d.list(project, log)
	case n < 75:
		d.analyse(project, log)
	case n < 80:
		ids := some(d.rows, d.traceIDs)
		log("delete the traces %q", ids)
		d.both(func(s store.Store) error { return s.DeleteTraces(d.Context(), project, ids) })
		for id := range d.created[project] {
			for _, traceID := range ids {
				if id.traceID == traceID {
					delete(d.created[project], id)
				}
			}
		}
	case n < 91:
		var scores []model.Score
		for range 1 + d.rows.IntN(4) {
			scores = append(scores, d.rows.Score(pick(d.rows, d.scoreIDs)))
		}
		log("write scores %s", short(scores))
		d.both(func(s store.Store) error { return s.WriteScores(d.Context(), project, scores) })
	case n < 95:
		ids := append(some(d.rows, d.scoreIDs), "no such score")
		log("read the scores %q", ids)
		requireSameScores(d.Context(), d, d.store, d.naive, project, ids)
	case n < 98:
		ids := some(d.rows, d.scoreIDs)
		log("delete the scores %q", ids)
		d.both(func(s store.Store) error { return s.DeleteScores(d.Context(), project, ids) })
	default:
		if !d.engine.Volatile {
			log("close and open")
			require.NoError(d, d.store.Close(d.Context()))
			d.store = d.engine.open(d, d.dir)
			d.compareAll()
		}
	}
}

// both does something that writes to both stores.
func (d *driver) both(do func(store.Store) error) {
	d.Helper()
	require.NoError(d, do(d.naive))
	require.NoError(d, do(d.store))
}

// logger says what is being done.
type logger func(format string, args ...any)

func (d *driver) write(project string, log logger) {
	d.Helper()
	rows := make([]model.Observation, pick(d.rows, []int{0, 1, 1, 2, 5, 30}))
	for i := range rows {
		rows[i] = d.rows.Observation()
		rows[i].TraceID, rows[i].ID = pick(d.rows, d.traceIDs), pick(d.rows, d.ids)
		if d.rows.chance(2) {
			rows[i].Start = d.rows.Base.Add(time.Duration(d.rows.IntN(5)) * time.Millisecond)
		}
	}
	log("write %d rows", len(rows))
	for i := range rows {
		log("  %s", nameOf(&rows[i]))
	}
	d.both(func(s store.Store) error { return s.WriteObservations(d.Context(), project, rows) })
}

func (d *driver) list(project string, log logger) {
	d.Helper()
	q := query.Observations{Project: project, Groups: query.Groups(d.rows.IntN(int(query.GroupAll) + 1)), Limit: pick(d.rows, []int{1, 2, 3, 7, 50, 1000})}
	seen := d.someRow(project)
	for range d.rows.IntN(4) {
		q.Where = append(q.Where, d.rows.condition(&seen))
	}
	if d.rows.chance(4) {
		q.From = seen.Start.Add(-time.Duration(d.rows.IntN(5)) * time.Millisecond)
	}
	if d.rows.chance(4) {
		q.To = seen.Start.Add(time.Duration(d.rows.IntN(5)) * time.Millisecond)
	}
	if d.rows.chance(4) {
		q.After = new(keyOf(&seen))
	}
	if d.rows.chance(20) {
		q.Limit = 0
	}
	log("list %s", describe(q))
	d.compare(q)
}

// someRow is a stored row, if there is one, and any other if not.
func (d *driver) someRow(project string) model.Observation {
	page, err := d.naive.ListObservations(d.Context(), query.Observations{Project: project, Limit: query.MaxLimit, Groups: query.GroupAll})
	require.NoError(d, err)
	if len(page.Rows) == 0 {
		return d.rows.Observation()
	}
	return pick(d.rows, page.Rows).Observation
}

// compare reads a list from both stores to its end, page by page, each behind its own position.
func (d *driver) compare(q query.Observations) {
	d.Helper()
	forEngine := q
	for number := 1; ; number++ {
		want, err := d.naive.ListObservations(d.Context(), q)
		require.NoError(d, err)
		got, err := d.store.ListObservations(d.Context(), forEngine)
		require.NoError(d, err, "%s", describe(forEngine))
		requireRows(d, want.Rows, got.Rows, "page %d of %s", number, describe(q))
		if q.Groups.Has(query.GroupTime) {
			d.checkCreated(q.Project, got.Rows)
		}
		require.Equal(d, want.Next != nil, got.Next != nil, "whether there is a page after page %d of %s", number, describe(q))
		if want.Next == nil {
			return
		}
		q.After, forEngine.After = want.Next, got.Next
	}
}

// checkCreated holds the engine to the time of creation that it gave before.
func (d *driver) checkCreated(project string, rows []store.StoredObservation) {
	d.Helper()
	for i := range rows {
		id := rowID{rows[i].TraceID, rows[i].ID}
		first, ok := d.created[project][id]
		if !ok {
			first = rows[i].CreatedAt
			d.created[project][id] = first
		}
		require.True(d, first.Equal(rows[i].CreatedAt), "%s was created at %v, now at %v", nameOf(&rows[i].Observation), first, rows[i].CreatedAt)
		require.False(d, rows[i].UpdatedAt.Before(first), "%s was updated at %v, before it was created", nameOf(&rows[i].Observation), rows[i].UpdatedAt)
	}
}

// compareAll reads everything there is from both stores.
func (d *driver) compareAll() {
	d.Helper()
	for _, project := range d.projects {
		d.compare(query.Observations{Project: project, Groups: query.GroupAll, Limit: query.MaxLimit})
		requireSameScores(d.Context(), d, d.store, d.naive, project, d.scoreIDs)
		d.papers.compareAll(d, project)
	}
}
