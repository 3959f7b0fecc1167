// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"context"

	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// hasNumber is where the value of a score is its number.
const hasNumber = "data_type IN ('NUMERIC', 'BOOLEAN')"

// scoreOperands are what conditions on scores stand on.
var scoreOperands = map[query.Column]string{
	query.ColumnID: "id", query.ColumnName: "name", query.ColumnSource: "source", query.ColumnDataType: "data_type",
	query.ColumnEnvironment: "environment", query.ColumnConfigID: "config_id", query.ColumnQueueID: "queue_id",
	query.ColumnAuthorUserID: "author_user_id", query.ColumnComment: "comment", query.ColumnTraceID: "trace_id",
	query.ColumnObservationID: "observation_id", query.ColumnSessionID: "session_id", query.ColumnExperimentID: "experiment_id",
	query.ColumnStringValue: "(CASE WHEN " + hasNumber + " THEN '' ELSE text END)",
	query.ColumnValue:       "(CASE WHEN " + hasNumber + " THEN number END)",
	query.ColumnTimestamp:   "timestamp", query.ColumnMetadata: "metadata",
}

// ListScores reads a page. The query must be valid.
func ListScores(ctx context.Context, db Querier, dialect Dialect, q *query.Scores) (store.ScorePage, error) {
	var page store.ScorePage
	if q.WithTotal {
		s := &Statement{}
		s.Write("SELECT count(*) FROM scores")
		whereScores(s, dialect, q)
		if err := readOne(ctx, db, s, &page.Total); err != nil {
			return page, err
		}
	}
	if q.Limit == 0 {
		return page, nil
	}
	s := selectColumns(ScoreColumns, "scores")
	whereScores(s, dialect, q)
	if key := q.After; key != nil {
		s.Write("\n  AND timestamp <= ").Arg(key.Timestamp)
		s.Write("\n  AND (timestamp < ").Arg(key.Timestamp).Write(" OR id < ").Arg(key.ID).Write(")")
	}
	s.Write("\nORDER BY timestamp DESC, id DESC\nLIMIT ").Arg(q.Limit + 1).Write(" OFFSET ").Arg(q.Offset)
	err := readRows(ctx, db, s, ScoreColumns, func(r *ScoreRecord) { page.Rows = append(page.Rows, r.StoredScore) })
	if err != nil {
		return store.ScorePage{}, err
	}
	if len(page.Rows) > q.Limit {
		page.Rows = page.Rows[:q.Limit]
		last := page.Rows[q.Limit-1]
		page.Next = &query.ScoreKey{Timestamp: last.Timestamp, ID: last.ID}
	}
	return page, nil
}

func whereScores(s *Statement, dialect Dialect, q *query.Scores) {
	s.Write("\nWHERE project = ").Arg(q.Project)
	bounded(s, "timestamp", q.From, q.To)
	anyOf(s, "id", q.IDs)
	anyOf(s, "name", q.Names)
	anyOf(s, "source", q.Sources)
	anyOf(s, "data_type", q.DataTypes)
	anyOf(s, "environment", q.Environments)
	anyOf(s, "config_id", q.ConfigIDs)
	anyOf(s, "queue_id", q.QueueIDs)
	anyOf(s, "author_user_id", q.AuthorUserIDs)
	anyOf(s, "trace_id", q.TraceIDs)
	anyOf(s, "observation_id", q.ObservationIDs)
	anyOf(s, "session_id", q.SessionIDs)
	anyOf(s, "experiment_id", q.ExperimentIDs)
	for _, dataType := range q.ExceptDataTypes {
		s.Write("\n  AND data_type <> ").Arg(string(dataType))
	}
	if q.OnlyOfTraces {
		s.Write("\n  AND trace_id <> ''")
	}
	whereScoreValue(s, q)
	whereTraceOfScore(s, dialect, q)
	for i := range q.Where {
		c := &q.Where[i]
		s.Write("\n  AND ")
		conditions{s, dialect}.on(c, operand{kind: query.ScoreColumnKind(c.Column), sql: scoreOperands[c.Column]})
	}
}

func whereScoreValue(s *Statement, q *query.Scores) {
	if len(q.Numbers) > 0 {
		s.Write("\n  AND ", hasNumber, " AND number IN (")
		for i, number := range q.Numbers {
			if i > 0 {
				s.Write(", ")
			}
			s.Arg(number)
		}
		s.Write(")")
	}
	if len(q.Texts) > 0 {
		s.Write("\n  AND NOT ", hasNumber, " AND text IN ").List(q.Texts)
	}
	if q.Min != nil {
		s.Write("\n  AND ", hasNumber, " AND number >= ").Arg(*q.Min)
	}
	if q.Max != nil {
		s.Write("\n  AND ", hasNumber, " AND number <= ").Arg(*q.Max)
	}
	if q.Compare != nil {
		s.Write("\n  AND ", hasNumber, " AND number ", string(q.Compare.Operator), " ").Arg(q.Compare.Number)
	}
}

// whereTraceOfScore looks at the observations of a trace. A tag is looked for by itself, since any observation may have it.
func whereTraceOfScore(s *Statement, dialect Dialect, q *query.Scores) {
	const ofTraces = "\n  AND trace_id IN (SELECT trace_id FROM observations WHERE project = "
	if len(q.UserIDs) > 0 {
		s.Write(ofTraces).Arg(q.Project)
		anyOf(s, "user_id", q.UserIDs)
		s.Write(")")
	}
	for _, tag := range q.TraceTags {
		s.Write(ofTraces).Arg(q.Project).Write(" AND ")
		dialect.ListHas(s, "tags", []string{tag}, true)
		s.Write(")")
	}
}
