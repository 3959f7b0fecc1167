// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// All rows together fit on one page, so that a reader sees them at one moment.
const (
	writerCount     = 8
	readerCount     = 4
	tracesByWriter  = 12
	rowsByTrace     = 10
	versionsByTrace = 3
)

// concurrency lets writers, readers and a deleter loose on one project. Every writer sends each of its traces several
// times, with a higher version each time, and every third trace is deleted then: so a reader can tell at each moment
// whether something went wrong, and in the end everything is known.
func concurrency(t *testing.T, s store.Store) {
	f := newFixture(t, s)
	// A writer that waits for ever would let the readers run for ever.
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()

	var writers, deleter, readers sync.WaitGroup
	finished := make(chan string, writerCount*tracesByWriter)
	for w := range writerCount {
		writers.Go(func() {
			for n := range tracesByWriter {
				if !assert.NoError(t, writeVersions(ctx, s, f.project, versionedID(w, n))) {
					return
				}
				if isDeleted(n) {
					finished <- versionedID(w, n)
				}
			}
		})
	}
	deleter.Go(func() {
		for id := range finished {
			assert.NoError(t, s.DeleteTraces(ctx, f.project, []string{id}))
			rows, err := walk(ctx, s, f.complete(where(ofTrace(id))))
			assert.NoError(t, err)
			assert.Empty(t, rows, "rows of a deleted trace")
		}
	})
	for range readerCount {
		readers.Go(func() {
			for ctx.Err() == nil {
				if err := readVersions(ctx, s, f.project); ctx.Err() == nil && !assert.NoError(t, err) {
					return
				}
			}
		})
	}
	writers.Wait()
	close(finished)
	deleter.Wait()
	cancel()
	readers.Wait()

	left := map[string]int{}
	for _, row := range f.all(query.Observations{Groups: query.GroupBasic}) {
		left[row.TraceID]++
		require.Equal(t, strconv.Itoa(versionsByTrace-1), row.Version)
	}
	for w := range writerCount {
		for n := range tracesByWriter {
			want := rowsByTrace
			if isDeleted(n) {
				want = 0
			}
			require.Equal(t, want, left[versionedID(w, n)], "rows of trace %d of writer %d", n, w)
		}
	}
}

func versionedID(writer, n int) string { return fmt.Sprintf("writer %d trace %d", writer, n) }

func isDeleted(n int) bool { return n%3 == 0 }

// writeVersions writes a trace several times, at the same times and at others, and reads each version back.
func writeVersions(ctx context.Context, s store.Store, project, id string) error {
	r := NewRows(uint64(len(id)))
	rows := r.Trace(rowsByTrace)
	for version := range versionsByTrace {
		for i := range rows {
			rows[i].TraceID, rows[i].Version = id, strconv.Itoa(version)
			rows[i].ID = strconv.Itoa(i)
			if r.chance(3) {
				rows[i].Start = pick(r, rows).Start
			}
		}
		if err := s.WriteObservations(ctx, project, rows); err != nil {
			return err
		}
		q := query.Observations{Project: project, Where: []query.Condition{ofTrace(id)}, Limit: query.MaxLimit, Groups: query.GroupAll}
		page, err := s.ListObservations(ctx, q)
		if err != nil {
			return err
		}
		want := make([]store.StoredObservation, 0, len(rows))
		for _, row := range rows {
			want = append(want, store.StoredObservation{Observation: row})
		}
		sortNewestFirst(want)
		if problems := compareRows(want, page.Rows); len(problems) > 0 {
			return fmt.Errorf("%s, version %d, right after it was written: %v", id, version, problems)
		}
	}
	return nil
}

// readVersions reads all rows at one moment: of each trace there must be none or all, and all of one version.
func readVersions(ctx context.Context, s store.Store, project string) error {
	page, err := s.ListObservations(ctx, query.Observations{Project: project, Limit: query.MaxLimit, Groups: query.GroupBasic})
	if err != nil {
		return err
	}
	if page.Next != nil || !slices.IsSortedFunc(page.Rows, newestFirst) {
		return errors.New("too many rows, or not in order")
	}
	traces := map[string][]model.Observation{}
	for _, row := range page.Rows {
		traces[row.TraceID] = append(traces[row.TraceID], row.Observation)
	}
	for id, rows := range traces {
		seen := map[string]bool{}
		for i := range rows {
			seen[rows[i].ID] = true
			if rows[i].Version != rows[0].Version {
				return fmt.Errorf("%s has rows of version %s and %s at the same time", id, rows[0].Version, rows[i].Version)
			}
		}
		if len(rows) != rowsByTrace || len(seen) != rowsByTrace {
			return fmt.Errorf("%s has %d rows with %d ids", id, len(rows), len(seen))
		}
	}
	return nil
}
