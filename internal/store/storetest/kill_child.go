// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"os"
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

const (
	killWriters = 4
	// killVersions is how often a trace is written before the next one.
	killVersions = 3
	// killTraces is where a writer stops and waits for its end, so that a fast engine leaves no more than one can check.
	killTraces = 40
)

// item is something that a child writes several times, with a higher version each time.
type item struct {
	kind     string // "trace", "score" or "document"
	writer   int
	sequence int
}

func (i item) id() string { return fmt.Sprintf("%s %d of writer %d", i.kind, i.sequence, i.writer) }

// acks are the highest versions that were acknowledged.
type acks map[item]int

const ackFormat = "acknowledged %s %d %d version %d."

// add takes a line of a child. One that is cut off, or that the testing package wrote, does not count.
func (a acks) add(line string) bool {
	var i item
	var version int
	if n, err := fmt.Sscanf(line, ackFormat, &i.kind, &i.writer, &i.sequence, &version); err != nil || n != 4 {
		return false
	}
	a[i] = max(a[i], version)
	return true
}

// killRows are the rows of a trace. They are the same in the child that writes them and in the parent that looks for them.
// One of the writers has large batches: they are the ones that could be cut in two.
func killRows(i item, version int) []model.Observation {
	size := 1 + (i.sequence*7919+i.writer*104729)%60
	if i.writer == 0 {
		size *= 10
	}
	r := NewRows(uint64(i.sequence*killWriters + i.writer))
	rows := r.Trace(size)
	for j := range rows {
		rows[j].TraceID, rows[j].ID, rows[j].Version = i.id(), strconv.Itoa(j), strconv.Itoa(version)
		rows[j].Start = rows[j].Start.Add(time.Duration(version*j%3) * time.Millisecond)
	}
	return rows
}

// killScore has one more key in its metadata after each version.
func killScore(i item, version int) model.Score {
	return model.Score{
		ID: i.id(), Name: "kill", DataType: model.ScoreNumeric, Number: float64(version), Source: model.ScoreFromAPI, SessionID: "session",
		Environment: "default", Timestamp: NewRows(0).Base, Metadata: fmt.Sprintf(`{"version %d":true}`, version),
	}
}

// writeUntilKilled is what a child does. It says on its standard output what was acknowledged.
func writeUntilKilled(t *testing.T, engine Engine, dir, project string) {
	t.Helper()
	s := engine.open(t, dir)
	var output sync.Mutex
	say := func(i item, version int) {
		output.Lock()
		defer output.Unlock()
		fmt.Fprintf(os.Stdout, "\n"+ackFormat+"\n", i.kind, i.writer, i.sequence, version)
	}
	var writers sync.WaitGroup
	for w := range killWriters {
		writers.Go(func() {
			for n := range killTraces * killVersions {
				version := n % killVersions
				trace, score := item{"trace", w, n / killVersions}, item{"score", w, n / killVersions}
				if !assert.NoError(t, s.WriteObservations(t.Context(), project, killRows(trace, version))) {
					return
				}
				say(trace, version)
				if !assert.NoError(t, s.WriteScores(t.Context(), project, []model.Score{killScore(score, version)})) {
					return
				}
				say(score, version)
				document := item{"document", w, n / killVersions}
				if !assert.NoError(t, s.WriteDocuments(t.Context(), project, killChanges(document, version))) {
					return
				}
				say(document, version)
			}
		})
	}
	writers.Wait()
	if !t.Failed() {
		<-time.After(longestLife + time.Minute)
	}
}

// checkKilled looks for what was acknowledged, and whether anything is there by halves.
func checkKilled(t *testing.T, s store.Store, project string, acknowledged acks) {
	t.Helper()
	rows, err := walk(t.Context(), s, query.Observations{Project: project, Limit: query.MaxLimit, Groups: query.GroupAll})
	require.NoError(t, err)
	traces := map[string][]store.StoredObservation{}
	for i := range rows {
		traces[rows[i].TraceID] = append(traces[rows[i].TraceID], rows[i])
	}
	scores, documents := killScores(t, s, project), killDocuments(t, s, project)
	// Beyond what was acknowledged there may be what a writer did next.
	last := map[int]int{}
	for i := range acknowledged {
		last[i.writer] = max(last[i.writer], i.sequence)
	}
	for w := range killWriters {
		for n := range last[w] + 2 {
			trace, score := item{"trace", w, n}, item{"score", w, n}
			checkTrace(t, trace, traces[trace.id()], acknowledged)
			delete(traces, trace.id())
			checkScore(t, score, scores[score.id()], acknowledged)
			delete(scores, score.id())
			checkDocuments(t, item{"document", w, n}, documents, acknowledged)
		}
	}
	require.Empty(t, traces, "traces that nobody wrote")
	require.Empty(t, scores, "scores that nobody wrote")
	require.Empty(t, documents, "documents that nobody wrote")
}

// killScores are the scores of a project that a child may have written.
func killScores(t *testing.T, s store.Store, project string) map[string][]store.StoredScore {
	t.Helper()
	var ids []string
	for w := range killWriters {
		for n := range killTraces {
			ids = append(ids, item{"score", w, n}.id())
		}
	}
	found, err := s.ScoresByID(t.Context(), project, ids)
	require.NoError(t, err)
	scores := map[string][]store.StoredScore{}
	for _, score := range found {
		scores[score.ID] = append(scores[score.ID], score)
	}
	return scores
}

func checkTrace(t *testing.T, i item, got []store.StoredObservation, acknowledged acks) {
	t.Helper()
	least, must := acknowledged[i]
	if len(got) == 0 {
		require.False(t, must, "%s is gone, its version %d was acknowledged", i.id(), least)
		return
	}
	version, err := strconv.Atoi(got[0].Version)
	require.NoError(t, err)
	require.GreaterOrEqual(t, version, least, "version of %s", i.id())
	want := make([]store.StoredObservation, 0, len(got))
	for _, row := range killRows(i, version) {
		want = append(want, store.StoredObservation{Observation: row})
	}
	sortNewestFirst(want)
	requireRows(t, want, got, "%s, of which version %d was acknowledged", i.id(), least)
}

func checkScore(t *testing.T, i item, found []store.StoredScore, acknowledged acks) {
	t.Helper()
	least, must := acknowledged[i]
	if len(found) == 0 {
		require.False(t, must, "%s is gone, its version %d was acknowledged", i.id(), least)
		return
	}
	require.Len(t, found, 1)
	require.GreaterOrEqual(t, int(found[0].Number), least, "version of %s", i.id())
	want := killScore(i, 0)
	for version := 1; version <= int(found[0].Number); version++ {
		want = mergeScores(want, killScore(i, version))
	}
	require.Empty(t, compareScores(want, found[0].Score))
}
