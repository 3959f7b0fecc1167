// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// scoreFilters each ask for something that has to do with a score and with an observation.
var scoreFilters = []struct {
	name string
	add  func(r *Rows, q *query.Scores, s *model.Score, o *model.Observation)
}{
	{"from", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) { q.From = r.near(s.Timestamp) }},
	{"to", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) { q.To = r.near(s.Timestamp) }},
	{"ids", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.IDs = r.textsLike([]string{s.ID})
	}},
	{"names", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Names = r.textsLike([]string{s.Name})
	}},
	{"sources", func(_ *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Sources = []model.ScoreSource{s.Source, model.ScoreFromEval}
	}},
	{"data types", func(_ *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.DataTypes = []model.ScoreDataType{s.DataType}
	}},
	{"environments", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Environments = r.textsLike([]string{s.Environment})
	}},
	{"configs", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.ConfigIDs = r.textsLike([]string{s.ConfigID})
	}},
	{"queues", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.QueueIDs = r.textsLike([]string{s.QueueID})
	}},
	{"authors", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.AuthorUserIDs = r.textsLike([]string{s.AuthorUserID})
	}},
	{"traces", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.TraceIDs = r.textsLike([]string{s.TraceID})
	}},
	{"observations", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.ObservationIDs = r.textsLike([]string{s.ObservationID})
	}},
	{"sessions", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.SessionIDs = r.textsLike([]string{s.SessionID})
	}},
	{"experiments", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.ExperimentIDs = r.textsLike([]string{s.ExperimentID})
	}},
	{"numbers", func(_ *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Numbers = []float64{s.Number, 0.1}
	}},
	{"texts", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Texts = r.textsLike([]string{s.Text})
	}},
	{"min", func(_ *Rows, q *query.Scores, s *model.Score, _ *model.Observation) { q.Min = new(s.Number) }},
	{"max", func(_ *Rows, q *query.Scores, s *model.Score, _ *model.Observation) { q.Max = new(s.Number) }},
	{"comparison", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Compare = &query.ScoreComparison{Number: s.Number, Operator: pick(r, []query.Operator{
			query.OpEqual, query.OpNotEqual, query.OpLess, query.OpLessOrEqual, query.OpGreater, query.OpGreaterOrEqual,
		})}
	}},
	{"users", func(r *Rows, q *query.Scores, _ *model.Score, o *model.Observation) {
		q.UserIDs = r.textsLike([]string{o.UserID})
	}},
	{"tags", func(r *Rows, q *query.Scores, _ *model.Score, o *model.Observation) { q.TraceTags = some(r, o.Tags) }},
	{"not of a data type", func(_ *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.ExceptDataTypes = []model.ScoreDataType{s.DataType, model.ScoreCorrection}
	}},
	{"of traces", func(_ *Rows, q *query.Scores, _ *model.Score, _ *model.Observation) { q.OnlyOfTraces = true }},
	{"condition", func(r *Rows, q *query.Scores, s *model.Score, _ *model.Observation) {
		q.Where = append(q.Where, r.scoreCondition(s))
	}},
}

// near is a time or a moment before or after it.
func (r *Rows) near(t time.Time) time.Time {
	return t.Add(time.Duration(r.IntN(3)-1) * time.Millisecond)
}

var scoreColumns = []query.Column{
	query.ColumnID, query.ColumnName, query.ColumnSource, query.ColumnDataType, query.ColumnEnvironment, query.ColumnConfigID,
	query.ColumnQueueID, query.ColumnAuthorUserID, query.ColumnComment, query.ColumnTraceID, query.ColumnObservationID,
	query.ColumnSessionID, query.ColumnExperimentID, query.ColumnStringValue, query.ColumnValue, query.ColumnTimestamp, query.ColumnMetadata,
}

// scoreCondition is any condition on a column of scores.
func (r *Rows) scoreCondition(s *model.Score) query.Condition {
	column := pick(r, scoreColumns)
	kind := query.ScoreColumnKind(column)
	if kind == query.KindObject {
		return query.Condition{
			Column: column, Key: pick(r, []string{"a", "s", "n", "ü", "it's"}), Text: pick(r, []string{"123", "1", "", "😀"}),
			Operator: pick(r, []query.Operator{query.OpEqual, query.OpContains, query.OpIsNull, query.OpIsNotNull}),
		}
	}
	return r.valueCondition(column, kind, scoreValue(column, s))
}

// valueCondition is a condition on a column with values of some kind; the value is one of them.
func (r *Rows) valueCondition(column query.Column, kind query.Kind, value any) query.Condition {
	c := query.Condition{Column: column}
	ordered := []query.Operator{
		query.OpEqual, query.OpLess, query.OpLessOrEqual, query.OpGreater, query.OpGreaterOrEqual, query.OpIsNull, query.OpIsNotNull,
	}
	switch kind {
	case query.KindText:
		text, _ := value.(string)
		c.Operator = pick(r, []query.Operator{
			query.OpEqual, query.OpContains, query.OpNotContains, query.OpStartsWith, query.OpEndsWith, query.OpAnyOf, query.OpNoneOf,
			query.OpIsNull, query.OpIsNotNull,
		})
		c.Text, c.Texts = r.textLike(c.Operator, text), r.textsLike([]string{text})
	case query.KindNumber:
		c.Operator = pick(r, ordered)
		c.Number, _ = value.(float64)
	case query.KindTime:
		c.Operator = pick(r, ordered)
		t, _ := value.(time.Time)
		c.Time = r.near(t)
	case query.KindBool:
		c.Operator, c.Bool = pick(r, []query.Operator{query.OpEqual, query.OpNotEqual}), r.chance(2)
	case query.KindList:
		list, _ := value.([]string)
		c.Operator = pick(r, []query.Operator{query.OpAnyOf, query.OpNoneOf, query.OpAllOf, query.OpIsNull, query.OpIsNotNull})
		c.Texts = r.textsLike(list)
	}
	return c
}
