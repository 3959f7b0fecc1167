// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
)

// file hands out observations that start at some times, one by one, and nothing else.
type file struct{ starts []time.Time }

func (f file) ExportObservations(_ context.Context, _ bool, take func([]*sqlstore.ObservationRecord) error) error {
	for i, start := range f.starts {
		row := store.StoredObservation{Observation: model.Observation{TraceID: "t", ID: strconv.Itoa(i), Start: start}}
		if err := take([]*sqlstore.ObservationRecord{{Project: "p", StoredObservation: row}}); err != nil {
			return err
		}
	}
	return nil
}

func (file) ExportScores(context.Context, func([]*sqlstore.ScoreRecord) error) error { return nil }

func (file) ExportDocuments(context.Context, func([]*sqlstore.DocumentRecord) error) error {
	return nil
}

// target takes observations, and is away at first.
type target struct {
	sqlstore.Importer
	away  int
	taken map[string]int
}

func (d *target) isAway() error {
	d.away--
	if d.away >= 0 {
		return fmt.Errorf("%w: nobody answers", store.ErrUnavailable)
	}
	return nil
}

func (d *target) ImportObservations(_ context.Context, rows []*sqlstore.ObservationRecord) (int, error) {
	if err := d.isAway(); err != nil {
		return 0, err
	}
	for _, r := range rows {
		d.taken[r.ID]++
	}
	return len(rows), nil
}

func (d *target) MissingObservations(_ context.Context, rows []*sqlstore.ObservationRecord) (missing []*sqlstore.ObservationRecord, found int, _ error) {
	for _, r := range rows {
		if d.taken[r.ID] == 0 {
			missing = append(missing, r)
		}
		found += d.taken[r.ID]
	}
	return missing, found, d.isAway()
}

func copyObservations(ctx context.Context, c *copier) (table, error) {
	tables, err := c.copyAll(ctx, store.Stats{Observations: 2})
	if err != nil {
		return table{}, err
	}
	return tables[0], nil
}

// What collectors would delete, and may be deleting just now, stays behind and is not looked for in vain.
func TestWhatIsTooOldStaysBehind(t *testing.T) {
	to := &target{taken: map[string]int{}}
	c := &copier{from: file{[]time.Time{time.Now().Add(-49 * time.Hour), time.Now()}}, to: to, out: io.Discard, retention: 48 * time.Hour}
	got, err := copyObservations(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, table{name: "observations", rows: 2, copied: 1, tooOld: 1, found: 1}, got)
	assert.Equal(t, map[string]int{"1": 1}, to.taken)

	c.retention = 0
	got, err = copyObservations(t.Context(), c)
	require.NoError(t, err)
	assert.Zero(t, got.tooOld, "everything is kept for ever")
}

func TestCopyWaitsForClickHouse(t *testing.T) {
	var out bytes.Buffer
	c := &copier{from: file{make([]time.Time, 2)}, to: &target{away: 1, taken: map[string]int{}}, out: &out}
	got, err := copyObservations(t.Context(), c)
	require.NoError(t, err)
	assert.Equal(t, table{name: "observations", rows: 2, copied: 2, found: 2}, got)
	assert.Equal(t, 1, strings.Count(out.String(), "It is tried again: "))
	assert.Contains(t, out.String(), "row by row.\nobservations: 1 of 2\n", "the check says how far it is, too")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c.to = &target{away: 1}
	_, err = copyObservations(ctx, c)
	require.ErrorIs(t, err, context.Canceled)
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	tables := []table{{"observations", 10, 7, 2, 1, 9, 0}, {"scores", 5, 5, 0, 0, 5, 0}}
	require.NoError(t, report(&out, tables, store.Stats{Observations: 10, Scores: 5}))
	assert.Equal(t, "                in the file  copied  there before  too old  there now  missing\n"+
		"  observations           10       7             2        1          9        0\n"+
		"        scores            5       5             0        0          5        0\n", out.String())
	tables[0].found = 11
	tables[1].found, tables[1].missing = 3, 2
	assert.EqualError(t, report(io.Discard, tables, store.Stats{Observations: 11, Scores: 5}),
		"there are 2 observations too many: some are there more than once\nthe file has 11 observations, but 10 were read\n2 of 5 scores are not there: run it again")
}
