// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// papers does random things to documents. Its chance is its own, so that a seed means the same rows as ever.
type papers struct {
	*rand.Rand
	// moments are times between two changes.
	moments []time.Time
}

func newPapers(seed uint64) *papers { return &papers{Rand: rand.New(rand.NewPCG(seed, 2))} }

var (
	paperKinds = []string{"k", "l"}
	paperIDs   = []string{"a", "b", "c", "d", "e", "A"}
	paperTexts = []string{"", "x", "y", "it's"}
)

func (p *papers) one(list []string) string { return list[p.IntN(len(list))] }

// list is a condition: none most of the time.
func (p *papers) list(from []string) []string {
	switch p.IntN(12) {
	case 0:
		return []string{p.one(from)}
	case 1:
		return []string{p.one(from), p.one(from), "no such text"}
	case 2:
		return []string{}
	default:
		return nil
	}
}

// The revisions that a change expects, in words: each store has its own numbers.
const (
	expectAny = iota
	expectNone
	expectCurrent
	expectOther
)

// step does something now and then.
func (p *papers) step(d *driver, i int) {
	d.Helper()
	project := d.projects[p.IntN(len(d.projects))]
	switch p.IntN(8) {
	case 0, 1:
		p.write(d, i, project)
	case 2:
		q := query.Documents{
			Project: project, Kind: p.one(paperKinds), IDs: p.list(paperIDs), Parents: p.list(paperTexts), Names: p.list(paperTexts),
			States: p.list(paperTexts), Order: query.DocumentOrder(p.IntN(2)), Offset: p.IntN(3), Limit: p.IntN(8),
		}
		if len(p.moments) > 0 && p.IntN(2) == 0 {
			q.AsOf = p.moments[p.IntN(len(p.moments))]
		}
		d.Logf("%d: list documents %+v", i, q)
		requireSameDocuments(d.Context(), d, d.store, d.naive, q)
	}
}

func (p *papers) write(d *driver, i int, project string) {
	d.Helper()
	var changes []store.DocumentChange
	var expected []int
	for _, n := range p.Perm(len(paperIDs))[:1+p.IntN(3)] {
		changes = append(changes, store.DocumentChange{
			Document: store.Document{
				Kind: p.one(paperKinds), ID: paperIDs[n], Parent: p.one(paperTexts), Name: p.one(paperTexts), State: p.one(paperTexts),
				Body: fmt.Sprintf("%d %d", i, n),
			},
			Delete: p.IntN(4) == 0, KeepOld: p.IntN(4) != 0,
		})
		expect := expectAny
		if p.IntN(2) == 0 {
			expect = p.IntN(4)
		}
		expected = append(expected, expect)
	}
	d.Logf("%d: change documents of project %c: %+v, expecting %v", i, project[len(project)-1], changes, expected)
	wantErr := d.naive.WriteDocuments(d.Context(), project, expecting(d, d.naive, project, changes, expected))
	gotErr := d.store.WriteDocuments(d.Context(), project, expecting(d, d.store, project, changes, expected))
	if wantErr != nil {
		require.ErrorIs(d, wantErr, store.ErrConflict)
	}
	require.Equal(d, wantErr != nil, errors.Is(gotErr, store.ErrConflict), "conflict: want %v, found %v", wantErr, gotErr)
	if wantErr == nil {
		require.NoError(d, gotErr)
	}
	p.moments = append(p.moments, pause())
}

// expecting is changes with the revisions that a store has.
func expecting(d *driver, s store.Store, project string, changes []store.DocumentChange, expected []int) []store.DocumentChange {
	d.Helper()
	var all []store.DocumentChange
	for i, c := range changes {
		page, err := s.ListDocuments(d.Context(), query.Documents{Project: project, Kind: c.Kind, IDs: []string{c.ID}, Limit: 1})
		require.NoError(d, err)
		var current int64
		if len(page.Rows) > 0 {
			current = page.Rows[0].Revision
		}
		switch expected[i] {
		case expectAny:
			c.Expect = store.AnyRevision
		case expectCurrent:
			c.Expect = current
		case expectOther:
			c.Expect = current + 1
		}
		all = append(all, c)
	}
	return all
}

// pause is a moment that comes after all that was written and before all that will be, with room on both sides for
// changes that were made at once and had to get different times.
func pause() time.Time {
	const room = 50 * time.Microsecond
	moment := time.Now().Add(room)
	for time.Since(moment) < room {
		continue // it is too short to sleep
	}
	return moment.Truncate(time.Microsecond)
}

// compareAll compares all documents of a project, those of earlier times included.
func (p *papers) compareAll(d *driver, project string) {
	d.Helper()
	moments := []time.Time{{}}
	if n := len(p.moments); n > 0 {
		moments = append(moments, p.moments[0], p.moments[n/2], p.moments[n-1])
	}
	for _, kind := range paperKinds {
		for _, moment := range moments {
			requireSameDocuments(d.Context(), d, d.store, d.naive, query.Documents{Project: project, Kind: kind, AsOf: moment, Limit: query.MaxLimit})
		}
	}
}
