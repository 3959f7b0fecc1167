// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

// legacyScoreBody is a score of the older APIs: a number and a text, of which the data type says what they mean.
type legacyScoreBody struct {
	ID               string              `json:"id"`
	ProjectID        string              `json:"projectId"`
	Environment      string              `json:"environment"`
	Name             string              `json:"name"`
	Value            *float64            `json:"value,omitempty"`
	StringValue      *string             `json:"stringValue"`
	DataType         model.ScoreDataType `json:"dataType"`
	Source           model.ScoreSource   `json:"source"`
	AuthorUserID     nullText            `json:"authorUserId"`
	Comment          nullText            `json:"comment"`
	Metadata         json.RawMessage     `json:"metadata"`
	ConfigID         nullText            `json:"configId"`
	QueueID          nullText            `json:"queueId"`
	ExecutionTraceID nullText            `json:"executionTraceId"`
	Timestamp        timestamp           `json:"timestamp"`
	CreatedAt        timestamp           `json:"createdAt"`
	UpdatedAt        timestamp           `json:"updatedAt"`
	TraceID          nullText            `json:"traceId"`
	ObservationID    nullText            `json:"observationId"`
	*otherSubjects
	*traceOfScore
	noticed
}

// otherSubjects are what the first version does not know.
type otherSubjects struct {
	SessionID    nullText `json:"sessionId"`
	DatasetRunID nullText `json:"datasetRunId"`
}

// traceOfScore is there when it was asked for, and null where the score has no trace.
type traceOfScore struct {
	Trace *scoreTrace `json:"trace"`
}

type scoreTrace struct {
	UserID      nullText `json:"userId"`
	Tags        []string `json:"tags"`
	Environment string   `json:"environment"`
	SessionID   nullText `json:"sessionId"`
}

func newLegacyScore(project string, row *store.StoredScore, version int) *legacyScoreBody {
	s := &row.Score
	body := &legacyScoreBody{
		ID: s.ID, ProjectID: project, Environment: environmentOr(s.Environment), Name: s.Name, DataType: s.DataType, Source: s.Source,
		AuthorUserID: nullText(s.AuthorUserID), Comment: nullText(s.Comment), Metadata: scoreMetadata(s), ConfigID: nullText(s.ConfigID),
		QueueID: nullText(s.QueueID), Timestamp: timestamp(s.Timestamp), CreatedAt: timestamp(row.CreatedAt), UpdatedAt: timestamp(row.UpdatedAt),
		TraceID: nullText(s.TraceID), ObservationID: nullText(s.ObservationID),
	}
	if version > 1 {
		body.otherSubjects = &otherSubjects{SessionID: nullText(s.SessionID), DatasetRunID: nullText(s.ExperimentID)}
	}
	switch s.DataType {
	case model.ScoreNumeric:
		body.Value = new(s.Number)
	case model.ScoreBoolean:
		body.Value, body.StringValue = new(s.Number), new("False")
		if s.Number != 0 {
			body.StringValue = new("True")
		}
	case model.ScoreText:
		body.StringValue = new(s.Text)
	default:
		body.Value, body.StringValue = new(0.0), new(s.Text)
	}
	return body
}

// legacyScoresOf lists scores in a version of the older APIs.
func (a *API) legacyScoresOf(version int) legacyHandler {
	return func(ctx context.Context, r *web.Request) (legacyBody, error) {
		asked, err := query.ParseLegacyScores(r.Project(), r.URL.RawQuery, version)
		if err != nil {
			return nil, err
		}
		found, err := a.Store.ListScores(ctx, asked.Query)
		if err != nil {
			return nil, err
		}
		list := paged(found.Rows, asked.Page, found.Total, func(row *store.StoredScore) *legacyScoreBody { return newLegacyScore(r.Project(), row, version) })
		if asked.WithTrace {
			err = a.addTraces(ctx, r.Project(), list.Data)
		}
		return list, err
	}
}

// addTraces adds to scores what there is to say of their traces.
func (a *API) addTraces(ctx context.Context, project string, scores []*legacyScoreBody) error {
	var traceIDs []string
	for _, score := range scores {
		score.traceOfScore = &traceOfScore{}
		if id := string(score.TraceID); id != "" && !slices.Contains(traceIDs, id) {
			traceIDs = append(traceIDs, id)
		}
	}
	if len(traceIDs) == 0 {
		return nil
	}
	found, err := a.Store.ListTraces(ctx, query.Traces{Project: project, IDs: traceIDs, Limit: len(traceIDs)})
	if err != nil {
		return err
	}
	traces := make(map[string]*scoreTrace, len(found.Rows))
	for i := range found.Rows {
		row := &found.Rows[i]
		traces[row.ID] = &scoreTrace{
			UserID: nullText(row.UserID), Tags: listOf(row.Tags), Environment: environmentOr(row.Environment), SessionID: nullText(row.SessionID),
		}
	}
	for _, score := range scores {
		score.Trace = traces[string(score.TraceID)]
	}
	return nil
}

// legacyScoreOf is one score in a version of the older APIs. The first one knows no corrections, and scores of traces only.
func (a *API) legacyScoreOf(version int) legacyHandler {
	return func(ctx context.Context, r *web.Request) (legacyBody, error) {
		found, err := a.Store.ScoresByID(ctx, r.Project(), []string{r.Segment("scoreId")})
		if err != nil {
			return nil, err
		}
		isKnown := len(found) > 0 && (version > 1 || found[0].TraceID != "" && found[0].DataType != model.ScoreCorrection)
		if !isKnown {
			return nil, web.NotFound("Score not found")
		}
		return newLegacyScore(r.Project(), &found[0], version), nil
	}
}
