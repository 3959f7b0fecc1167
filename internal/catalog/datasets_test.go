// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// upsertDataset makes a dataset that must be taken.
func upsertDataset(t *testing.T, c *Catalog, upsert DatasetUpsert) model.Dataset {
	t.Helper()
	dataset, err := c.UpsertDataset(t.Context(), project, upsert)
	require.NoError(t, err)
	return dataset
}

func upsertItem(t *testing.T, c *Catalog, upsert DatasetItemUpsert) model.DatasetItem {
	t.Helper()
	item, err := c.UpsertDatasetItem(t.Context(), project, upsert)
	require.NoError(t, err)
	return item
}

// itemIDs are those of a list.
func itemIDs(t *testing.T, c *Catalog, q DatasetItemQuery) []string {
	t.Helper()
	list, err := c.DatasetItems(t.Context(), project, q, firstPage)
	require.NoError(t, err)
	require.Len(t, list.Rows, list.Total)
	ids := []string{}
	for _, item := range list.Rows {
		ids = append(ids, item.ID)
	}
	return ids
}

func TestDatasets(t *testing.T) {
	c, _ := newCatalog(t)
	const odd = "a b+c?d/e%2F & ü"
	first := upsertDataset(t, c, DatasetUpsert{Name: odd, Description: new("d"), Metadata: raw(`{"b":1,"a":"<x>"}`)})
	assert.Equal(t, model.Dataset{
		ID: first.ID, Name: odd, Description: "d", Metadata: raw(`{"b":1,"a":"<x>"}`), CreatedAt: first.CreatedAt, UpdatedAt: first.CreatedAt,
	}, first)
	upsertDataset(t, c, DatasetUpsert{Name: "second"})

	again := upsertDataset(t, c, DatasetUpsert{Name: odd, Metadata: raw("null"), InputSchema: raw(`{"type":"object"}`)})
	assert.Equal(t, first.ID, again.ID)
	assert.Equal(t, first.CreatedAt, again.CreatedAt)
	assert.True(t, again.UpdatedAt.After(first.UpdatedAt))
	assert.Equal(t, "d", again.Description, "what is not given stays")
	assert.Equal(t, raw(`{"b":1,"a":"<x>"}`), again.Metadata, "null is not given")
	assert.Equal(t, raw(`{"type":"object"}`), again.InputSchema)

	got, err := c.Dataset(t.Context(), project, odd)
	require.NoError(t, err)
	assert.Equal(t, again, got)
	got, err = c.DatasetByID(t.Context(), project, first.ID)
	require.NoError(t, err)
	assert.Equal(t, again, got)
	list, err := c.Datasets(t.Context(), project, Page{1, 1})
	require.NoError(t, err)
	assert.Equal(t, 2, list.Total)
	assert.Equal(t, "second", list.Rows[0].Name)

	_, err = c.Dataset(t.Context(), project, "no such name")
	requireError(t, err, store.ErrNotFound, "Dataset not found")
	_, err = c.Dataset(t.Context(), other, odd)
	requireError(t, err, store.ErrNotFound, "Dataset not found")
	for message, upsert := range map[string]DatasetUpsert{
		"Too small: expected string to have >=1 characters": {},
		"Too big: expected string to have <=500 characters": {Name: strings.Repeat("n", 501)},
		"Text cannot contain HTML tags":                     {Name: "a <b>c</b>"},
		"metadata is not JSON":                              {Name: "a", Metadata: raw("{")},
		`inputSchema is not a valid JSON schema: at "/type": value must be one of 'array', 'boolean', 'integer', 'null', 'number', 'object', 'string'; at "/type": got string, want array`: {
			Name: "a", InputSchema: raw(`{"type":"nope"}`),
		},
	} {
		_, err := c.UpsertDataset(t.Context(), project, upsert)
		requireError(t, err, store.ErrInvalid, message)
	}
}

func TestSchemasReadNothingFromOutside(t *testing.T) {
	for _, reference := range []string{"file:///etc/passwd", "http://127.0.0.1/schema", "other.json"} {
		_, err := compileSchema("inputSchema", raw(`{"$ref":"`+reference+`"}`))
		require.ErrorIs(t, err, store.ErrInvalid)
		require.ErrorContains(t, err, "nothing outside of it is read")
	}
	cycle, err := compileSchema("inputSchema", raw(`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`))
	if err == nil {
		require.ErrorIs(t, fits(cycle, "input", raw("1")), store.ErrInvalid)
	}
	_, err = compileSchema("inputSchema", raw(`{"description":"`+strings.Repeat("x", maxSchema)+`"}`))
	require.ErrorIs(t, err, store.ErrInvalid)
}

