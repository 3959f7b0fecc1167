// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import (
	"fmt"
	"regexp"
)

// DefaultService is the service whose names are used when the `service` setting is left out.
const DefaultService = "langfuse"

// MaxIngestionVersion is the highest ingestion version that servers accept; they refuse a higher one.
const MaxIngestionVersion = 4

// Paths of the public API, relative to the base address of the service.
const (
	PathTraces    = "/api/public/otel/v1/traces"
	PathIngestion = "/api/public/ingestion"
	PathProjects  = "/api/public/projects"
)

// MarkEncoding is the scope attribute that tells in which encoding the metadata values below it stand. It is
// written only where the values themselves cannot tell, so that encoding twice changes nothing.
const MarkEncoding = "weir.metadata.encoding"

// Names are all the names that contain the name of the service.
type Names struct {
	// Service is the name itself.
	Service string
	// SDKScope is the instrumentation scope of the service's own client libraries.
	SDKScope string

	// ObservationMetadata and TraceMetadata carry a whole metadata object in one attribute; with the prefix,
	// an attribute carries one top-level key.
	ObservationMetadata       string
	ObservationMetadataPrefix string
	TraceMetadata             string
	TraceMetadataPrefix       string

	Headers    HeaderNames
	Span       SpanNames
	Experiment ExperimentNames
	Score      ScoreNames
}

// HeaderNames are the request headers of the service.
type HeaderNames struct {
	IngestionVersion string
	SDKName          string
	SDKVersion       string
	PublicKey        string
}

// SpanNames are the span attributes of an observation and of its trace, apart from metadata.
type SpanNames struct {
	// Environment and Release also count on the resource.
	Environment string
	Release     string
	Version     string

	UserID    string
	SessionID string

	TraceName   string
	TraceTags   string
	TracePublic string
	TraceInput  string
	TraceOutput string

	// Tags, Public, Metadata, PromptName and PromptVersion are older names of attributes that now say whether
	// they are about the trace or about the observation.
	Tags           string
	Public         string
	Metadata       string
	MetadataPrefix string
	PromptName     string
	PromptVersion  string

	Type                     string
	Level                    string
	StatusMessage            string
	Input                    string
	Output                   string
	CompletionStartTime      string
	ModelName                string
	ModelParameters          string
	UsageDetails             string
	CostDetails              string
	ObservationPromptName    string
	ObservationPromptVersion string

	// IsAppRoot marks the root of an application, whatever its parent.
	IsAppRoot string

	// MetadataUserID, MetadataSessionID and MetadataTags are metadata keys by which integrations set these fields
	// of the trace; MetadataPrompt is the one that links a prompt.
	MetadataUserID    string
	MetadataSessionID string
	MetadataTags      string
	MetadataPrompt    string

	// JudgeEnvironment is where the service's own evaluators run.
	JudgeEnvironment string
}

// ExperimentNames are the span attributes of an experiment run.
type ExperimentNames struct {
	ID                    string
	Name                  string
	Description           string
	Metadata              string
	DatasetID             string
	ItemID                string
	ItemVersion           string
	ItemMetadata          string
	ItemExpectedOutput    string
	ItemRootObservationID string
}

// ScoreNames are the log attributes of a score that the GenAI conventions have no name for.
type ScoreNames struct {
	ID            string
	DataType      string
	Source        string
	TraceID       string
	ObservationID string
	SessionID     string
	ExperimentID  string
	ConfigID      string
	QueueID       string
	AuthorUserID  string
	Environment   string
	Metadata      string
}

var serviceName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// ValidateService tells what is wrong with a name of a service, as the `service` setting of a component.
func ValidateService(service string) error {
	if !serviceName.MatchString(service) {
		return fmt.Errorf("`service` must be a lower-case name of letters, digits, - and _, found %q", service)
	}
	return nil
}

// NewNames builds all names from the name of the service.
func NewNames(service string) Names {
	header := func(name string) string { return "x-" + service + "-" + name }
	experiment := service + ".experiment."
	score := service + ".score."
	return Names{
		Service:                   service,
		SDKScope:                  service + "-sdk",
		ObservationMetadata:       service + ".observation.metadata",
		ObservationMetadataPrefix: service + ".observation.metadata.",
		TraceMetadata:             service + ".trace.metadata",
		TraceMetadataPrefix:       service + ".trace.metadata.",
		Headers: HeaderNames{
			IngestionVersion: header("ingestion-version"),
			SDKName:          header("sdk-name"),
			SDKVersion:       header("sdk-version"),
			PublicKey:        header("public-key"),
		},
		Span: newSpanNames(service),
		Experiment: ExperimentNames{
			ID:                    experiment + "id",
			Name:                  experiment + "name",
			Description:           experiment + "description",
			Metadata:              experiment + "metadata",
			DatasetID:             experiment + "dataset.id",
			ItemID:                experiment + "item.id",
			ItemVersion:           experiment + "item.version",
			ItemMetadata:          experiment + "item.metadata",
			ItemExpectedOutput:    experiment + "item.expected_output",
			ItemRootObservationID: experiment + "item.root_observation_id",
		},
		Score: ScoreNames{
			ID:            score + "id",
			DataType:      score + "data_type",
			Source:        score + "source",
			TraceID:       score + "trace_id",
			ObservationID: score + "observation_id",
			SessionID:     score + "session_id",
			ExperimentID:  score + "experiment_id",
			ConfigID:      score + "config_id",
			QueueID:       score + "queue_id",
			AuthorUserID:  score + "author_user_id",
			Environment:   score + "environment",
			Metadata:      score + "metadata",
		},
	}
}

func newSpanNames(service string) SpanNames {
	trace := service + ".trace."
	observation := service + ".observation."
	return SpanNames{
		Environment:              service + ".environment",
		Release:                  service + ".release",
		Version:                  service + ".version",
		UserID:                   service + ".user.id",
		SessionID:                service + ".session.id",
		TraceName:                trace + "name",
		TraceTags:                trace + "tags",
		TracePublic:              trace + "public",
		TraceInput:               trace + "input",
		TraceOutput:              trace + "output",
		Tags:                     service + ".tags",
		Public:                   service + ".public",
		Metadata:                 service + ".metadata",
		MetadataPrefix:           service + ".metadata.",
		PromptName:               service + ".prompt.name",
		PromptVersion:            service + ".prompt.version",
		Type:                     observation + "type",
		Level:                    observation + "level",
		StatusMessage:            observation + "status_message",
		Input:                    observation + "input",
		Output:                   observation + "output",
		CompletionStartTime:      observation + "completion_start_time",
		ModelName:                observation + "model.name",
		ModelParameters:          observation + "model.parameters",
		UsageDetails:             observation + "usage_details",
		CostDetails:              observation + "cost_details",
		ObservationPromptName:    observation + "prompt.name",
		ObservationPromptVersion: observation + "prompt.version",
		IsAppRoot:                service + ".internal.is_app_root",
		MetadataUserID:           service + "_user_id",
		MetadataSessionID:        service + "_session_id",
		MetadataTags:             service + "_tags",
		MetadataPrompt:           service + "Prompt",
		JudgeEnvironment:         service + "-llm-as-a-judge",
	}
}
