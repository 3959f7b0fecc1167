// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

// Column is a column of observations by its name in the public API.
type Column string

// The columns of observations on which a condition can stand.
const (
	ColumnID                       Column = "id"
	ColumnType                     Column = "type"
	ColumnName                     Column = "name"
	ColumnTraceID                  Column = "traceId"
	ColumnTraceName                Column = "traceName"
	ColumnStartTime                Column = "startTime"
	ColumnEndTime                  Column = "endTime"
	ColumnEnvironment              Column = "environment"
	ColumnLevel                    Column = "level"
	ColumnStatusMessage            Column = "statusMessage"
	ColumnVersion                  Column = "version"
	ColumnRelease                  Column = "release"
	ColumnUserID                   Column = "userId"
	ColumnSessionID                Column = "sessionId"
	ColumnParentObservationID      Column = "parentObservationId"
	ColumnIsRootObservation        Column = "isRootObservation"
	ColumnHasParentObservation     Column = "hasParentObservation"
	ColumnHasInput                 Column = "hasInput"
	ColumnHasOutput                Column = "hasOutput"
	ColumnTags                     Column = "tags"
	ColumnLatency                  Column = "latency"
	ColumnTimeToFirstToken         Column = "timeToFirstToken"
	ColumnTokensPerSecond          Column = "tokensPerSecond"
	ColumnInputTokens              Column = "inputTokens"
	ColumnOutputTokens             Column = "outputTokens"
	ColumnTotalTokens              Column = "totalTokens"
	ColumnInputCost                Column = "inputCost"
	ColumnOutputCost               Column = "outputCost"
	ColumnTotalCost                Column = "totalCost"
	ColumnModel                    Column = "model"
	ColumnModelID                  Column = "modelId"
	ColumnPromptName               Column = "promptName"
	ColumnPromptVersion            Column = "promptVersion"
	ColumnInput                    Column = "input"
	ColumnOutput                   Column = "output"
	ColumnMetadata                 Column = "metadata"
	ColumnExperimentID             Column = "experimentId"
	ColumnExperimentName           Column = "experimentName"
	ColumnExperimentDatasetID      Column = "experimentDatasetId"
	ColumnExperimentItemID         Column = "experimentItemId"
	ColumnIsExperimentItemRootSpan Column = "isExperimentItemRootSpan"
	ColumnToolDefinitions          Column = "toolDefinitions"
	ColumnToolCalls                Column = "toolCalls"
	ColumnToolNames                Column = "toolNames"
	ColumnCalledToolNames          Column = "calledToolNames"
	ColumnIngestionAPIKey          Column = "ingestionApiKey"
	ColumnIngestionSDKName         Column = "ingestionSdkName"
	ColumnIngestionSDKVersion      Column = "ingestionSdkVersion"
	ColumnIngestionSource          Column = "ingestionSource"
	ColumnEvaluatorID              Column = "evaluatorId"
	ColumnRuleID                   Column = "ruleId"
)

// Kind is what the values of a column are.
type Kind int

// The kinds of columns.
const (
	KindText Kind = iota + 1
	KindNumber
	KindTime
	KindBool
	KindList
	// KindPayload is input and output: large texts with a search of their own.
	KindPayload
	// KindObject is metadata: a value for each key.
	KindObject
)

var kinds = map[Column]Kind{
	ColumnID: KindText, ColumnType: KindText, ColumnName: KindText, ColumnTraceID: KindText, ColumnTraceName: KindText,
	ColumnEnvironment: KindText, ColumnLevel: KindText, ColumnStatusMessage: KindText, ColumnVersion: KindText, ColumnRelease: KindText,
	ColumnUserID: KindText, ColumnSessionID: KindText, ColumnParentObservationID: KindText, ColumnModel: KindText, ColumnModelID: KindText,
	ColumnPromptName: KindText, ColumnExperimentID: KindText, ColumnExperimentName: KindText, ColumnExperimentDatasetID: KindText,
	ColumnExperimentItemID: KindText,
	ColumnIngestionAPIKey:  KindText, ColumnIngestionSDKName: KindText, ColumnIngestionSDKVersion: KindText, ColumnIngestionSource: KindText,
	ColumnEvaluatorID: KindText, ColumnRuleID: KindText,

	ColumnStartTime: KindTime, ColumnEndTime: KindTime,

	ColumnIsRootObservation: KindBool, ColumnHasParentObservation: KindBool, ColumnHasInput: KindBool, ColumnHasOutput: KindBool,
	ColumnIsExperimentItemRootSpan: KindBool,

	ColumnLatency: KindNumber, ColumnTimeToFirstToken: KindNumber, ColumnTokensPerSecond: KindNumber,
	ColumnInputTokens: KindNumber, ColumnOutputTokens: KindNumber, ColumnTotalTokens: KindNumber,
	ColumnInputCost: KindNumber, ColumnOutputCost: KindNumber, ColumnTotalCost: KindNumber, ColumnPromptVersion: KindNumber,
	ColumnToolDefinitions: KindNumber, ColumnToolCalls: KindNumber,

	ColumnTags: KindList, ColumnToolNames: KindList, ColumnCalledToolNames: KindList,

	ColumnInput: KindPayload, ColumnOutput: KindPayload,
	ColumnMetadata: KindObject,
}

// Kind tells what the values of the column are; 0 for a column that does not exist.
func (c Column) Kind() Kind { return kinds[c] }

// EmptyIsAbsent tells whether negations (`does not contain`, `none of`) leave out rows without a value. For most
// columns an empty text is a value like any other.
func (c Column) EmptyIsAbsent() bool {
	switch c {
	case ColumnRelease, ColumnParentObservationID, ColumnExperimentID, ColumnTraceName:
		return true
	default:
		return false
	}
}

// MetadataKey is the key of the metadata in which the value of the column stands; "" for all columns with a place of
// their own. The service writes these keys on the spans of its evaluators.
func (c Column) MetadataKey() string {
	switch c {
	case ColumnEvaluatorID:
		return "evaluator_id"
	case ColumnRuleID:
		return "evaluation_rule_id"
	default:
		return ""
	}
}
