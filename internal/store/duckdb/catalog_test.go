// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	weircatalog "github.com/weirhq/weir/internal/catalog" // catalog is a name of DuckDB here
	"github.com/weirhq/weir/internal/model"
)

const catalogProject = "project"

var catalogPage = weircatalog.Page{Number: 1, Limit: 50}

// What the catalog promises must hold on a real engine, across a restart too.
func TestCatalogOfDatasets(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Settings{Dir: dir})
	c := weircatalog.New(s, weircatalog.Options{})
	dataset, err := c.UpsertDataset(t.Context(), catalogProject, weircatalog.DatasetUpsert{Name: "a/b c+?", Metadata: json.RawMessage(`{"k":"<ü>"}`)})
	require.NoError(t, err)
	item := func(input string) model.DatasetItem {
		item, err := c.UpsertDatasetItem(t.Context(), catalogProject, weircatalog.DatasetItemUpsert{
			DatasetName: "a/b c+?", ID: "item", Input: json.RawMessage(input),
		})
		require.NoError(t, err)
		return item
	}
	first := item("1")
	for !time.Now().Truncate(time.Millisecond).After(first.UpdatedAt) {
		continue // versions are told apart by milliseconds
	}
	item("2")
	require.NoError(t, c.DeleteDatasetItem(t.Context(), catalogProject, "item"))
	run, err := c.CreateRunItem(t.Context(), catalogProject, weircatalog.RunItemCreate{
		RunName: "run", DatasetItemID: "item", TraceID: "t", DatasetVersion: first.UpdatedAt,
	})
	require.NoError(t, err)
	require.NoError(t, s.Close(t.Context()))

	c = weircatalog.New(open(t, Settings{Dir: dir}), weircatalog.Options{})
	got, err := c.Dataset(t.Context(), catalogProject, "a/b c+?")
	require.NoError(t, err)
	assert.Equal(t, dataset, got)
	items := func(version time.Time) []model.DatasetItem {
		list, err := c.DatasetItems(t.Context(), catalogProject, weircatalog.DatasetItemQuery{DatasetName: "a/b c+?", Version: version}, catalogPage)
		require.NoError(t, err)
		return list.Rows
	}
	assert.Empty(t, items(time.Time{}))
	assert.Equal(t, []model.DatasetItem{first}, items(first.UpdatedAt.Truncate(time.Millisecond)))
	_, runItems, err := c.Run(t.Context(), catalogProject, "a/b c+?", "run")
	require.NoError(t, err)
	assert.Equal(t, []model.DatasetRunItem{run}, runItems)
	assert.Equal(t, weircatalog.ExperimentID(catalogProject, dataset.ID, "run"), run.RunID)
}

func TestCatalogOfPrompts(t *testing.T) {
	c := weircatalog.New(open(t, Settings{Dir: t.TempDir()}), weircatalog.Options{})
	const writers, each = 4, 4
	var all sync.WaitGroup
	var mu sync.Mutex
	var versions []int
	for w := range writers {
		all.Go(func() {
			for i := range each {
				prompt, err := c.CreatePrompt(t.Context(), catalogProject, weircatalog.PromptCreate{
					Name: "p", Prompt: json.RawMessage(fmt.Sprintf(`"%d %d"`, w, i)), Labels: []string{model.LabelProduction},
				})
				assert.NoError(t, err)
				mu.Lock()
				versions = append(versions, prompt.Version)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(versions)
	for i, version := range versions {
		require.Equal(t, i+1, version, "each has a version of its own")
	}
	prompt, err := c.Prompt(t.Context(), catalogProject, weircatalog.PromptQuery{Name: "p"})
	require.NoError(t, err)
	assert.Equal(t, writers*each, prompt.Version)
	assert.Equal(t, []string{model.LabelProduction, model.LabelLatest}, prompt.Labels)
	require.NoError(t, c.DeletePrompt(t.Context(), catalogProject, "p", nil, ""))
	list, err := c.Prompts(t.Context(), catalogProject, weircatalog.PromptsQuery{}, catalogPage)
	require.NoError(t, err)
	assert.Zero(t, list.Total)
}

func TestCatalogOfMedia(t *testing.T) {
	c := weircatalog.New(open(t, Settings{Dir: t.TempDir()}), weircatalog.Options{})
	create := func(trace string) model.Media {
		media, err := c.CreateMedia(t.Context(), catalogProject, weircatalog.MediaCreate{
			ContentType: "image/png", ContentLength: 5, SHA256: "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=",
			Link: model.MediaLink{TraceID: trace, Field: "input"},
		})
		require.NoError(t, err)
		return media
	}
	media := create("t1")
	create("t2")
	unused, err := c.UnlinkTraces(t.Context(), catalogProject, []string{"t1"})
	require.NoError(t, err)
	assert.Empty(t, unused, "another trace refers to it")
	unused, err = c.UnlinkTraces(t.Context(), catalogProject, []string{"t2"})
	require.NoError(t, err)
	assert.Equal(t, []string{media.ID}, unused)
}
