// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// ObservationRecord is a row of the table of observations.
type ObservationRecord struct {
	Project string
	store.StoredObservation
}

// Column is one column of a table of T: what is written there, and where it is read to.
type Column[T any] struct {
	Name string
	// Group is the group of fields that needs the column; 0 for one that is always read.
	Group query.Groups
	// Value gives what is stored of a row.
	Value func(*T) Value
	// Target gives where the stored value is scanned to; nil for a column that is only written, for conditions.
	Target func(*T) any
}

type observationColumn = Column[ObservationRecord]

// ObservationColumns are all columns of the table of observations, in the order of the schema.
var ObservationColumns = []observationColumn{
	{"project", 0, func(r *ObservationRecord) Value { return ofText(r.Project) }, nil},
	text("trace_id", 0, func(r *ObservationRecord) *string { return &r.TraceID }),
	text("id", 0, func(r *ObservationRecord) *string { return &r.ID }),
	text("parent_id", 0, func(r *ObservationRecord) *string { return &r.ParentID }),
	{
		"start_time", 0,
		func(r *ObservationRecord) Value { return ofTime(r.Start) },
		func(r *ObservationRecord) any { return (*moment)(&r.Start) },
	},
	{
		"end_time", 0,
		func(r *ObservationRecord) Value { return ofOptionalTime(r.End) },
		func(r *ObservationRecord) any { return (*moment)(&r.End) },
	},
	{
		"completion_start", query.GroupTime | query.GroupMetrics,
		func(r *ObservationRecord) Value { return ofOptionalTime(r.CompletionStart) },
		func(r *ObservationRecord) any { return (*moment)(&r.CompletionStart) },
	},
	{
		"type", 0,
		func(r *ObservationRecord) Value { return ofText(string(r.Type)) },
		func(r *ObservationRecord) any { return (*string)(&r.Type) },
	},

	text("name", query.GroupBasic|query.GroupTraceContext, func(r *ObservationRecord) *string { return &r.Name }),
	text("environment", query.GroupBasic, func(r *ObservationRecord) *string { return &r.Environment }),
	text("version", query.GroupBasic, func(r *ObservationRecord) *string { return &r.Version }),
	text("user_id", query.GroupBasic, func(r *ObservationRecord) *string { return &r.UserID }),
	text("session_id", query.GroupBasic, func(r *ObservationRecord) *string { return &r.SessionID }),
	{
		"level", query.GroupBasic,
		func(r *ObservationRecord) Value { return ofText(string(r.Level)) },
		func(r *ObservationRecord) any { return (*string)(&r.Level) },
	},
	text("status_message", query.GroupBasic, func(r *ObservationRecord) *string { return &r.StatusMessage }),
	flag("is_app_root", query.GroupBasic|query.GroupTraceContext, func(r *ObservationRecord) *bool { return &r.IsAppRoot }),
	flag("bookmarked", query.GroupBasic, func(r *ObservationRecord) *bool { return &r.Bookmarked }),
	flag("public", query.GroupBasic, func(r *ObservationRecord) *bool { return &r.Public }),

	text("release", query.GroupTraceContext, func(r *ObservationRecord) *string { return &r.Release }),
	text("trace_name", query.GroupTraceContext, func(r *ObservationRecord) *string { return &r.TraceName }),
	texts("tags", query.GroupTraceContext, func(r *ObservationRecord) *[]string { return &r.Tags }),

	text("prompt_id", query.GroupPrompt, func(r *ObservationRecord) *string { return &r.PromptID }),
	text("prompt_name", query.GroupPrompt, func(r *ObservationRecord) *string { return &r.PromptName }),
	{
		"prompt_version", query.GroupPrompt,
		func(r *ObservationRecord) Value { return ofOptionalInt(r.PromptVersion) },
		func(r *ObservationRecord) any { return &optionalInt{&r.PromptVersion} },
	},

	text("model_id", query.GroupModel, func(r *ObservationRecord) *string { return &r.ModelID }),
	text("model", query.GroupModel, func(r *ObservationRecord) *string { return &r.Model }),
	text("model_parameters", query.GroupModel, func(r *ObservationRecord) *string { return &r.ModelParameters }),

	{
		"usage", query.GroupUsage,
		func(r *ObservationRecord) Value { return ofText(encodeUsage(r.Usage)) },
		func(r *ObservationRecord) any { return (*usageMap)(&r.Usage) },
	},
	{
		"cost", query.GroupUsage,
		func(r *ObservationRecord) Value { return ofText(encodeCosts(r.Cost)) },
		func(r *ObservationRecord) any { return (*costMap)(&r.Cost) },
	},
	{
		"billing", query.GroupUsage,
		func(r *ObservationRecord) Value { return ofText(encodeBilling(&r.Observation)) },
		func(r *ObservationRecord) any { return (*billing)(&r.Observation) },
	},

	text("input", query.GroupIO, func(r *ObservationRecord) *string { return &r.Input }),
	text("output", query.GroupIO, func(r *ObservationRecord) *string { return &r.Output }),
	text("metadata", query.GroupMetadata, func(r *ObservationRecord) *string { return &r.Metadata }),

	{
		"tool_definitions", query.GroupTools,
		func(r *ObservationRecord) Value { return ofText(encodeNamed(r.ToolDefinitions)) },
		func(r *ObservationRecord) any { return (*namedTexts)(&r.ToolDefinitions) },
	},
	texts("tool_calls", query.GroupTools, func(r *ObservationRecord) *[]string { return &r.ToolCalls }),
	texts("tool_call_names", query.GroupTools, func(r *ObservationRecord) *[]string { return &r.ToolCallNames }),

	text("experiment_id", query.GroupExperiment, func(r *ObservationRecord) *string { return &r.Experiment.ID }),
	text("experiment_name", query.GroupExperiment, func(r *ObservationRecord) *string { return &r.Experiment.Name }),
	text("experiment_dataset_id", query.GroupExperiment, func(r *ObservationRecord) *string { return &r.Experiment.DatasetID }),
	text("experiment_item_id", query.GroupExperiment, func(r *ObservationRecord) *string { return &r.Experiment.ItemID }),
	text("experiment_item_root_id", query.GroupExperiment, func(r *ObservationRecord) *string { return &r.Experiment.ItemRootID }),
	{
		"experiment_details", query.GroupExperiment,
		func(r *ObservationRecord) Value { return ofText(encodeExperiment(&r.Experiment)) },
		func(r *ObservationRecord) any { return (*experimentDetails)(&r.Experiment) },
	},

	{
		"origin", query.GroupOrigin,
		func(r *ObservationRecord) Value { return ofText(encodeOrigin(&r.Origin)) },
		func(r *ObservationRecord) any { return (*origin)(&r.Origin) },
	},

	// Derived once when a row is written, so that conditions and sums need not look into usage and cost.
	derived("input_tokens", func(r *ObservationRecord) Value { return ofInt64(unitsLike(r.Usage, "input")) }),
	derived("output_tokens", func(r *ObservationRecord) Value { return ofInt64(unitsLike(r.Usage, "output")) }),
	derived("total_tokens", func(r *ObservationRecord) Value {
		if units, ok := r.Usage.Get(model.UsageKeyTotal); ok {
			return ofInt64(units)
		}
		return Value{}
	}),
	derived("input_cost", func(r *ObservationRecord) Value { return ofInt64(amountLike(r.Cost, "input")) }),
	derived("output_cost", func(r *ObservationRecord) Value { return ofInt64(amountLike(r.Cost, "output")) }),
	derived("total_cost", func(r *ObservationRecord) Value {
		if amount, ok := r.Cost.Get(model.UsageKeyTotal); ok {
			return ofInt64(int64(amount))
		}
		return Value{}
	}),

	{
		"created_at", query.GroupTime,
		func(r *ObservationRecord) Value { return ofTime(r.CreatedAt) },
		func(r *ObservationRecord) any { return (*moment)(&r.CreatedAt) },
	},
	{
		"updated_at", query.GroupTime,
		func(r *ObservationRecord) Value { return ofTime(r.UpdatedAt) },
		func(r *ObservationRecord) any { return (*moment)(&r.UpdatedAt) },
	},
}

