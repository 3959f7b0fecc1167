// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/weirhq/weir/internal/query"
)

// readHistogram adds the bins of a measure to the groups that were read. The bounds of a group are those of its values, so
// they come first, as a window over the group.
func (m *metricsReader) readHistogram(ctx context.Context, db Querier, metric query.Metric, measure query.Measure) error {
	names := m.groupNames()
	input, bins := "m_"+measure.Name, strconv.Itoa(m.q.BinCount())
	window := " OVER ()"
	if len(names) > 0 {
		window = " OVER (" + written(func(s *Statement) { list(s, "PARTITION BY ", names) }) + ")"
	}
	s := &Statement{}
	s.Write("SELECT ")
	list(s, "", names)
	if len(names) > 0 {
		s.Write(", ")
	}
	s.Write("low, high, bin, count(*)\nFROM (SELECT *, CASE WHEN high > low THEN least(floor((v - low) * ", bins,
		" / (high - low)), ", strconv.Itoa(m.q.BinCount()-1), ") ELSE 0 END AS bin\nFROM (SELECT *, min(v)", window, " AS low, max(v)", window,
		" AS high\nFROM (SELECT ")
	m.selectGroups(s)
	s.Write("CAST(", input, " AS DOUBLE) AS v\nFROM ")
	m.write(s)
	s.Write(" AND ", input, " IS NOT NULL) AS valued) AS bounded) AS binned\nGROUP BY ")
	list(s, "", append(names, "low", "high", "bin"))
	s.Write("\nORDER BY bin")

	byKey := map[string]int{}
	for i, g := range m.groups {
		byKey[g.key] = i
	}
	unit := unitOf(measure.Type)
	return readEach(ctx, db, s, func(rows *sql.Rows) error {
		group, targets := m.newGroup()
		var low, high, bin, height float64
		if err := rows.Scan(append(targets, &low, &high, &bin, &height)...); err != nil {
			return err
		}
		i, ok := byKey[group().key]
		if !ok {
			return nil // behind the limit
		}
		width := (high - low) / float64(m.q.BinCount())
		entry := [3]float64{(low + bin*width) / unit, (low + (bin+1)*width) / unit, height}
		row := m.groups[i].row
		entries, _ := row[metric.Column()].([][3]float64)
		row[metric.Column()] = append(entries, entry)
		return nil
	})
}
