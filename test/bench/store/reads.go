// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/weirhq/weir/internal/convert"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/test/internal/times"
)

const repetitions = 30

// reads loads a tenth of the rows and then all of them, and prints at each point how long reads take.
func reads(ctx context.Context, engine engine, requests *requests, rows int) error {
	prices, err := pricing.Default()
	if err != nil {
		return err
	}
	converter := convert.New(convert.Settings{Names: wire.NewNames(wire.DefaultService), Prices: prices})
	for _, size := range []int{rows / 10, rows} {
		s, err := engine.open(ctx, readStore)
		if err != nil {
			return err
		}
		for int(requests.counter.Load())*spansPerBatch < size {
			n := requests.next()
			request, err := requests.decode(n, requests.body(n))
			if err == nil {
				err = s.WriteObservations(ctx, project, converter.Traces(request.Traces(), convert.RequestOrigin{}))
			}
			if err != nil {
				return errors.Join(err, s.Close(ctx))
			}
		}
		if err := writeScores(ctx, s, requests.begin, int(requests.counter.Load())*spansPerBatch); err != nil {
			return errors.Join(err, s.Close(ctx))
		}
		stats, err := s.Stats(ctx)
		if err != nil {
			return errors.Join(err, s.Close(ctx))
		}
		fmt.Printf("Reading, %d observations and %d scores, %d MB on disk, %d times each\n\n| read | median | p95 |\n|---|---|---|\n",
			stats.Observations, stats.Scores, stats.Bytes>>20, repetitions)
		err = errors.Join(readAll(ctx, s, requests.begin, int(stats.Observations)), analyse(ctx, s, requests.begin, int(stats.Observations)))
		if err := errors.Join(err, s.Close(ctx)); err != nil {
			return err
		}
		fmt.Println()
	}
	return nil
}

func readAll(ctx context.Context, s store.Store, begin time.Time, rows int) error {
	middle := begin.Add(time.Duration(rows/2) * 86 * time.Millisecond)
	text := func(column query.Column, value string) []query.Condition {
		return []query.Condition{{Column: column, Operator: query.OpEqual, Text: value}}
	}
	basic := query.GroupBasic
	for _, read := range []struct {
		name string
		q    query.Observations
	}{
		{"newest page of 50", query.Observations{Groups: basic, Limit: 50}},
		{"newest page of 50, with input and output", query.Observations{Groups: basic | query.GroupIO, Limit: 50}},
		{"page of 50 deep in the past", query.Observations{Groups: basic, Limit: 50, After: &query.ObservationKey{Start: middle}}},
		{"one trace by its id, everything of it", query.Observations{
			Groups: query.GroupAll, Limit: 1000, Where: text(query.ColumnTraceID, traceID(rows/2)),
		}},
		{"newest page of one user", query.Observations{Groups: basic, Limit: 50, Where: text(query.ColumnUserID, "user-123")}},
		{"newest page with a metadata value", query.Observations{Groups: basic, Limit: 50, Where: []query.Condition{
			{Column: query.ColumnMetadata, Key: "tenant", Operator: query.OpEqual, Text: "tenant-7"},
		}}},
		{"full text in one day", query.Observations{
			Groups: basic, Limit: 50, From: middle.Add(-12 * time.Hour), To: middle.Add(12 * time.Hour),
			Where: []query.Condition{{Column: query.ColumnInput, Operator: query.OpMatches, Text: "numbers that"}},
		}},
	} {
		read.q.Project = project
		err := repeat(read.name, func() (int, error) {
			page, err := s.ListObservations(ctx, read.q)
			return len(page.Rows), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// repeat prints how long a read takes.
func repeat(name string, read func() (rows int, err error)) error {
	var took times.Times
	found := 0
	for range repetitions {
		start := time.Now()
		rows, err := read()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		took = append(took, time.Since(start))
		found = rows
	}
	fmt.Printf("| %s (%d rows) | %s | %s |\n", name, found, took.At(0.5), took.At(0.95))
	return nil
}
