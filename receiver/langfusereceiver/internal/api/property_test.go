// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"encoding/json"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store/storetest"
)

// seedOf is that of the environment, so that a failure can be repeated, or a new one.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("WEIR_API_SEED"); text != "" {
		var err error
		seed, err = strconv.ParseUint(text, 10, 64)
		require.NoError(t, err)
	}
	t.Logf("repeat with WEIR_API_SEED=%d", seed)
	return seed
}

// filterText writes conditions as a caller does.
func filterText(t *testing.T, where ...query.Condition) string {
	t.Helper()
	list := []map[string]any{}
	for _, c := range where {
		kind, value := "string", any(c.Text)
		switch {
		case c.Operator == query.OpIsNull || c.Operator == query.OpIsNotNull:
			kind, value = "null", ""
		case c.Column.Kind() == query.KindList:
			kind, value = "arrayOptions", append([]string{}, c.Texts...)
		case c.Operator == query.OpAnyOf || c.Operator == query.OpNoneOf:
			kind, value = "stringOptions", c.Texts
		case c.Column.Kind() == query.KindNumber:
			kind, value = "number", c.Number
		case c.Column.Kind() == query.KindTime:
			kind, value = "datetime", c.Time
		case c.Column.Kind() == query.KindBool:
			kind, value = "boolean", c.Bool
		case c.Column.Kind() == query.KindObject && c.IsNumber:
			kind, value = "numberObject", c.Number
		case c.Column.Kind() == query.KindObject:
			kind = "stringObject"
		}
		condition := map[string]any{"type": kind, "column": c.Column, "operator": c.Operator, "value": value}
		if c.Key != "" {
			condition["key"] = c.Key
		}
		list = append(list, condition)
	}
	text, err := json.Marshal(list)
	require.NoError(t, err)
	return string(text)
}

// canBeSent tells whether the API takes a condition that the store would.
func canBeSent(c query.Condition) bool {
	switch {
	case c.Column.Kind() == query.KindTime && c.Operator == query.OpEqual:
		return false
	case c.Column == query.ColumnExperimentItemID: // of another list
		return false
	case (c.Operator == query.OpAnyOf || c.Operator == query.OpNoneOf) && len(c.Texts) == 0:
		return false
	default:
		return utf8.ValidString(c.Text) // JSON has no half characters
	}
}

func TestAnyFilterOverHTTP(t *testing.T) {
	h := start(t)
	rows := storetest.NewRows(seedOf(t))
	naive := storetest.NewNaive()
	observations := rows.Observations(300)
	for i := range 20 {
		observations[i*10] = rows.Odd()
	}
	h.write(t, observations...)
	require.NoError(t, naive.WriteObservations(t.Context(), h.project, observations))

	met := 0
	for range 400 {
		var where []query.Condition
		for len(where) < 1+rows.IntN(3) {
			if c := rows.Condition(&observations[rows.IntN(len(observations))]); canBeSent(c) {
				where = append(where, c)
			}
		}
		want, err := naive.ListObservations(t.Context(), query.Observations{Project: h.project, Where: where, Limit: 1000})
		require.NoError(t, err)
		wanted := []string{}
		for i := range want.Rows {
			wanted = append(wanted, want.Rows[i].ID)
		}
		filter := filterText(t, where...)
		got := h.get(t, "/v2/observations", "limit", "1000", "filter", filter)
		require.Equal(t, 200, got.status, "%s\n%s", filter, got.body)
		require.Equal(t, wanted, ids(got.data(t)), filter)
		met += len(wanted)
	}
	assert.Positive(t, met)
}

func TestWalkWhileOthersWrite(t *testing.T) {
	h := start(t)
	rows := storetest.NewRows(seedOf(t))
	before := make([]model.Observation, 0, 400)
	for range 400 {
		before = append(before, rows.Plain(10))
	}
	h.write(t, before...)
	all := ids(h.get(t, "/v2/observations", "limit", "1000").data(t))
	require.Len(t, all, len(before))
	known := map[string]bool{}
	for _, id := range all {
		known[id] = true
	}

	done := make(chan struct{})
	var writing sync.WaitGroup
	others := storetest.NewRows(seedOf(t) + 1)
	writing.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				assert.NoError(t, h.store.WriteObservations(t.Context(), h.project, []model.Observation{others.Plain(10), others.Plain(10)}))
			}
		}
	})
	for _, limit := range []int{1, 7, 50, 399, 1000} {
		var walked []string
		for cursor, first := "", true; first || cursor != ""; first = false {
			parameters := []string{"limit", strconv.Itoa(limit)}
			if cursor != "" {
				parameters = append(parameters, "cursor", cursor)
			}
			page := h.get(t, "/v2/observations", parameters...)
			for _, id := range ids(page.data(t)) {
				if known[id] {
					walked = append(walked, id)
				}
			}
			cursor = page.cursor(t)
			if limit == 1 && len(walked) >= 50 {
				break
			}
		}
		if limit == 1 {
			assert.Equal(t, all[:len(walked)], walked)
			continue
		}
		assert.Equal(t, all, walked, "pages of %d", limit)
	}
	close(done)
	writing.Wait()
}
