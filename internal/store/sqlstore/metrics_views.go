// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// relation is a table besides that of the view.
type relation int

const (
	ownTable relation = iota
	// rootOfTrace is r: the first observation of the trace that has no parent.
	rootOfTrace
	// judged is o: the observation that a score judges.
	judged
	// scoreCounts is c: the number of scores of each observation.
	scoreCounts
	// scoresOfTrace is c too: the number of scores of each trace.
	scoresOfTrace
)

// viewValue is a dimension or a measure: what to select, and from where.
type viewValue struct {
	write func(s *Statement, d Dialect)
	from  relation
}

// own is a value of the view's own table.
func own(sql string) viewValue { return from(ownTable, sql) }

func from(table relation, sql string) viewValue {
	return viewValue{func(s *Statement, _ Dialect) { s.Write(sql) }, table}
}

// month and day are texts for the month and day of a time.
func month(column string) viewValue {
	return viewValue{func(s *Statement, d Dialect) {
		s.Write("substr(")
		d.Date(s, column)
		s.Write(", 1, 7)")
	}, ownTable}
}

func day(column string) viewValue {
	return viewValue{func(s *Statement, d Dialect) { d.Date(s, column) }, ownTable}
}

// milliseconds is the time between two columns, NULL where one is missing.
func milliseconds(from, to string) viewValue {
	return viewValue{func(s *Statement, d Dialect) {
		s.Write("(")
		d.Milliseconds(s, to)
		s.Write(" - ")
		d.Milliseconds(s, from)
		s.Write(")")
	}, ownTable}
}

// rate is a number for each whole second, NULL where there is none. Nothing in less than no time is nothing: a zero that is
// added takes its sign away.
func rate(number, from, to string) viewValue {
	return viewValue{func(s *Statement, d Dialect) {
		s.Write("(", number, " / nullif(floor(")
		milliseconds(from, to).write(s, d)
		s.Write(" / 1000.0), 0) + 0.0)")
	}, ownTable}
}

// length is the number of entries, NULL for none.
func length(write func(s *Statement, d Dialect)) viewValue {
	return viewValue{func(s *Statement, d Dialect) {
		s.Write("nullif(CAST(")
		write(s, d)
		s.Write(" AS BIGINT), 0)")
	}, ownTable}
}

// observationDimensions has no exploded ones: these are made of explosions.
var observationDimensions = map[string]viewValue{
	"id": own("o.id"), "traceId": own("o.trace_id"), "parentObservationId": own("o.parent_id"), "userId": own("o.user_id"),
	"sessionId": own("o.session_id"), "experimentName": own("o.experiment_name"), "experimentDatasetId": own("o.experiment_dataset_id"),
	"experimentId": own("o.experiment_id"), "environment": own("o.environment"), "type": own("o.type"), "name": own("o.name"),
	"level": own("o.level"), "version": own("o.version"), "tags": own("o.tags"), "release": own("o.release"),
	"traceName":    own("(CASE WHEN o.trace_name <> '' THEN o.trace_name WHEN o.parent_id = '' OR o.is_app_root THEN o.name ELSE '' END)"),
	"traceRelease": own("o.release"), "traceVersion": own("o.version"), "providedModelName": own("o.model"),
	"promptName": own("o.prompt_name"), "promptVersion": own("o.prompt_version"),
	"isRootObservation": own("(o.parent_id = '' OR o.is_app_root)"), "startTimeMonth": month("o.start_time"),
}

var observationMeasures = map[string]viewValue{
	"count":   own("1"),
	"traceId": own("o.trace_id"), "uniqueUserIds": own("nullif(o.user_id, '')"), "uniqueSessionIds": own("nullif(o.session_id, '')"),
	"latency":          milliseconds("o.start_time", "o.end_time"),
	"streamingLatency": milliseconds("o.completion_start", "o.end_time"),
	"timeToFirstToken": milliseconds("o.start_time", "o.completion_start"),
	"inputTokens":      own("o.input_tokens"), "outputTokens": own("o.output_tokens"), "totalTokens": own("coalesce(o.total_tokens, 0)"),
	"tokensPerSecond":       rate("coalesce(o.total_tokens, 0)", "o.start_time", "o.end_time"),
	"outputTokensPerSecond": rate("o.output_tokens", "o.completion_start", "o.end_time"),
	"inputCost":             own("o.input_cost"), "outputCost": own("o.output_cost"), "totalCost": own("coalesce(o.total_cost, 0)"),
	"countScores":     from(scoreCounts, "c.scores"),
	"toolDefinitions": length(func(s *Statement, d Dialect) { d.ObjectLength(s, "o.tool_definitions") }),
	"toolCalls":       length(func(s *Statement, d Dialect) { d.ListLength(s, "o.tool_calls") }),
}

