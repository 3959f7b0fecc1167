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
