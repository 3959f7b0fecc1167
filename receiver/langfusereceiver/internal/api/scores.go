// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"context"
	"encoding/json"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
	"github.com/weirhq/weir/internal/validation"
	"github.com/weirhq/weir/receiver/langfusereceiver/internal/web"
)

type (
	scoreListBody struct {
		Data []scoreBody `json:"data"`
		Meta scoreMeta   `json:"meta"`
	}
	scoreMeta struct {
		Limit  int    `json:"limit"`
		Cursor string `json:"cursor,omitempty"`
	}
)

// scoreBody is a score of the v3 API. Groups of fields that were not asked for are nil, and then left out.
type scoreBody struct {
	ID        string              `json:"id"`
	ProjectID string              `json:"projectId"`
	Name      string              `json:"name"`
	DataType  model.ScoreDataType `json:"dataType"`
	// Value is a number, a boolean or a text, by the data type.
	Value       any               `json:"value"`
	Source      model.ScoreSource `json:"source"`
	Timestamp   timestamp         `json:"timestamp"`
	Environment string            `json:"environment"`
	CreatedAt   timestamp         `json:"createdAt"`
	UpdatedAt   timestamp         `json:"updatedAt"`

	*scoreDetails
	*scoreSubject
	*scoreAnnotation
}

type scoreDetails struct {
	Comment  nullText        `json:"comment"`
	ConfigID nullText        `json:"configId"`
	Metadata json.RawMessage `json:"metadata"`
}

type scoreSubject struct {
	Subject subjectBody `json:"subject"`
}

type scoreAnnotation struct {
	AuthorUserID nullText `json:"authorUserId"`
	QueueID      nullText `json:"queueId"`
}

// subjectBody is the one thing that a score judges.
type subjectBody struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// TraceID is that of an observation.
	TraceID string `json:"traceId,omitempty"`
}

// scores lists scores, newest first.
func (a *API) scores(ctx context.Context, r *web.Request) (web.Reply, error) {
	asked, err := query.ParseScores(r.Project(), r.URL.RawQuery)
	if err != nil {
		return web.Reply{}, err
	}
	page, err := a.Store.ListScores(ctx, asked.Query)
	if err != nil {
		return web.Reply{}, err
	}
	body := scoreListBody{Data: scoreBodies(r.Project(), page.Rows, asked.Groups), Meta: scoreMeta{Limit: asked.Query.Limit}}
	if page.Next != nil {
		body.Meta.Cursor = query.EncodeCursor(query.ListScores, r.Project(), query.Position{Time: page.Next.Timestamp, ID: page.Next.ID})
	}
	return web.JSON(body), nil
}

// scoreBodies is never null.
func scoreBodies(project string, rows []store.StoredScore, groups query.ScoreGroups) []scoreBody {
	bodies := make([]scoreBody, len(rows))
	for i := range rows {
		bodies[i] = newScoreBody(project, &rows[i], groups)
	}
	return bodies
}

func newScoreBody(project string, row *store.StoredScore, groups query.ScoreGroups) scoreBody {
	s := &row.Score
	body := scoreBody{
		ID: s.ID, ProjectID: project, Name: s.Name, DataType: s.DataType, Value: scoreValue(s), Source: s.Source,
		Timestamp: timestamp(s.Timestamp), Environment: environmentOr(s.Environment),
		CreatedAt: timestamp(row.CreatedAt), UpdatedAt: timestamp(row.UpdatedAt),
	}
	if groups.Has(query.ScoreGroupDetails) {
		body.scoreDetails = &scoreDetails{Comment: nullText(s.Comment), ConfigID: nullText(s.ConfigID), Metadata: scoreMetadata(s)}
	}
	if groups.Has(query.ScoreGroupSubject) {
		body.scoreSubject = &scoreSubject{subjectOf(s)}
	}
	if groups.Has(query.ScoreGroupAnnotation) {
		body.scoreAnnotation = &scoreAnnotation{AuthorUserID: nullText(s.AuthorUserID), QueueID: nullText(s.QueueID)}
	}
	return body
}

// scoreValue is the value in the type that belongs to the data type.
func scoreValue(s *model.Score) any {
	switch s.DataType {
	case model.ScoreNumeric:
		return s.Number
	case model.ScoreBoolean:
		return s.Number != 0
	default:
		return s.Text
	}
}

func subjectOf(s *model.Score) subjectBody {
	switch {
	case s.ExperimentID != "":
		return subjectBody{Kind: "experiment", ID: s.ExperimentID}
	case s.ObservationID != "":
		return subjectBody{Kind: "observation", ID: s.ObservationID, TraceID: s.TraceID}
	case s.SessionID != "":
		return subjectBody{Kind: "session", ID: s.SessionID}
	default:
		return subjectBody{Kind: "trace", ID: s.TraceID}
	}
}

// scoreMetadata is always an object: a client library refuses the answer otherwise, and a log record may have brought
// anything.
func scoreMetadata(s *model.Score) json.RawMessage {
	text := json.RawMessage(s.Metadata)
	switch {
	case s.Metadata == "" || !json.Valid(text):
		return emptyObject
	case validation.TypeOf(text) != "object":
		return append(append([]byte(`{"metadata":`), text...), '}')
	default:
		return text
	}
}

// environmentOr is never empty.
func environmentOr(name string) string {
	if name == "" {
		return model.DefaultEnvironment
	}
	return name
}
