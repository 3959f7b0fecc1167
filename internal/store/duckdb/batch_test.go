// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build cgo

package duckdb

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/model"
)

func TestKeysOfManyRowsAreThoseOfEach(t *testing.T) {
	rows := []model.Observation{{TraceID: "t", ID: "1"}, {}, {TraceID: "trace", ID: "2:3"}}
	keys := rowKeys(project, rows)
	for i, row := range rows {
		assert.Equal(t, rowKey(project, row.TraceID, row.ID), keys[i])
	}
	assert.Empty(t, rowKeys(project, nil))
}

func TestTheLastOfEqualRowsCounts(t *testing.T) {
	group := []*turn{
		{Work: &job{project: "a", rows: []model.Observation{{TraceID: "t", ID: "1", Name: "first"}, {TraceID: "t", ID: "2"}}}},
		{Work: &job{project: "a", rows: []model.Observation{{TraceID: "t", ID: "1", Name: "last"}}}},
		{Work: &job{project: "b", rows: []model.Observation{{TraceID: "t", ID: "1", Name: "other"}}}},
	}
	var got []string
	for record := range lastRows(group, noon).records {
		got = append(got, record.Project+" "+record.ID+" "+record.Name)
		assert.Equal(t, noon, record.CreatedAt)
		assert.Equal(t, noon, record.UpdatedAt)
	}
	assert.Equal(t, []string{"a 1 last", "a 2 ", "b 1 other"}, got)
}
