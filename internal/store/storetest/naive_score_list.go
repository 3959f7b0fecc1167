// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ListScores implements store.ScoreLists.
func (n *Naive) ListScores(ctx context.Context, q query.Scores) (page store.ScorePage, err error) {
	if err := q.Validate(); err != nil {
		return page, fmt.Errorf("%w: %w", store.ErrInvalid, err)
	}
	err = n.with(ctx, q.Project, func(p *naiveProject) error {
		var found []store.StoredScore
		for _, score := range p.scores {
			if p.asksForScore(&q, &score.Score) {
				found = append(found, score)
			}
		}
		slices.SortFunc(found, newestScoreFirst)
		if q.WithTotal {
			page.Total = int64(len(found))
		}
		if q.After != nil {
			found = slices.DeleteFunc(found, func(s store.StoredScore) bool { return compareScoreKeys(scoreKeyOf(&s.Score), *q.After) >= 0 })
		}
		found = found[min(q.Offset, len(found)):]
		if len(found) > q.Limit {
			found = found[:q.Limit]
			if q.Limit > 0 {
				page.Next = new(scoreKeyOf(&found[q.Limit-1].Score))
			}
		}
		page.Rows = found
		return nil
	})
	return page, err
}

func scoreKeyOf(s *model.Score) query.ScoreKey {
	return query.ScoreKey{Timestamp: s.Timestamp, ID: s.ID}
}

func compareScoreKeys(a, b query.ScoreKey) int {
	return cmp.Or(a.Timestamp.Compare(b.Timestamp), cmp.Compare(a.ID, b.ID))
}

func newestScoreFirst(a, b store.StoredScore) int {
	return compareScoreKeys(scoreKeyOf(&b.Score), scoreKeyOf(&a.Score))
}

// within tells whether a time is in a range that may be open.
func within(t, from, to time.Time) bool {
	return (from.IsZero() || !t.Before(from)) && (to.IsZero() || t.Before(to))
}

// oneOf is how a list of wanted values is meant.
func oneOf[T comparable](wanted []T, value T) bool {
	return len(wanted) == 0 || slices.Contains(wanted, value)
}

func (p *naiveProject) asksForScore(q *query.Scores, s *model.Score) bool {
	return within(s.Timestamp, q.From, q.To) &&
		oneOf(q.IDs, s.ID) && oneOf(q.Names, s.Name) && oneOf(q.Sources, s.Source) && oneOf(q.DataTypes, s.DataType) &&
		oneOf(q.Environments, s.Environment) && oneOf(q.ConfigIDs, s.ConfigID) && oneOf(q.QueueIDs, s.QueueID) &&
		oneOf(q.AuthorUserIDs, s.AuthorUserID) && oneOf(q.TraceIDs, s.TraceID) && oneOf(q.ObservationIDs, s.ObservationID) &&
		oneOf(q.SessionIDs, s.SessionID) && oneOf(q.ExperimentIDs, s.ExperimentID) &&
		!slices.Contains(q.ExceptDataTypes, s.DataType) && (!q.OnlyOfTraces || s.TraceID != "") &&
		valueFits(q, s) && p.traceFits(q, s) &&
		!slices.ContainsFunc(q.Where, func(c query.Condition) bool {
			return !valueHolds(&c, query.ScoreColumnKind(c.Column), scoreValue(c.Column, s))
		})
}

func valueFits(q *query.Scores, s *model.Score) bool {
	if len(q.Texts) > 0 && (s.DataType.IsNumber() || !slices.Contains(q.Texts, s.Text)) {
		return false
	}
	if len(q.Numbers) == 0 && q.Min == nil && q.Max == nil && q.Compare == nil {
		return true
	}
	if !s.DataType.IsNumber() || !oneOf(q.Numbers, s.Number) || q.Min != nil && s.Number < *q.Min || q.Max != nil && s.Number > *q.Max {
		return false
	}
	if q.Compare == nil {
		return true
	}
	order := cmp.Compare(s.Number, q.Compare.Number)
	if q.Compare.Operator == query.OpNotEqual {
		return order != 0
	}
	return orderHolds(q.Compare.Operator, order, true)
}

func (p *naiveProject) traceFits(q *query.Scores, s *model.Score) bool {
	var users, tags []string
	for key, row := range p.observations {
		if key.traceID == s.TraceID {
			users, tags = append(users, row.UserID), append(tags, row.Tags...)
		}
	}
	if len(q.UserIDs) > 0 && !slices.ContainsFunc(users, func(user string) bool { return slices.Contains(q.UserIDs, user) }) {
		return false
	}
	return !slices.ContainsFunc(q.TraceTags, func(tag string) bool { return !slices.Contains(tags, tag) })
}

// scoreValue is the value of a column of scores, nil when there is none.
func scoreValue(column query.Column, s *model.Score) any {
	switch column {
	case query.ColumnValue:
		if !s.DataType.IsNumber() {
			return nil
		}
		return s.Number
	case query.ColumnStringValue:
		if s.DataType.IsNumber() {
			return ""
		}
		return s.Text
	case query.ColumnTimestamp:
		return s.Timestamp
	default:
		return map[query.Column]string{
			query.ColumnID: s.ID, query.ColumnName: s.Name, query.ColumnSource: string(s.Source), query.ColumnDataType: string(s.DataType),
			query.ColumnEnvironment: s.Environment, query.ColumnConfigID: s.ConfigID, query.ColumnQueueID: s.QueueID,
			query.ColumnAuthorUserID: s.AuthorUserID, query.ColumnComment: s.Comment, query.ColumnTraceID: s.TraceID,
			query.ColumnObservationID: s.ObservationID, query.ColumnSessionID: s.SessionID, query.ColumnExperimentID: s.ExperimentID,
			query.ColumnMetadata: s.Metadata,
		}[column]
	}
}

// valueHolds tells whether a value of some kind fulfils a condition.
func valueHolds(c *query.Condition, kind query.Kind, value any) bool {
	switch kind {
	case query.KindText:
		return textHolds(c, value.(string))
	case query.KindNumber:
		number, present := value.(float64)
		return orderHolds(c.Operator, cmp.Compare(number, c.Number), present)
	case query.KindTime:
		t, present := value.(time.Time)
		return orderHolds(c.Operator, t.Compare(c.Time), present)
	case query.KindBool:
		return (value.(bool) == c.Bool) == (c.Operator == query.OpEqual)
	case query.KindList:
		return listHolds(c, value.([]string))
	case query.KindObject:
		return metadataHolds(c, value.(string))
	default:
		panic(fmt.Sprintf("column %q has no kind", c.Column))
	}
}
