// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func TestExperimentID(t *testing.T) {
	assert.Equal(t, "a40dc5129ef19919", ExperimentID("proj-1", "ds-1", "my run"))
	assert.Equal(t, "dbe27bcf080021df", ExperimentID("7a88fb47-b4e2-43b8-a06c-a5ce950dc53a", "clds1", `Lauf ä/"1"`))
	assert.Equal(t, "[\"<&>\u2028\\n\\u0001\"]", string(jsonTexts("<&>\u2028\n\x01")), "as JavaScript writes it")
}

func TestRuns(t *testing.T) {
	c, _ := newCatalog(t)
	dataset := upsertDataset(t, c, DatasetUpsert{Name: "d"})
	for _, id := range []string{"a", "b"} {
		upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: id})
	}
	create := func(create RunItemCreate) model.DatasetRunItem {
		item, err := c.CreateRunItem(t.Context(), project, create)
		require.NoError(t, err)
		return item
	}
	long := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	first := create(RunItemCreate{RunName: "r/1", RunDescription: new("one"), RunMetadata: raw(`{"m":1}`), DatasetItemID: "a", TraceID: "t1"})
	runID := ExperimentID(project, dataset.ID, "r/1")
	assert.Equal(t, model.DatasetRunItem{
		ID: first.ID, RunID: runID, RunName: "r/1", DatasetItemID: "a", TraceID: "t1", CreatedAt: first.UpdatedAt, UpdatedAt: first.UpdatedAt,
	}, first)
	again := create(RunItemCreate{RunName: "r/1", DatasetItemID: "a", TraceID: "t1"})
	assert.Equal(t, first.ID, again.ID, "the same again is the same")
	second := create(RunItemCreate{RunName: "r/1", RunMetadata: raw(`{"m": 2}`), DatasetItemID: "b", ObservationID: "o2", CreatedAt: long})
	assert.Equal(t, long, second.CreatedAt)
	create(RunItemCreate{RunName: "r2", DatasetItemID: "a", TraceID: "t3"})

	run, items, err := c.Run(t.Context(), project, "d", "r/1")
	require.NoError(t, err)
	assert.Equal(t, model.DatasetRun{
		ID: runID, Name: "r/1", Description: "one", Metadata: raw(`{"m":2}`), DatasetID: dataset.ID, DatasetName: "d",
		CreatedAt: run.CreatedAt, UpdatedAt: run.UpdatedAt,
	}, run, "later metadata replace, an absent description stays")
	assert.Equal(t, []model.DatasetRunItem{second, again}, items)
	runs, err := c.Runs(t.Context(), project, "d", firstPage)
	require.NoError(t, err)
	require.Equal(t, 2, runs.Total)
	assert.Equal(t, "r2", runs.Rows[0].Name, "newest first")
	page, err := c.RunItems(t.Context(), project, dataset.ID, "r/1", Page{2, 1})
	require.NoError(t, err)
	assert.Equal(t, List[model.DatasetRunItem]{Rows: []model.DatasetRunItem{again}, Total: 2}, page)

	require.NoError(t, c.DeleteRun(t.Context(), project, "d", "r/1"))
	_, _, err = c.Run(t.Context(), project, "d", "r/1")
	requireError(t, err, store.ErrNotFound, "Dataset run not found")
	requireError(t, c.DeleteRun(t.Context(), project, "d", "r/1"), store.ErrNotFound, "Dataset run not found")
	_, err = c.RunItems(t.Context(), project, dataset.ID, "r/1", firstPage)
	requireError(t, err, store.ErrNotFound, "Dataset run not found")
	_, items, err = c.Run(t.Context(), project, "d", "r2")
	require.NoError(t, err)
	assert.Len(t, items, 1, "the other run is as it was")

	_, err = c.CreateRunItem(t.Context(), project, RunItemCreate{RunName: "r", DatasetItemID: "no such item", TraceID: "t"})
	requireError(t, err, store.ErrNotFound, "Dataset item not found")
	_, err = c.CreateRunItem(t.Context(), other, RunItemCreate{RunName: "r", DatasetItemID: "a", TraceID: "t"})
	requireError(t, err, store.ErrNotFound, "Dataset item not found")
	_, err = c.CreateRunItem(t.Context(), project, RunItemCreate{RunName: "r", DatasetItemID: "a"})
	requireError(t, err, store.ErrInvalid, "observationId or traceId must be provided")
	var e *Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, []string{"observationId", "traceId"}, e.Path)
}

func TestRunItemOfAnOldVersion(t *testing.T) {
	c, _ := newCatalog(t)
	upsertDataset(t, c, DatasetUpsert{Name: "d"})
	item := upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a"})
	require.NoError(t, c.DeleteDatasetItem(t.Context(), project, "a"))
	create := RunItemCreate{RunName: "r", DatasetItemID: "a", TraceID: "t"}
	_, err := c.CreateRunItem(t.Context(), project, create)
	requireError(t, err, store.ErrNotFound, "Dataset item not found")
	create.DatasetVersion = item.UpdatedAt.Add(time.Nanosecond)
	_, err = c.CreateRunItem(t.Context(), project, create)
	require.NoError(t, err)
}

func TestConcurrentRunItems(t *testing.T) {
	c, _ := newCatalog(t)
	upsertDataset(t, c, DatasetUpsert{Name: "d"})
	upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a"})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			_, err := c.CreateRunItem(t.Context(), project, RunItemCreate{
				RunName: "r", RunDescription: new("d"), DatasetItemID: "a", TraceID: strconv.Itoa(i),
			})
			assert.NoError(t, err)
		})
	}
	all.Wait()
	_, items, err := c.Run(t.Context(), project, "d", "r")
	require.NoError(t, err)
	assert.Len(t, items, 20)
}