// explosion makes rows of the entries of a column. A dimension and at times a measure come of it.
type explosion struct {
	dimension string
	// column is where the entries are, isKeys says that they are the keys of an object.
	column string
	isKeys bool
	// measure is the value of a key, which has so many decimal places.
	measure string
	places  int
}

// Amounts of money are stored as whole numbers of the last of their decimal places.
const (
	decimalPlaces = 12
	decimalScale  = 1_000_000_000_000
)

var explosions = []explosion{
	{dimension: "toolNames", column: "o.tool_definitions", isKeys: true},
	{dimension: "calledToolNames", column: "o.tool_call_names"},
	{dimension: "costType", column: "o.cost", measure: "costByType", places: decimalPlaces},
	{dimension: "usageType", column: "o.usage", measure: "usageByType"},
}

var scoreDimensions = map[string]viewValue{
	"id": own("s.id"), "traceId": own("s.trace_id"), "observationId": own("s.observation_id"), "sessionId": own("s.session_id"),
	"datasetRunId": own("s.experiment_id"), "environment": own("s.environment"), "name": own("s.name"), "source": own("s.source"),
	"dataType": own("s.data_type"), "configId": own("s.config_id"), "timestampMonth": month("s.timestamp"), "timestampDay": day("s.timestamp"),
	// No column of ours: who evaluates leaves its id in the metadata.
	"evaluatorId": {func(s *Statement, d Dialect) {
		s.Write("coalesce(")
		d.ObjectText(s, "s.metadata", "evaluatorId")
		s.Write(", '')")
	}, ownTable},
	"value": own("s.number"), "booleanValue": own("(s.number = 1)"), "stringValue": own("s.text"),

	"userId": from(rootOfTrace, "r.user_id"), "traceName": from(rootOfTrace, "(CASE WHEN r.trace_name <> '' THEN r.trace_name ELSE r.name END)"),
	"tags": from(rootOfTrace, "r.tags"), "traceRelease": from(rootOfTrace, "r.release"), "traceVersion": from(rootOfTrace, "r.version"),
	"experimentName": from(rootOfTrace, "r.experiment_name"), "experimentId": from(rootOfTrace, "r.experiment_id"),

	"observationName": from(judged, "o.name"), "observationModelName": from(judged, "o.model"),
	"observationPromptName": from(judged, "o.prompt_name"), "observationPromptVersion": from(judged, "o.prompt_version"),
}

var scoreMeasures = map[string]viewValue{"count": own("1"), "value": own("s.number")}

// scoreTypes are the data types of the scores of a view.
var scoreTypes = map[query.View][]model.ScoreDataType{
	query.ViewScoresNumeric:     {model.ScoreNumeric, model.ScoreBoolean},
	query.ViewScoresBoolean:     {model.ScoreBoolean},
	query.ViewScoresCategorical: {model.ScoreCategorical},
}

// metricTraceColumns are the columns of traces that some dimension or measure needs.
var metricTraceColumns = []string{
	"id", "start_time", "end_time", "name", "user_id", "session_id", "release", "version", "environment", "tags", "metadata",
	"total_cost", "total_tokens", "observations",
}

var traceDimensions = map[string]viewValue{
	"id": own("traces.id"), "name": own("traces.name"), "userId": own("traces.user_id"), "sessionId": own("traces.session_id"),
	"release": own("traces.release"), "version": own("traces.version"), "environment": own("traces.environment"), "tags": own("traces.tags"),
	"timestampMonth": month("traces.start_time"),
}

var traceMeasures = map[string]viewValue{
	"count": own("1"), "observationsCount": own("traces.observations"), "scoresCount": from(scoresOfTrace, "coalesce(c.scores, 0)"),
	"uniqueUserIds": own("nullif(traces.user_id, '')"), "uniqueSessionIds": own("nullif(traces.session_id, '')"),
	"latency": milliseconds("traces.start_time", "traces.end_time"), "totalTokens": own("traces.total_tokens"), "totalCost": own("traces.total_cost"),
}