func TestDatasetItems(t *testing.T) {
	c, _ := newCatalog(t)
	dataset := upsertDataset(t, c, DatasetUpsert{Name: "d"})
	upsertDataset(t, c, DatasetUpsert{Name: "e"})
	a := upsertItem(t, c, DatasetItemUpsert{
		DatasetName: "d", ID: "a", Input: raw(`{"n": 12345678901234567890}`), Metadata: raw(`["x"]`), SourceTraceID: "t1", SourceObservationID: "o1",
	})
	assert.Equal(t, model.DatasetItem{
		ID: "a", DatasetID: dataset.ID, DatasetName: "d", Status: model.DatasetItemActive, Input: raw(`{"n":12345678901234567890}`),
		Metadata: raw(`["x"]`), SourceTraceID: "t1", SourceObservationID: "o1", CreatedAt: a.CreatedAt, UpdatedAt: a.CreatedAt,
	}, a)
	b := upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", SourceTraceID: "t1"})
	assert.Len(t, b.ID, 36)
	upsertItem(t, c, DatasetItemUpsert{DatasetName: "e", ID: "c", SourceTraceID: "t1", SourceObservationID: "o1"})

	assert.Equal(t, []string{"c", b.ID, "a"}, itemIDs(t, c, DatasetItemQuery{}), "newest first")
	assert.Equal(t, []string{b.ID, "a"}, itemIDs(t, c, DatasetItemQuery{DatasetName: "d"}))
	assert.Equal(t, []string{b.ID, "a"}, itemIDs(t, c, DatasetItemQuery{DatasetName: "d", SourceTraceID: "t1"}))
	assert.Equal(t, []string{"c", "a"}, itemIDs(t, c, DatasetItemQuery{SourceObservationID: "o1"}))
	assert.Equal(t, []string{"a"}, itemIDs(t, c, DatasetItemQuery{DatasetName: "d", SourceTraceID: "t1", SourceObservationID: "o1"}))
	assert.Equal(t, []string{}, itemIDs(t, c, DatasetItemQuery{SourceTraceID: "t2"}))

	archived := upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a", ExpectedOutput: raw("42"), Status: model.DatasetItemArchived})
	assert.Equal(t, model.DatasetItem{
		ID: "a", DatasetID: dataset.ID, DatasetName: "d", Status: model.DatasetItemArchived, Input: raw(`{"n":12345678901234567890}`),
		ExpectedOutput: raw("42"), Metadata: raw(`["x"]`), SourceTraceID: "t1", SourceObservationID: "o1",
		CreatedAt: a.CreatedAt, UpdatedAt: archived.UpdatedAt,
	}, archived, "what is not given stays")
	assert.Equal(t, []string{b.ID}, itemIDs(t, c, DatasetItemQuery{DatasetName: "d"}), "only active ones are listed")
	got, err := c.DatasetItem(t.Context(), project, "a")
	require.NoError(t, err)
	assert.Equal(t, archived, got)

	require.NoError(t, c.DeleteDatasetItem(t.Context(), project, "a"))
	_, err = c.DatasetItem(t.Context(), project, "a")
	requireError(t, err, store.ErrNotFound, "Dataset item not found")
	requireError(t, c.DeleteDatasetItem(t.Context(), project, "a"), store.ErrNotFound, "Dataset item not found")

	_, err = c.UpsertDatasetItem(t.Context(), project, DatasetItemUpsert{DatasetName: "no such dataset"})
	requireError(t, err, store.ErrNotFound, "Dataset not found")
	_, err = c.UpsertDatasetItem(t.Context(), project, DatasetItemUpsert{DatasetName: "d", ID: "c"})
	requireError(t, err, store.ErrConflict, "Dataset item with id c already exists in another dataset")
	_, err = c.UpsertDatasetItem(t.Context(), project, DatasetItemUpsert{DatasetName: "d", ID: strings.Repeat("i", 256)})
	requireError(t, err, store.ErrInvalid, "Too big: expected string to have <=255 characters")
	_, err = c.UpsertDatasetItem(t.Context(), project, DatasetItemUpsert{DatasetName: "d", Status: "GONE"})
	requireError(t, err, store.ErrInvalid, `Invalid option: expected one of "ACTIVE"|"ARCHIVED"`)
	_, err = c.DatasetItems(t.Context(), project, DatasetItemQuery{Version: time.Now()}, firstPage)
	requireError(t, err, store.ErrInvalid, "version can only be used together with datasetName")
	_, err = c.DatasetItems(t.Context(), project, DatasetItemQuery{DatasetName: "no such dataset"}, firstPage)
	requireError(t, err, store.ErrNotFound, "Dataset not found")
}

