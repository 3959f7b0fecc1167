// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import "github.com/weirhq/weir/internal/validation"

// FilterType is the type of a condition in a filter.
type FilterType string

// The types of conditions, as filters name them. No column takes category options or a boolean object yet, but they
// are known, and so a condition with one is told that it does not fit and not that it does not exist.
const (
	FilterDatetime        FilterType = "datetime"
	FilterString          FilterType = "string"
	FilterNumber          FilterType = "number"
	FilterStringOptions   FilterType = "stringOptions"
	FilterArrayOptions    FilterType = "arrayOptions"
	FilterCategoryOptions FilterType = "categoryOptions"
	FilterStringObject    FilterType = "stringObject"
	FilterNumberObject    FilterType = "numberObject"
	FilterBooleanObject   FilterType = "booleanObject"
	FilterBoolean         FilterType = "boolean"
	FilterNull            FilterType = "null"
	FilterPositionInTrace FilterType = "positionInTrace"
)

// FilterColumn is a column as filters name it.
type FilterColumn struct {
	// Name is the name in a filter, Label the one that the web interface shows; a filter may have either.
	Name, Label string
	Column      Column
	// Type is the type of conditions that the column is said to take.
	Type FilterType
}

// takes tells whether a condition of a type can stand on the column.
func (c *FilterColumn) takes(t FilterType) bool {
	switch c.Type {
	case FilterString, FilterStringOptions:
		return t == FilterString || t == FilterStringOptions || t == FilterNull
	case FilterStringObject:
		return t == FilterStringObject || t == FilterNumberObject || t == FilterNull
	default:
		return t == c.Type || t == FilterNull
	}
}

// FilterTable is the columns that the filter of one list knows.
type FilterTable struct {
	columns map[string]*FilterColumn
	// unknown and mismatch are what is said about a column that is not there, and about a type that does not fit. The
	// answer is issues or a refusal.
	unknown  func(name string, at []any) error
	mismatch func(t FilterType, name string, expected FilterType) error
}

// NewFilterTable makes a table whose mistakes are told as those of observations are.
func NewFilterTable(columns ...FilterColumn) *FilterTable {
	table := &FilterTable{
		columns: map[string]*FilterColumn{},
		unknown: func(name string, _ []any) error {
			return validation.Refuse("Column %s does not match a UI / CH table mapping.", name)
		},
		mismatch: func(t FilterType, name string, expected FilterType) error {
			return validation.Refuse("Invalid filter type '%s' for column '%s'. Expected filter type '%s'.", t, name, expected)
		},
	}
	for i := range columns {
		if label := columns[i].Label; label != "" {
			table.columns[label] = &columns[i]
		}
	}
	for i := range columns {
		table.columns[columns[i].Name] = &columns[i] // a name goes before a label
	}
	return table
}

// WithMistakes is the same table with other words for an unknown column and for a type that does not fit; nil keeps
// those that it has.
func (t *FilterTable) WithMistakes(
	unknown func(name string, at []any) error, mismatch func(t FilterType, name string, expected FilterType) error,
) *FilterTable {
	other := *t
	if unknown != nil {
		other.unknown = unknown
	}
	if mismatch != nil {
		other.mismatch = mismatch
	}
	return &other
}

