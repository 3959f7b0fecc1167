// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// broken is a naive store in which some methods are replaced by bad ones.
type broken struct {
	*Naive
	write  func(ctx context.Context, n *Naive, project string, rows []model.Observation) error
	list   func(ctx context.Context, n *Naive, q query.Observations) (store.ObservationPage, error)
	erase  func(ctx context.Context, n *Naive, project string, traceIDs []string) error
	scores func(ctx context.Context, n *Naive, project string, scores []model.Score) error
	change func(ctx context.Context, n *Naive, project string, changes []store.DocumentChange) error
	papers func(ctx context.Context, n *Naive, q query.Documents) (store.DocumentPage, error)
	stats  func(store.Stats) store.Stats
	close  func() error
	analysis
}

func (b *broken) WriteObservations(ctx context.Context, project string, rows []model.Observation) error {
	if b.write == nil {
		return b.Naive.WriteObservations(ctx, project, rows)
	}
	return b.write(ctx, b.Naive, project, rows)
}

func (b *broken) ListObservations(ctx context.Context, q query.Observations) (store.ObservationPage, error) {
	if b.list == nil {
		return b.Naive.ListObservations(ctx, q)
	}
	return b.list(ctx, b.Naive, q)
}

func (b *broken) DeleteTraces(ctx context.Context, project string, traceIDs []string) error {
	if b.erase == nil {
		return b.Naive.DeleteTraces(ctx, project, traceIDs)
	}
	return b.erase(ctx, b.Naive, project, traceIDs)
}

func (b *broken) WriteScores(ctx context.Context, project string, scores []model.Score) error {
	if b.scores == nil {
		return b.Naive.WriteScores(ctx, project, scores)
	}
	return b.scores(ctx, b.Naive, project, scores)
}

func (b *broken) WriteDocuments(ctx context.Context, project string, changes []store.DocumentChange) error {
	if b.change == nil {
		return b.Naive.WriteDocuments(ctx, project, changes)
	}
	return b.change(ctx, b.Naive, project, changes)
}

func (b *broken) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	if b.papers == nil {
		return b.Naive.ListDocuments(ctx, q)
	}
	return b.papers(ctx, b.Naive, q)
}

func (b *broken) Stats(ctx context.Context) (store.Stats, error) {
	stats, err := b.Naive.Stats(ctx)
	if b.stats != nil {
		stats = b.stats(stats)
	}
	return stats, err
}

func (b *broken) Close(ctx context.Context) error {
	if b.close == nil {
		return b.Naive.Close(ctx)
	}
	return b.close()
}

// changedRows is a list in which every row is changed.
func changedRows(change func(*store.StoredObservation)) broken {
	return broken{list: func(ctx context.Context, n *Naive, q query.Observations) (store.ObservationPage, error) {
		page, err := n.ListObservations(ctx, q)
		for i := range page.Rows {
			change(&page.Rows[i])
		}
		return page, err
	}}
}

// changedPages is a list in which every page is changed.
func changedPages(change func(*store.ObservationPage)) broken {
	return broken{list: func(ctx context.Context, n *Naive, q query.Observations) (store.ObservationPage, error) {
		page, err := n.ListObservations(ctx, q)
		change(&page)
		return page, err
	}}
}

// changedConditions is a list that answers another question.
func changedConditions(change func(*query.Condition)) broken {
	return broken{list: func(ctx context.Context, n *Naive, q query.Observations) (store.ObservationPage, error) {
		q.Where = slices.Clone(q.Where)
		for i := range q.Where {
			change(&q.Where[i])
		}
		return n.ListObservations(ctx, q)
	}}
}

// fault is a store with one fault, with the point of Run that must find it. Those with random set are such that
// RunRandom must find them too.
var faults = slices.Concat(signalFaults, documentFaults, analysisFaults)

type fault struct {
	name   string
	store  broken
	point  string
	random bool
}

