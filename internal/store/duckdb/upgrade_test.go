// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// oldStore unpacks a store that test/oldstore wrote.
func oldStore(t *testing.T, schema string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	files, err := filepath.Glob(filepath.Join("testdata", schema, "*.gz"))
	require.NoError(t, err)
	require.Len(t, files, 2, "a file and its log")
	for _, name := range files {
		packed, err := os.Open(name)
		require.NoError(t, err)
		content, err := gzip.NewReader(packed)
		require.NoError(t, err)
		target, err := os.Create(filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".gz")))
		require.NoError(t, err)
		_, err = io.Copy(target, content)
		require.NoError(t, err)
		require.NoError(t, target.Close())
		require.NoError(t, packed.Close())
	}
	return dir
}

// oldRows are the rows of test/oldstore/rows-0001.sql, in the order of a list.
func oldRows() []store.StoredObservation {
	begin := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	version := 3
	root := store.StoredObservation{
		Observation: model.Observation{
			TraceID: "0af7651916cd43dd8448eb211c80319c", ID: "b7ad6b7169203331",
			Start: begin, End: begin.Add(1500 * time.Millisecond), CompletionStart: begin.Add(250 * time.Millisecond),
			Name: "chat", Type: model.TypeGeneration, Environment: "production", Version: "v1", Release: "2026.11", TraceName: "agent",
			UserID: "user-1", SessionID: "session-1", Tags: []string{"a", "b"}, Level: model.LevelWarning, StatusMessage: "slow",
			IsAppRoot: true, Public: true, PromptID: "prompt-1", PromptName: "greeting", PromptVersion: &version,
			ModelID: "model-1", Model: "gpt-4o", ModelParameters: `{"temperature":0.5}`,
			Usage: model.Usage{{Key: "input", Units: 1000}, {Key: "output", Units: 200}, {Key: "total", Units: 1200}},
			Cost: model.Costs{
				{Key: "input", Amount: 2_500_000_000}, {Key: "output", Amount: 2_000_000_000}, {Key: "total", Amount: 4_500_000_000},
			},
			Input: "What is six by seven?", Output: "42", Metadata: `{"tenant":"acme","big":9007199254740993,"looks_int":"123"}`,
		},
		CreatedAt: begin.Add(2 * time.Second), UpdatedAt: begin.Add(2 * time.Second),
	}
	child := root
	child.ID, child.ParentID, child.Name, child.Type, child.Start = "b7ad6b7169203332", root.ID, "search", model.TypeTool, begin.Add(500*time.Millisecond)
	return []store.StoredObservation{child, root}
}

// A store of an earlier version, left by a process that was killed, is brought to the schema of today and keeps what it has.
func TestUpgrade(t *testing.T) {
	dir := oldStore(t, "schema-0001")
	steps, err := migrations()
	require.NoError(t, err)
	require.Greater(t, len(steps), 1, "there is something to do")

	const shop = "shop"
	everything := query.Observations{Project: shop, Limit: 10, Groups: query.GroupAll}
	upgraded := open(t, Settings{Dir: dir})
	version, err := schemaVersion(t.Context(), upgraded.db)
	require.NoError(t, err)
	assert.Equal(t, len(steps), version)
	page, err := upgraded.ListObservations(t.Context(), everything)
	require.NoError(t, err)
	assert.Equal(t, oldRows(), page.Rows)
	scores, err := upgraded.ScoresByID(t.Context(), shop, []string{"score-1"})
	require.NoError(t, err)
	require.Len(t, scores, 1)
	begin := time.Date(2026, 11, 1, 13, 0, 0, 0, time.UTC)
	assert.Equal(t, store.StoredScore{
		Score: model.Score{
			ID: "score-1", Name: "quality", DataType: model.ScoreNumeric, Number: 0.75, TraceID: "0af7651916cd43dd8448eb211c80319c",
			ObservationID: "b7ad6b7169203331", Source: model.ScoreFromAPI, Comment: "good", Environment: "production", Metadata: `{"by":"ann"}`, Timestamp: begin,
		},
		CreatedAt: begin.Add(time.Second), UpdatedAt: begin.Add(time.Second),
	}, scores[0])
	require.NoError(t, upgraded.Close(t.Context()))

	// It is a store like any other now: an old row is replaced, a new one added, and both are there after another start.
	again := open(t, Settings{Dir: dir})
	changed, added := oldRows()[0].Observation, observation(1, noon)
	changed.Name = "search again"
	require.NoError(t, again.WriteObservations(t.Context(), shop, []model.Observation{changed, added}))
	change := store.DocumentChange{Document: store.Document{Kind: "note", ID: "1", Body: "{}"}}
	require.NoError(t, again.WriteDocuments(t.Context(), shop, []store.DocumentChange{change}))
	require.NoError(t, again.Close(t.Context()))

	last := open(t, Settings{Dir: dir})
	page, err = last.ListObservations(t.Context(), everything)
	require.NoError(t, err)
	require.Len(t, page.Rows, 3)
	assert.Equal(t, []string{"chat", "search again", "chat"}, []string{page.Rows[0].Name, page.Rows[1].Name, page.Rows[2].Name})
	assert.Equal(t, oldRows()[0].CreatedAt, page.Rows[1].CreatedAt)
	documents, err := last.ListDocuments(t.Context(), query.Documents{Project: shop, Kind: "note", Limit: 10})
	require.NoError(t, err)
	assert.Len(t, documents.Rows, 1)
}
