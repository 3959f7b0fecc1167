// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/store/sqlstore"
	"github.com/weirhq/weir/internal/store/storetest"
)

// Large rows are handed out few at a time, so that a copy needs no more memory than for small ones.
func TestExportIsBoundedByBytes(t *testing.T) {
	const most, count = 16 << 20, 40
	e := open(t, Settings{Dir: t.TempDir()})
	text := strings.Repeat("x", 1<<20)
	r := storetest.NewRows(1)
	rows := r.Trace(count)
	for i := range rows {
		rows[i].Output = text
	}
	rows[count/2].Input = strings.Repeat(text, 20) // more than fits, and nothing that could be cut
	for i := range rows {
		require.NoError(t, e.WriteObservations(t.Context(), project, rows[i:i+1]))
		score := r.Score(strconv.Itoa(i))
		score.Comment = text
		require.NoError(t, e.WriteScores(t.Context(), project, []model.Score{score}))
		for range 2 {
			require.NoError(t, e.WriteDocuments(t.Context(), project, []store.DocumentChange{{
				Document: store.Document{Kind: "k", ID: strconv.Itoa(i), Body: text}, Expect: store.AnyRevision, KeepOld: true,
			}}))
		}
	}
	found := 0
	require.NoError(t, e.ExportObservations(t.Context(), false, func(part []*sqlstore.ObservationRecord) error {
		found += len(part)
		assert.True(t, len(part) == 1 || len(part)*len(text) <= most, "%d at a time", len(part))
		return nil
	}))
	assert.Equal(t, count, found)
	found = 0
	require.NoError(t, e.ExportScores(t.Context(), func(part []*sqlstore.ScoreRecord) error {
		found += len(part)
		assert.LessOrEqual(t, len(part)*len(text), most)
		return nil
	}))
	assert.Equal(t, count, found)
	found = 0
	require.NoError(t, e.ExportDocuments(t.Context(), func(part []*sqlstore.DocumentRecord) error {
		found += len(part)
		assert.LessOrEqual(t, len(part)*len(text), most)
		assert.Zero(t, len(part)%2, "both versions come together")
		return nil
	}))
	assert.Equal(t, 2*count, found)
}
