// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// analyse asks both stores one of the questions that look at many rows.
func (d *driver) analyse(project string, log logger) {
	d.Helper()
	row := d.someRow(project)
	switch d.rows.IntN(7) {
	case 0:
		d.listScores(project, log)
	case 1:
		q := d.rows.experimentQuery(project, &row)
		log("list experiments %+v", q)
		requireSameExperiments(d.Context(), d, d.store, d.naive, q)
	case 2:
		q := d.rows.itemQuery(project, &row)
		log("list items %+v", q)
		requireSameItems(d.Context(), d, d.store, d.naive, q)
	case 3:
		q := d.rows.metricsQuery(project, pick(d.rows, metricViews), row.Start)
		log("metrics %+v", q)
		requireSameMetrics(d.Context(), d, d.store, d.naive, q)
	case 4:
		q := d.rows.tracesQuery(project, &row)
		log("list traces %+v", q)
		requireSameTraces(d.Context(), d, d.store, d.naive, q)
	case 5:
		q := d.rows.sessionsQuery(project, &row)
		log("list sessions %+v", q)
		requireSameSessions(d.Context(), d, d.store, d.naive, q)
	case 6:
		q := d.rows.daysQuery(project, &row)
		log("list days %+v", q)
		requireSameDays(d.Context(), d, d.store, d.naive, q)
	}
}

func (d *driver) listScores(project string, log logger) {
	d.Helper()
	q := query.Scores{Project: project, Limit: pick(d.rows, []int{1, 3, 50}), WithTotal: d.rows.chance(2)}
	score, row := d.someScore(project), d.someRow(project)
	for range d.rows.IntN(4) {
		pick(d.rows, scoreFilters).add(d.rows, &q, &score, &row)
	}
	log("list scores %+v", q)
	requireSameScoreLists(d.Context(), d, d.store, d.naive, q)
}

// someScore is a stored score, if there is one, and any other if not.
func (d *driver) someScore(project string) model.Score {
	page, err := d.naive.ListScores(d.Context(), query.Scores{Project: project, Limit: query.MaxLimit})
	require.NoError(d, err)
	if len(page.Rows) == 0 {
		return d.rows.Score(pick(d.rows, d.scoreIDs))
	}
	return pick(d.rows, page.Rows).Score
}