func text(name string, group query.Groups, field func(*ObservationRecord) *string) observationColumn {
	return observationColumn{
		name, group,
		func(r *ObservationRecord) Value { return ofText(*field(r)) },
		func(r *ObservationRecord) any { return field(r) },
	}
}

func flag(name string, group query.Groups, field func(*ObservationRecord) *bool) observationColumn {
	return observationColumn{
		name, group,
		func(r *ObservationRecord) Value { return ofFlag(*field(r)) },
		func(r *ObservationRecord) any { return field(r) },
	}
}

func texts(name string, group query.Groups, field func(*ObservationRecord) *[]string) observationColumn {
	return observationColumn{
		name, group,
		func(r *ObservationRecord) Value { return ofText(encodeTexts(*field(r))) },
		func(r *ObservationRecord) any { return (*textList)(field(r)) },
	}
}

func derived(name string, value func(*ObservationRecord) Value) observationColumn {
	return observationColumn{name, 0, value, nil}
}

// unitsLike sums the units of all keys that contain a word, in any letter case.
func unitsLike(u model.Usage, word string) int64 {
	var sum int64
	for _, e := range u {
		if strings.Contains(strings.ToLower(e.Key), word) {
			sum += e.Units
		}
	}
	return sum
}

func amountLike(c model.Costs, word string) int64 {
	var sum model.Decimal
	for _, e := range c {
		if strings.Contains(strings.ToLower(e.Key), word) {
			sum = sum.Plus(e.Amount)
		}
	}
	return int64(sum)
}
