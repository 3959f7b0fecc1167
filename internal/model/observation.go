// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import "time"

// ObservationType is the kind of an observation.
type ObservationType string

// The types of observations.
const (
	TypeSpan       ObservationType = "SPAN"
	TypeGeneration ObservationType = "GENERATION"
	TypeEvent      ObservationType = "EVENT"
	TypeAgent      ObservationType = "AGENT"
	TypeTool       ObservationType = "TOOL"
	TypeChain      ObservationType = "CHAIN"
	TypeRetriever  ObservationType = "RETRIEVER"
	TypeEvaluator  ObservationType = "EVALUATOR"
	TypeEmbedding  ObservationType = "EMBEDDING"
	TypeGuardrail  ObservationType = "GUARDRAIL"
)

// Level is how grave an observation is.
type Level string

// The levels of observations.
const (
	LevelDebug   Level = "DEBUG"
	LevelDefault Level = "DEFAULT"
	LevelWarning Level = "WARNING"
	LevelError   Level = "ERROR"
)

// DefaultEnvironment is the environment of whatever names none.
const DefaultEnvironment = "default"

// Observation is one row: a span, a generation, an event or another kind. Empty strings and zero times stand for
// what was not given. Times are whole milliseconds in UTC.
//
// Texts that are JSON are kept as JSON text, because that is how they are stored and how they are shown:
// nothing on the way needs them in another form.
type Observation struct {
	TraceID  string
	ID       string
	ParentID string

	Start           time.Time
	End             time.Time
	CompletionStart time.Time

	Name          string
	Type          ObservationType
	Environment   string
	Version       string
	Release       string
	TraceName     string
	UserID        string
	SessionID     string
	Tags          []string
	Level         Level
	StatusMessage string
	// IsAppRoot says that the client marked it as the root of the application, whatever its parent.
	IsAppRoot  bool
	Bookmarked bool
	Public     bool

	PromptID   string
	PromptName string
	// PromptVersion is nil when the observation is linked to no version.
	PromptVersion *int

	// ModelID is the id of the model definition that matched Model, the name that the span carries.
	ModelID string
	Model   string
	// ModelParameters is the JSON text of an object of strings, numbers and null, "" for none.
	ModelParameters string

	// ProvidedUsage and ProvidedCost are what the client sent, Usage and Cost what came of it. They may share memory: nobody
	// changes an entry.
	ProvidedUsage Usage
	Usage         Usage
	ProvidedCost  Costs
	Cost          Costs
	// PricingTierID and PricingTierName tell by which tier of the model the cost was computed.
	PricingTierID   string
	PricingTierName string

	Input  string
	Output string
	// Metadata is the JSON text of a flat object: dotted paths as keys, strings, numbers, booleans, null and
	// lists as values, no key twice. "" for none.
	Metadata string

	// ToolDefinitions are the tools on offer, by name; the value is JSON text.
	ToolDefinitions []NamedText
	// ToolCalls are the calls that were made, as JSON texts; ToolCallNames are their names, one for each.
	ToolCalls     []string
	ToolCallNames []string

	Experiment Experiment
	Origin     Origin
}

// IsRoot tells whether the observation is a logical root.
func (o *Observation) IsRoot() bool { return o.ParentID == "" || o.IsAppRoot }

// PayloadSize is the size of the texts that a client can make as large as it likes.
func (o *Observation) PayloadSize() int64 {
	size := len(o.Input) + len(o.Output) + len(o.Metadata) + len(o.StatusMessage) + len(o.ModelParameters) +
		len(o.Experiment.Description) + len(o.Experiment.Metadata) + len(o.Experiment.ItemExpectedOutput) + len(o.Experiment.ItemMetadata)
	for _, texts := range [][]string{o.Tags, o.ToolCalls, o.ToolCallNames} {
		for _, text := range texts {
			size += len(text)
		}
	}
	for _, tool := range o.ToolDefinitions {
		size += len(tool.Name) + len(tool.Text)
	}
	return int64(size)
}

// NamedText is a text under a name; lists of it keep their order.
type NamedText struct {
	Name, Text string
}

// Experiment is what links an observation to a run of an experiment.
type Experiment struct {
	ID                 string
	Name               string
	Description        string
	DatasetID          string
	ItemID             string
	ItemVersion        time.Time
	ItemExpectedOutput string
	// ItemRootID is the id of the observation that is the item; the others only belong to it.
	ItemRootID string
	// Metadata and ItemMetadata are JSON texts of flat objects, as Observation.Metadata is.
	Metadata     string
	ItemMetadata string
}

// Origin is who sent an observation, and how.
type Origin struct {
	Source            string
	ServiceName       string
	ServiceVersion    string
	ScopeName         string
	ScopeVersion      string
	TelemetryLanguage string
	TelemetryName     string
	TelemetryVersion  string
	PublicKey         string
	ClientName        string
	ClientVersion     string
}
