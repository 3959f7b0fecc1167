// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// typesSurvive holds the store to giving back what it was given.
func typesSurvive(t *testing.T, s store.Store) {
	t.Run("rows of all sorts", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(f.rows.Observations(100)...)
		f.same(query.Observations{})
	})
	t.Run("nothing given", func(t *testing.T) {
		f := newFixture(t, s)
		f.write(model.Observation{TraceID: "t", ID: "i", Start: f.rows.Base})
		f.same(query.Observations{})
	})
	t.Run("odd texts in every field", func(t *testing.T) {
		f := newFixture(t, s)
		rows := make([]model.Observation, 5*len(oddTexts))
		for i := range rows {
			rows[i] = f.rows.Odd()
			rows[i].Start = f.rows.Base
		}
		f.write(rows...)
		f.same(query.Observations{})
	})
	t.Run("metadata", func(t *testing.T) { metadataSurvives(t, s) })
	t.Run("integers", func(t *testing.T) {
		f := newFixture(t, s)
		row := f.rows.Plain(50)
		row.Usage = model.Usage{{Key: "zero"}, {Key: "2^53+1", Units: 1<<53 + 1}, {Key: "largest", Units: math.MaxInt64}, {Key: "total", Units: 1}}
		row.ProvidedUsage = nil
		row.PromptVersion = new(0)
		f.write(row)
		without := f.rows.Plain(50)
		without.Usage, without.PromptVersion = nil, nil
		f.write(without)
		f.same(query.Observations{})
	})
	t.Run("amounts", func(t *testing.T) {
		f := newFixture(t, s)
		row := f.rows.Plain(50)
		row.Cost = model.Costs{
			{Key: "zero"},
			{Key: "least", Amount: 1},
			{Key: "a third", Amount: 333_333_333_333},
			{Key: "largest", Amount: math.MaxInt64},
			{Key: "credit", Amount: -1},
			{Key: "total", Amount: 9_007_199_254_740_993},
		}
		row.ProvidedCost = model.Costs{{Key: "z"}, {Key: "a"}, {Key: "m"}}
		f.write(row)
		f.same(query.Observations{})
	})
	t.Run("times", func(t *testing.T) {
		f := newFixture(t, s)
		var rows []model.Observation
		for i, start := range []time.Time{
			time.Unix(0, 0).UTC(), time.UnixMilli(1).UTC(), time.UnixMilli(999).UTC(), time.Date(2000, 2, 29, 23, 59, 59, 999e6, time.UTC),
			time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC), time.Date(2026, 10, 25, 1, 30, 0, 1e6, time.UTC),
			time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2254, 12, 31, 23, 59, 59, 999e6, time.UTC),
		} {
			for j, end := range []time.Time{{}, start, start.Add(time.Millisecond), start.Add(-time.Hour), time.Unix(0, 0).UTC()} {
				row := model.Observation{TraceID: strconv.Itoa(i), ID: strconv.Itoa(j), Start: start, End: end, CompletionStart: end}
				row.Experiment.ItemVersion = end
				rows = append(rows, row)
			}
		}
		f.write(rows...)
		require.Len(t, f.same(query.Observations{}), 40)
	})
	t.Run("lists", func(t *testing.T) {
		f := newFixture(t, s)
		for i, list := range [][]string{nil, {""}, {"", ""}, {"b", "a", "b"}, {"a,b"}, oddTexts} {
			row := model.Observation{TraceID: "t", ID: strconv.Itoa(i), Start: f.rows.Base, Tags: list, ToolCalls: list, ToolCallNames: list}
			for j, text := range list {
				row.ToolDefinitions = append(row.ToolDefinitions, model.NamedText{Name: fmt.Sprintf("%s %d", text, len(list)-j), Text: text})
			}
			f.write(row)
		}
		f.same(query.Observations{})
	})
}

// metadataSurvives tries each value under each key. Then string and number, empty and absent must differ for conditions too.
func metadataSurvives(t *testing.T, s store.Store) {
	t.Run("values", func(t *testing.T) {
		f := newFixture(t, s)
		values := append(append([]string{}, metadataValues...), exactNumbers...)
		for _, text := range oddTexts {
			values = append(values, encodeJSON(text))
		}
		var rows []model.Observation
		for i, value := range values {
			metadata := "{" + encodeJSON(metadataKeys[i%len(metadataKeys)]) + ":" + value + "}"
			rows = append(rows, model.Observation{TraceID: "t", ID: strconv.Itoa(i), Start: f.rows.Base, Metadata: metadata})
		}
		f.write(rows...)
		require.Len(t, f.same(query.Observations{}), len(values))
	})
	t.Run("all keys at once", func(t *testing.T) {
		f := newFixture(t, s)
		var members []string
		for i, key := range metadataKeys {
			members = append(members, fmt.Sprintf("%s:%d", encodeJSON(key), i))
		}
		row := f.rows.Plain(50)
		row.Metadata = "{" + strings.Join(members, ",") + "}"
		row.Experiment.Metadata, row.Experiment.ItemMetadata = row.Metadata, row.Metadata
		f.write(row)
		f.same(query.Observations{})
		for i, key := range metadataKeys {
			equals := query.Condition{Column: query.ColumnMetadata, Key: key, Operator: query.OpEqual, Text: strconv.Itoa(i)}
			require.Len(t, f.same(where(equals)), 1, "key %q", key)
		}
	})
	t.Run("string and number", func(t *testing.T) {
		f := newFixture(t, s)
		for id, metadata := range map[string]string{
			"number": `{"k":123}`, "string": `{"k":"123"}`, "empty": `{"k":""}`, "null": `{"k":null}`, "absent": `{"other":1}`, "none": "",
		} {
			f.write(model.Observation{TraceID: "t", ID: id, Start: f.rows.Base, Metadata: metadata})
		}
		ids := func(c query.Condition) []string {
			c.Column, c.Key = query.ColumnMetadata, "k"
			var found []string
			for _, row := range f.same(where(c)) {
				found = append(found, row.ID)
			}
			return found
		}
		require.Equal(t, []string{"number"}, ids(query.Condition{Operator: query.OpEqual, IsNumber: true, Number: 123}))
		require.Equal(t, []string{"string", "number"}, ids(query.Condition{Operator: query.OpEqual, Text: "123"}))
		require.Equal(t, []string{"empty"}, ids(query.Condition{Operator: query.OpEqual, Text: ""}))
		require.Equal(t, []string{"empty"}, ids(query.Condition{Operator: query.OpNotContains, Text: "2"}))
		require.Equal(t, []string{"null", "none", "absent"}, ids(query.Condition{Operator: query.OpIsNull}))
	})
}