var signalFaults = []fault{
	{"drops a row", broken{write: func(ctx context.Context, n *Naive, project string, rows []model.Observation) error {
		if len(rows) > 1 {
			rows = rows[:len(rows)-1]
		}
		return n.WriteObservations(ctx, project, rows)
	}}, "one store/writes/are visible to the next read", true},
	{"keeps the first of two rows", broken{write: func(ctx context.Context, n *Naive, project string, rows []model.Observation) error {
		rows = slices.Clone(rows)
		slices.Reverse(rows)
		return n.WriteObservations(ctx, project, rows)
	}}, "one store/writes/keep the later of two rows in a call", true},
	{"replaces only at the same time", broken{write: func(ctx context.Context, n *Naive, project string, rows []model.Observation) error {
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].ID += rows[i].Start.String()
		}
		return n.WriteObservations(ctx, project, rows)
	}}, "one store/writes/replace whatever the start time", true},
	{"writes half of a cancelled batch", broken{write: func(ctx context.Context, n *Naive, project string, rows []model.Observation) error {
		half := len(rows) / 2
		if err := n.WriteObservations(context.WithoutCancel(ctx), project, rows[:half]); err != nil {
			return err
		}
		return n.WriteObservations(ctx, project, rows[half:])
	}}, "one store/writes/are all or nothing/with a context that is done", false},
	{"shows half of a batch", broken{write: func(ctx context.Context, n *Naive, project string, rows []model.Observation) error {
		for part := range slices.Chunk(rows, 2) {
			if err := n.WriteObservations(ctx, project, part); err != nil {
				return err
			}
		}
		return nil
	}}, "one store/concurrency", false},
	{"mixes projects up", broken{
		write: func(ctx context.Context, n *Naive, _ string, rows []model.Observation) error {
			return n.WriteObservations(ctx, "all", rows)
		},
		list: func(ctx context.Context, n *Naive, q query.Observations) (store.ObservationPage, error) {
			q.Project = "all"
			return n.ListObservations(ctx, q)
		},
	}, "one store/writes/may come again", true},
	{"deletes in all projects", broken{erase: func(ctx context.Context, n *Naive, _ string, traceIDs []string) error {
		for project := range n.projects {
			if err := n.DeleteTraces(ctx, project, traceIDs); err != nil {
				return err
			}
		}
		return nil
	}}, "one store/deletes/take observations and scores", true},
	{"leaves the scores of a trace", broken{erase: func(ctx context.Context, n *Naive, project string, traceIDs []string) error {
		var kept map[string]store.StoredScore
		if p := n.projects[project]; p != nil {
			kept = maps.Clone(p.scores)
		}
		err := n.DeleteTraces(ctx, project, traceIDs)
		if kept != nil {
			n.projects[project].scores = kept
		}
		return err
	}}, "one store/deletes/take observations and scores", true},
	{"forgets when a row came", changedRows(func(row *store.StoredObservation) {
		row.CreatedAt = row.UpdatedAt
	}), "one store/writes/keep the time of creation", true},
	{"sorts the wrong way", changedPages(func(page *store.ObservationPage) {
		if n := len(page.Rows); n > 1 && page.Rows[n-1].Start.Equal(page.Rows[n-2].Start) {
			page.Rows[n-1], page.Rows[n-2] = page.Rows[n-2], page.Rows[n-1]
		}
	}), "one store/order/is total", true},
	{"repeats a row at a page boundary", changedPages(func(page *store.ObservationPage) {
		if page.Next != nil {
			page.Next.ID += "~"
		}
	}), "one store/order/in pages", true},
	{"skips rows at a page boundary", changedPages(func(page *store.ObservationPage) {
		if page.Next != nil {
			page.Next.TraceID = ""
		}
	}), "one store/order/in pages", true},
	{"has an empty page at the end", changedPages(func(page *store.ObservationPage) {
		if n := len(page.Rows); n > 0 && page.Next == nil {
			page.Next = new(keyOf(&page.Rows[n-1].Observation))
		}
	}), "one store/order/ends with the last row", true},
	{"rounds numbers", changedRows(func(row *store.StoredObservation) {
		var metadata map[string]any
		if json.Unmarshal([]byte(row.Metadata), &metadata) == nil {
			row.Metadata = encodeJSON(metadata)
		}
	}), "one store/types/metadata/values", true},
	{"takes zero for none", changedRows(func(row *store.StoredObservation) {
		if row.PromptVersion != nil && *row.PromptVersion == 0 {
			row.PromptVersion = nil
		}
	}), "one store/types/integers", true},
	{"trims texts", changedRows(func(row *store.StoredObservation) {
		row.StatusMessage = strings.TrimSpace(row.StatusMessage)
	}), "one store/types/odd texts in every field", true},
	{"gives local times", changedRows(func(row *store.StoredObservation) {
		row.Start = row.Start.Local()
	}), "one store/types/times", false}, // nobody sees it where local time is UTC
	{"gives fields that nobody asked for", broken{list: func(ctx context.Context, n *Naive, q query.Observations) (store.ObservationPage, error) {
		q.Groups |= query.GroupExperiment
		return n.ListObservations(ctx, q)
	}}, "one store/groups", true},
	{"ignores letter case", changedConditions(func(c *query.Condition) {
		if c.Column == query.ColumnName && c.Operator == query.OpEqual {
			c.Operator, c.Texts = query.OpAnyOf, []string{c.Text, strings.ToLower(c.Text), strings.ToUpper(c.Text)}
		}
	}), "one store/columns", false},
	{"leaves out rows without a value", changedConditions(func(c *query.Condition) {
		if c.Operator == query.OpNoneOf && c.Column == query.ColumnVersion {
			c.Texts = append(slices.Clone(c.Texts), "")
		}
	}), "one store/columns/version", false},
	{"takes the end of a range in", changedConditions(func(c *query.Condition) {
		if c.Operator == query.OpLess {
			c.Operator = query.OpLessOrEqual
		}
	}), "one store/columns/startTime", false},
	{"replaces scores", broken{scores: func(ctx context.Context, n *Naive, project string, scores []model.Score) error {
		for _, score := range scores {
			if err := n.DeleteScores(ctx, project, []string{score.ID}); err != nil {
				return err
			}
		}
		return n.WriteScores(ctx, project, scores)
	}}, "one store/score merge/what is not given stays, in one call false", true},
	{"counts replaced rows", broken{stats: func(stats store.Stats) store.Stats {
		stats.Observations += stats.Observations / 50
		return stats
	}}, "stats", false},
	{"does not look at the context", broken{write: func(ctx context.Context, n *Naive, project string, rows []model.Observation) error {
		return n.WriteObservations(context.WithoutCancel(ctx), project, rows)
	}}, "one store/cancel/WriteObservations after its time", false},
	{"works after it was closed", broken{close: func() error { return nil }}, "close/ends everything", false},
}