func TestSameItemAgain(t *testing.T) {
	c, _ := newCatalog(t)
	upsertDataset(t, c, DatasetUpsert{Name: "d"})
	upsert := DatasetItemUpsert{
		DatasetName: "d", ID: "a", Input: raw(`{"b": 1, "a": "<&>"}`), Metadata: raw("[]"), SourceTraceID: "t", Status: model.DatasetItemActive,
	}
	first := upsertItem(t, c, upsert)
	assert.Equal(t, first, upsertItem(t, c, upsert), "it is not written again")
	assert.Equal(t, first, upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a"}))
	upsert.Input = raw("2")
	changed := upsertItem(t, c, upsert)
	assert.True(t, changed.UpdatedAt.After(first.UpdatedAt))
	assert.Equal(t, raw("2"), changed.Input)
}

func TestDatasetVersions(t *testing.T) {
	c, _ := newCatalog(t)
	upsertDataset(t, c, DatasetUpsert{Name: "d"})
	at := func(version time.Time) map[string]string {
		list, err := c.DatasetItems(t.Context(), project, DatasetItemQuery{DatasetName: "d", Version: version}, firstPage)
		require.NoError(t, err)
		inputs := map[string]string{}
		for _, item := range list.Rows {
			inputs[item.ID] = string(item.Input)
		}
		return inputs
	}
	// Versions are told apart by milliseconds, so the next write waits for the next one.
	nextMillisecond := func(after time.Time) {
		for !time.Now().Truncate(time.Millisecond).After(after) {
			continue
		}
	}
	a1 := upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a", Input: raw("1")}).UpdatedAt
	nextMillisecond(a1)
	b1 := upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "b", Input: raw("1")}).UpdatedAt
	nextMillisecond(b1)
	a2 := upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a", Input: raw("2")}).UpdatedAt
	nextMillisecond(a2)
	require.NoError(t, c.DeleteDatasetItem(t.Context(), project, "b"))
	upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a", Status: model.DatasetItemArchived})

	shown := func(moment time.Time) time.Time { return moment.Truncate(time.Millisecond) }
	assert.Equal(t, map[string]string{"a": "1"}, at(shown(a1)))
	assert.Equal(t, map[string]string{"a": "1", "b": "1"}, at(shown(b1)))
	assert.Equal(t, map[string]string{"a": "2", "b": "1"}, at(shown(a2)), "old content, and what was deleted or archived later")
	assert.Equal(t, map[string]string{"a": "1", "b": "1"}, at(a2.Add(-time.Microsecond)))
	assert.Equal(t, map[string]string{}, at(shown(a1).Add(-time.Millisecond)))
	assert.Equal(t, map[string]string{}, at(time.Time{}))
}

func TestDatasetSchemas(t *testing.T) {
	c, _ := newCatalog(t)
	upsertDataset(t, c, DatasetUpsert{
		Name: "d", InputSchema: raw(`{"type":"object","required":["q"]}`), ExpectedOutputSchema: raw(`{"type":["string","null"]}`),
	})
	upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "a", Input: raw(`{"q":1}`), ExpectedOutput: raw(`"x"`)})
	upsertItem(t, c, DatasetItemUpsert{DatasetName: "d", ID: "b", Input: raw(`{"q":1}`)})
	for message, upsert := range map[string]DatasetItemUpsert{
		`input does not fit the schema of the dataset: at "/": missing property 'q'`:                     {DatasetName: "d", Input: raw(`{}`)},
		`input does not fit the schema of the dataset: at "/": got null, want object`:                    {DatasetName: "d"},
		`expectedOutput does not fit the schema of the dataset: at "/": got number, want null or string`: {DatasetName: "d", ID: "a", ExpectedOutput: raw("1")},
	} {
		_, err := c.UpsertDatasetItem(t.Context(), project, upsert)
		requireError(t, err, store.ErrInvalid, message)
	}
	_, err := c.UpsertDataset(t.Context(), project, DatasetUpsert{Name: "d", InputSchema: raw(`{"required":["r"]}`)})
	requireError(t, err, store.ErrInvalid, `dataset item b: input does not fit the schema of the dataset: at "/": missing property 'r'`)
	dataset, err := c.Dataset(t.Context(), project, "d")
	require.NoError(t, err)
	assert.Equal(t, raw(`{"type":"object","required":["q"]}`), dataset.InputSchema)
}

func TestConcurrentUpserts(t *testing.T) {
	c, _ := newCatalog(t)
	var all sync.WaitGroup
	ids := make([]string, 8)
	for i := range ids {
		all.Go(func() {
			dataset, err := c.UpsertDataset(t.Context(), project, DatasetUpsert{Name: "d", Description: new(strconv.Itoa(i))})
			assert.NoError(t, err)
			ids[i] = dataset.ID
		})
	}
	all.Wait()
	list, err := c.Datasets(t.Context(), project, firstPage)
	require.NoError(t, err)
	require.Equal(t, 1, list.Total)
	for _, id := range ids {
		assert.Equal(t, list.Rows[0].ID, id)
	}
}