// ObservationFilter is the columns of observations.
var ObservationFilter = NewFilterTable(
	FilterColumn{"id", "ID", ColumnID, FilterStringOptions},
	FilterColumn{"type", "Type", ColumnType, FilterStringOptions},
	FilterColumn{"name", "Name", ColumnName, FilterStringOptions},
	FilterColumn{"traceId", "Trace ID", ColumnTraceID, FilterString},
	FilterColumn{"traceName", "Trace Name", ColumnTraceName, FilterStringOptions},
	FilterColumn{"startTime", "Start Time", ColumnStartTime, FilterDatetime},
	FilterColumn{"endTime", "End Time", ColumnEndTime, FilterDatetime},
	FilterColumn{"environment", "Environment", ColumnEnvironment, FilterStringOptions},
	FilterColumn{"traceEnvironment", "Trace Environment", ColumnEnvironment, FilterStringOptions},
	FilterColumn{"level", "Level", ColumnLevel, FilterStringOptions},
	FilterColumn{"statusMessage", "Status Message", ColumnStatusMessage, FilterString},
	FilterColumn{"version", "Version", ColumnVersion, FilterString},
	FilterColumn{"release", "Release", ColumnRelease, FilterString},
	FilterColumn{"userId", "User ID", ColumnUserID, FilterString},
	FilterColumn{"sessionId", "Session ID", ColumnSessionID, FilterString},
	FilterColumn{"parentObservationId", "Parent Observation ID", ColumnParentObservationID, FilterString},
	FilterColumn{"isRootObservation", "Is Root Observation", ColumnIsRootObservation, FilterBoolean},
	FilterColumn{"hasParentObservation", "Has Parent Observation", ColumnHasParentObservation, FilterBoolean},
	FilterColumn{"hasInput", "Has Input", ColumnHasInput, FilterBoolean},
	FilterColumn{"hasOutput", "Has Output", ColumnHasOutput, FilterBoolean},
	FilterColumn{"tags", "Tags", ColumnTags, FilterArrayOptions},
	FilterColumn{"traceTags", "Trace Tags", ColumnTags, FilterArrayOptions},
	FilterColumn{"latency", "Latency (s)", ColumnLatency, FilterNumber},
	FilterColumn{"timeToFirstToken", "Time To First Token (s)", ColumnTimeToFirstToken, FilterNumber},
	FilterColumn{"tokensPerSecond", "Tokens per second", ColumnTokensPerSecond, FilterNumber},
	FilterColumn{"inputTokens", "Input Tokens", ColumnInputTokens, FilterNumber},
	FilterColumn{"outputTokens", "Output Tokens", ColumnOutputTokens, FilterNumber},
	FilterColumn{"totalTokens", "Total Tokens", ColumnTotalTokens, FilterNumber},
	FilterColumn{"tokens", "Tokens", ColumnTotalTokens, FilterNumber},
	FilterColumn{"inputCost", "Input Cost ($)", ColumnInputCost, FilterNumber},
	FilterColumn{"outputCost", "Output Cost ($)", ColumnOutputCost, FilterNumber},
	FilterColumn{"totalCost", "Total Cost ($)", ColumnTotalCost, FilterNumber},
	FilterColumn{"model", "Model", ColumnModel, FilterStringOptions},
	FilterColumn{"providedModelName", "Provided Model Name", ColumnModel, FilterStringOptions},
	FilterColumn{"modelId", "Model ID", ColumnModelID, FilterStringOptions},
	FilterColumn{"promptName", "Prompt Name", ColumnPromptName, FilterStringOptions},
	FilterColumn{"promptVersion", "Prompt Version", ColumnPromptVersion, FilterNumber},
	FilterColumn{"input", "Input", ColumnInput, FilterString},
	FilterColumn{"output", "Output", ColumnOutput, FilterString},
	FilterColumn{"metadata", "Metadata", ColumnMetadata, FilterStringObject},
	FilterColumn{"experimentId", "Experiment ID", ColumnExperimentID, FilterStringOptions},
	FilterColumn{"experimentName", "Experiment Name", ColumnExperimentName, FilterStringOptions},
	FilterColumn{"experimentDatasetId", "Experiment Dataset ID", ColumnExperimentDatasetID, FilterStringOptions},
	FilterColumn{"isExperimentItemRootSpan", "Is Experiment Item Root Span", ColumnIsExperimentItemRootSpan, FilterBoolean},
	FilterColumn{"toolDefinitions", "Available Tools", ColumnToolDefinitions, FilterNumber},
	FilterColumn{"toolCalls", "Tool Calls", ColumnToolCalls, FilterNumber},
	FilterColumn{"toolNames", "Tool Names", ColumnToolNames, FilterArrayOptions},
	FilterColumn{"calledToolNames", "Called Tool Names", ColumnCalledToolNames, FilterArrayOptions},
	FilterColumn{"ingestionApiKey", "API Key", ColumnIngestionAPIKey, FilterStringOptions},
	FilterColumn{"ingestionSdkName", "SDK Name", ColumnIngestionSDKName, FilterStringOptions},
	FilterColumn{"ingestionSdkVersion", "SDK Version", ColumnIngestionSDKVersion, FilterStringOptions},
	FilterColumn{"ingestionSource", "Ingestion Source", ColumnIngestionSource, FilterStringOptions},
	FilterColumn{"evaluatorId", "Evaluator ID", ColumnEvaluatorID, FilterStringOptions},
	FilterColumn{"ruleId", "Rule ID", ColumnRuleID, FilterStringOptions},
)