// brokenEnv makes a test process run the suite on the stores that must not pass it.
const brokenEnv = "WEIR_STORETEST_BROKEN"

// A suite that cannot fail shows nothing: each fault must be found at the point that is about it.
func TestFaultsAreFound(t *testing.T) {
	if os.Getenv(brokenEnv) != "" {
		for i := range faults {
			engine := Engine{Volatile: true, Open: func(testing.TB, string) store.Store {
				s := faults[i].store
				s.Naive = NewNaive()
				return &s
			}}
			t.Run(faults[i].name, func(t *testing.T) { Run(t, engine) })
			t.Run(faults[i].name+" at random", func(t *testing.T) { RunRandom(t, engine) })
		}
		t.Run("acknowledges too early", func(t *testing.T) {
			t.Run("reopen", func(t *testing.T) { reopening(t, journalEngine(true)) })
			t.Run("kill", func(t *testing.T) { KillTest(t, journalEngine(true)) })
		})
		return
	}
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			requireFailure(t, fault.name+"/"+fault.point)
			if fault.random {
				requireFailure(t, fault.name+" at random/seed 1")
			}
		})
	}
	t.Run("acknowledges too early", func(t *testing.T) {
		requireFailure(t, "acknowledges too early/reopen")
		requireFailure(t, "acknowledges too early/kill")
	})
}

// requireFailure runs one test of the suite on a broken store, in a process of its own, and wants it to fail.
func requireFailure(t *testing.T, name string) {
	t.Helper()
	parts := strings.Split("TestFaultsAreFound/"+strings.ReplaceAll(name, " ", "_"), "/")
	pattern := make([]string, 0, len(parts))
	for _, part := range parts {
		pattern = append(pattern, "^"+regexp.QuoteMeta(part)+"$")
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run="+strings.Join(pattern, "/"), "-test.count=1", "-test.timeout=1m")
	cmd.Env = append(os.Environ(), brokenEnv+"=1", "TZ=Europe/Berlin")
	output, err := cmd.CombinedOutput()
	require.Error(t, err, "%s passes:\n%s", name, output)
	assert.Contains(t, string(output), "--- FAIL: "+strings.Join(parts, "/"), "%s", output)
	assert.NotContains(t, string(output), "panic: ", "it must fail, not break down")
}
