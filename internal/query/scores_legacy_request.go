// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"fmt"
	"slices"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

// ScoreFilter is the columns of scores.
var ScoreFilter = NewFilterTable(
	FilterColumn{"id", "ID", ColumnID, FilterStringOptions},
	FilterColumn{"name", "Name", ColumnName, FilterStringOptions},
	FilterColumn{"source", "Source", ColumnSource, FilterStringOptions},
	FilterColumn{"dataType", "Data Type", ColumnDataType, FilterStringOptions},
	FilterColumn{"environment", "Environment", ColumnEnvironment, FilterStringOptions},
	FilterColumn{"configId", "Config ID", ColumnConfigID, FilterStringOptions},
	FilterColumn{"queueId", "Queue ID", ColumnQueueID, FilterStringOptions},
	FilterColumn{"authorUserId", "Author User ID", ColumnAuthorUserID, FilterStringOptions},
	FilterColumn{"comment", "Comment", ColumnComment, FilterString},
	FilterColumn{"traceId", "Trace ID", ColumnTraceID, FilterStringOptions},
	FilterColumn{"observationId", "Observation ID", ColumnObservationID, FilterStringOptions},
	FilterColumn{"sessionId", "Session ID", ColumnSessionID, FilterStringOptions},
	FilterColumn{"datasetRunId", "Dataset Run ID", ColumnExperimentID, FilterStringOptions},
	FilterColumn{"stringValue", "String Value", ColumnStringValue, FilterStringOptions},
	FilterColumn{"value", "Value", ColumnValue, FilterNumber},
	FilterColumn{"timestamp", "Timestamp", ColumnTimestamp, FilterDatetime},
	FilterColumn{"metadata", "Metadata", ColumnMetadata, FilterStringObject},
)

// LegacyScoresRequest is what a caller of an older list of scores asked for.
type LegacyScoresRequest struct {
	Query Scores
	Page  validation.Page
	// WithTrace asks for a few fields of the trace of each score.
	WithTrace bool
}

// ParseLegacyScores reads the query of an address that lists scores of a project by the number of the page. The oldest
// list, of version 1, has scores of traces only. Its errors are validation.Issues or a *validation.Refusal.
func ParseLegacyScores(project, rawQuery string, version int) (LegacyScoresRequest, error) {
	p := listParams{validation.NewParams(rawQuery)}
	page := p.Page(DefaultLimit)
	fields := p.ListOf("fields", "score", "trace")
	request := LegacyScoresRequest{Page: page, WithTrace: len(fields) == 0 || slices.Contains(fields, "trace")}
	request.Query = Scores{
		Project: project, Limit: page.Limit, Offset: page.Offset(), WithTotal: true,
		From: p.Time("fromTimestamp"), To: p.Time("toTimestamp"),
		IDs: p.texts("scoreIds"), Names: p.optional("name"), UserIDs: p.optional("userId"), ConfigIDs: p.optional("configId"),
		QueueIDs: p.optional("queueId"), Environments: p.repeated("environment"), TraceTags: p.repeated("traceTags"),
	}
	q := &request.Query
	if source := p.optionalOneOf("source", textsOf(scoreSources)); source != "" {
		q.Sources = []model.ScoreSource{model.ScoreSource(source)}
	}
	if dataType := p.optionalOneOf("dataType", textsOf(scoreDataTypes)); dataType != "" {
		q.DataTypes = []model.ScoreDataType{model.ScoreDataType(dataType)}
	}
	if version == 1 {
		q.OnlyOfTraces, q.ExceptDataTypes = true, []model.ScoreDataType{model.ScoreCorrection}
	} else {
		q.TraceIDs, q.SessionIDs, q.ExperimentIDs = p.optional("traceId"), p.optional("sessionId"), p.optional("datasetRunId")
		q.ObservationIDs = p.texts("observationId")
	}
	q.Compare = p.comparison()
	filter, filterError := p.filter(ScoreFilter)
	if err := mergeErrors(p.Err(), filterError); err != nil {
		return LegacyScoresRequest{}, err
	}
	q.Where = filter
	if err := q.Validate(); err != nil {
		return LegacyScoresRequest{}, fmt.Errorf("a request became a query that no store can answer: %w", err)
	}
	return request, nil
}

// comparison is a number that the value is compared with. One without the other says nothing.
func (p listParams) comparison() *ScoreComparison {
	operator, value := p.optionalOneOf("operator", []string{"<", ">", "<=", ">=", "!=", "="}), p.Number("value")
	if operator == "" || value == nil {
		return nil
	}
	if operator == "!=" {
		operator = string(OpNotEqual)
	}
	return &ScoreComparison{Operator: Operator(operator), Number: *value}
}

// optionalOneOf is a parameter with a few allowed values; an empty one was not sent.
func (p listParams) optionalOneOf(name string, allowed []string) string {
	if p.IsEmpty(name) {
		return ""
	}
	return p.OneOf(name, allowed...)
}

func textsOf[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}
