// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/stretchr/testify/assert"
	"golang.org/x/sync/semaphore"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/turns"
)

// Who would wait for its turn longer than its sender waits is told so, whatever it writes.
func TestBusy(t *testing.T) {
	busy := &engine{settings: Settings{WriteWait: time.Millisecond}, closing: context.Background(), documents: semaphore.NewWeighted(0)}
	busy.observations = newGroups(busy, busy.writeObservations) // of which nobody takes anything
	busy.scores = newGroups(busy, busy.writeScores)
	for name, err := range map[string]error{
		"observations": busy.WriteObservations(t.Context(), "p", []model.Observation{{TraceID: "t", ID: "i", Start: time.Now()}}),
		"scores": busy.WriteScores(t.Context(), "p", []model.Score{{
			ID: "i", Name: "n", DataType: model.ScoreNumeric, SessionID: "s", Source: model.ScoreFromAPI, Environment: "default",
		}}),
		"documents": busy.WriteDocuments(t.Context(), "p", []store.DocumentChange{{Document: store.Document{Kind: "k", ID: "i"}, Expect: store.AnyRevision}}),
	} {
		assert.ErrorIs(t, err, store.ErrUnavailable, name)
		assert.ErrorContains(t, err, "more is written than it can take", name)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	err := busy.WriteObservations(gone, "p", []model.Observation{{TraceID: "t", ID: "i", Start: time.Now()}})
	assert.ErrorIs(t, err, context.Canceled)
}

type letter string

func (letter) countRows() int { return 1 }

// A group is written call by call where one of them is at fault, and only there: what ClickHouse cannot do for all of them it
// cannot do for each, and they would wait for one another.
func TestWhoIsAtFault(t *testing.T) {
	for name, c := range map[string]struct {
		err    error
		writes int
		fails  string
	}{
		"a call is invalid":       {err: store.ErrInvalid, writes: 4, fails: "b"},
		"a value does not fit":    {err: errWrongValue, writes: 4, fails: "b"},
		"the server is away":      {err: io.EOF, writes: 1, fails: "abc"},
		"the time is over":        {err: context.DeadlineExceeded, writes: 1, fails: "abc"},
		"too many parts":          {err: &clickhouse.Exception{Code: 252}, writes: 1, fails: "abc"},
		"the rows came too late":  {err: &clickhouse.Exception{Code: 469}, writes: 1, fails: "abc"},
		"the memory is used up":   {err: &clickhouse.Exception{Code: 241}, writes: 1, fails: "abc"},
		"somebody else was there": {err: errRival, writes: 1, fails: "abc"},
	} {
		writes := 0
		g := newGroups(&engine{settings: Settings{WriteWait: time.Minute}, closing: context.Background()}, func(_ context.Context, calls []letter) error {
			writes++
			if slices.Contains(calls, "b") {
				return c.err
			}
			return nil
		})
		var group []*turns.Turn[letter]
		answers := map[letter]chan error{}
		for _, l := range []letter{"a", "b", "c"} {
			answer := make(chan error, 1)
			answers[l] = answer
			go func() { answer <- g.Submit(t.Context(), l, 1) }()
			group = append(group, <-g.Next())
		}
		g.finish(group)
		assert.Equal(t, c.writes, writes, name)
		for l, answer := range answers {
			assert.Equal(t, strings.Contains(c.fails, string(l)), <-answer != nil, "%s: %s", name, l)
		}
	}
}
