// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
)

// textOf is the value of a column of text or payload, "" when there is none.
func textOf(column query.Column, o *model.Observation) string {
	switch column {
	case query.ColumnID:
		return o.ID
	case query.ColumnType:
		return string(o.Type)
	case query.ColumnName:
		return o.Name
	case query.ColumnTraceID:
		return o.TraceID
	case query.ColumnTraceName:
		if o.TraceName == "" && o.IsRoot() {
			return o.Name
		}
		return o.TraceName
	case query.ColumnEnvironment:
		return o.Environment
	case query.ColumnLevel:
		return string(o.Level)
	case query.ColumnStatusMessage:
		return o.StatusMessage
	case query.ColumnVersion:
		return o.Version
	case query.ColumnRelease:
		return o.Release
	case query.ColumnUserID:
		return o.UserID
	case query.ColumnSessionID:
		return o.SessionID
	case query.ColumnParentObservationID:
		return o.ParentID
	case query.ColumnModel:
		return o.Model
	case query.ColumnModelID:
		return o.ModelID
	case query.ColumnPromptName:
		return o.PromptName
	case query.ColumnInput:
		return o.Input
	case query.ColumnOutput:
		return o.Output
	case query.ColumnExperimentID:
		return o.Experiment.ID
	case query.ColumnExperimentName:
		return o.Experiment.Name
	case query.ColumnExperimentDatasetID:
		return o.Experiment.DatasetID
	case query.ColumnExperimentItemID:
		return o.Experiment.ItemID
	case query.ColumnIngestionAPIKey:
		return o.Origin.PublicKey
	case query.ColumnIngestionSDKName:
		return o.Origin.ClientName
	case query.ColumnIngestionSDKVersion:
		return o.Origin.ClientVersion
	case query.ColumnIngestionSource:
		return o.Origin.Source
	case query.ColumnEvaluatorID, query.ColumnRuleID:
		value, _ := metadataValue(o.Metadata, column.MetadataKey())
		return value.text
	default:
		panic(fmt.Sprintf("column %q is no text", column))
	}
}

// timeOf is the value of a column of time, zero when there is none.
func timeOf(column query.Column, o *model.Observation) time.Time {
	switch column {
	case query.ColumnStartTime:
		return o.Start
	case query.ColumnEndTime:
		return o.End
	default:
		panic(fmt.Sprintf("column %q is no time", column))
	}
}

func boolOf(column query.Column, o *model.Observation) bool {
	switch column {
	case query.ColumnIsRootObservation:
		return o.IsRoot()
	case query.ColumnHasParentObservation:
		return o.ParentID != ""
	case query.ColumnHasInput:
		return o.Input != ""
	case query.ColumnHasOutput:
		return o.Output != ""
	case query.ColumnIsExperimentItemRootSpan:
		return o.ID != "" && o.Experiment.ItemRootID == o.ID
	default:
		panic(fmt.Sprintf("column %q is no bool", column))
	}
}

func listOf(column query.Column, o *model.Observation) []string {
	switch column {
	case query.ColumnTags:
		return o.Tags
	case query.ColumnToolNames:
		var names []string
		for _, tool := range o.ToolDefinitions {
			names = append(names, tool.Name)
		}
		return names
	case query.ColumnCalledToolNames:
		return o.ToolCallNames
	default:
		panic(fmt.Sprintf("column %q is no list", column))
	}
}

// compareNumber compares the value of a column with that of the condition, costs as the exact amounts that they are.
func compareNumber(c *query.Condition, o *model.Observation) (order int, present bool) {
	switch c.Column {
	case query.ColumnInputCost, query.ColumnOutputCost, query.ColumnTotalCost:
		amount, present := costOf(c.Column, o)
		return cmp.Compare(amount, model.DecimalFromFloat(c.Number)), present
	default:
		value, present := numberOf(c.Column, o)
		return cmp.Compare(value, c.Number), present
	}
}

func costOf(column query.Column, o *model.Observation) (amount model.Decimal, present bool) {
	if column == query.ColumnTotalCost {
		return o.Cost.Get(model.UsageKeyTotal)
	}
	for _, entry := range o.Cost {
		if isOf(entry.Key, column == query.ColumnInputCost) {
			amount = amount.Plus(entry.Amount)
		}
	}
	return amount, true
}

// isOf tells whether a usage key belongs to the input, or else to the output.
func isOf(key string, input bool) bool {
	if input {
		return strings.Contains(strings.ToLower(key), "input")
	}
	return strings.Contains(strings.ToLower(key), "output")
}

func tokens(o *model.Observation, input bool) (sum int64) {
	for _, entry := range o.Usage {
		if isOf(entry.Key, input) {
			sum += entry.Units
		}
	}
	return sum
}

// seconds is the time from the start of the observation.
func seconds(o *model.Observation, to time.Time) (s float64, present bool) {
	return float64(to.Sub(o.Start).Milliseconds()) / 1000, !to.IsZero()
}

// numberOf is the value of a column of numbers that are no costs.
func numberOf(column query.Column, o *model.Observation) (number float64, present bool) {
	switch column {
	case query.ColumnLatency:
		return seconds(o, o.End)
	case query.ColumnTimeToFirstToken:
		return seconds(o, o.CompletionStart)
	case query.ColumnTokensPerSecond:
		latency, present := seconds(o, o.End)
		output := float64(tokens(o, false))
		if output == 0 && latency == 0 {
			return 0, present // no tokens are none per second, however short it was
		}
		return output / latency, present // in no time at all, that is infinitely many
	case query.ColumnInputTokens:
		return float64(tokens(o, true)), true
	case query.ColumnOutputTokens:
		return float64(tokens(o, false)), true
	case query.ColumnTotalTokens:
		total, present := o.Usage.Get(model.UsageKeyTotal)
		return float64(total), present
	case query.ColumnPromptVersion:
		if o.PromptVersion == nil {
			return 0, false
		}
		return float64(*o.PromptVersion), true
	case query.ColumnToolDefinitions:
		return float64(len(o.ToolDefinitions)), true
	case query.ColumnToolCalls:
		return float64(len(o.ToolCalls)), true
	default:
		panic(fmt.Sprintf("column %q is no number", column))
	}
}

// metadatum is a value of the metadata as conditions see it.
type metadatum struct {
	// text is a string as it is and anything else as JSON.
	text     string
	isNumber bool
	number   float64
}

// metadataValue is the value at a key. A JSON null is as good as no key; an empty string is a value.
func metadataValue(metadata, key string) (value metadatum, present bool) {
	raw, present := metadataObject(metadata)[key]
	if !present || string(raw) == "null" {
		return value, false
	}
	switch {
	case raw[0] == '"':
		if err := json.Unmarshal(raw, &value.text); err != nil {
			panic(err)
		}
		return value, true
	case raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9':
		value.isNumber = true
		value.number, _ = strconv.ParseFloat(string(raw), 64)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		panic(err)
	}
	value.text = compact.String()
	if value.text == "-0" {
		value.text = "0" // as every engine shows it
	}
	return value, true
}

// metadataTexts are all values as conditions see them.
func metadataTexts(metadata string) []string {
	var texts []string
	for key := range metadataObject(metadata) {
		if value, present := metadataValue(metadata, key); present {
			texts = append(texts, value.text)
		}
	}
	return texts
}

func metadataObject(metadata string) map[string]json.RawMessage {
	if metadata == "" {
		return nil
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(metadata), &object); err != nil {
		panic(fmt.Sprintf("metadata %q is no JSON object: %v", metadata, err))
	}
	return object
}
