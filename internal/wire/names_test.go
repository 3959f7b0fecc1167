// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesOfTheDefaultService(t *testing.T) {
	names := NewNames(DefaultService)
	assert.Equal(t, "langfuse-sdk", names.SDKScope)
	assert.Equal(t, "langfuse.observation.metadata", names.ObservationMetadata)
	assert.Equal(t, "langfuse.observation.metadata.", names.ObservationMetadataPrefix)
	assert.Equal(t, "langfuse.trace.metadata", names.TraceMetadata)
	assert.Equal(t, "langfuse.trace.metadata.", names.TraceMetadataPrefix)
	assert.Equal(t, HeaderNames{
		IngestionVersion: "x-langfuse-ingestion-version",
		SDKName:          "x-langfuse-sdk-name",
		SDKVersion:       "x-langfuse-sdk-version",
		PublicKey:        "x-langfuse-public-key",
	}, names.Headers)
	assert.Equal(t, SpanNames{
		Environment:              "langfuse.environment",
		Release:                  "langfuse.release",
		Version:                  "langfuse.version",
		UserID:                   "langfuse.user.id",
		SessionID:                "langfuse.session.id",
		TraceName:                "langfuse.trace.name",
		TraceTags:                "langfuse.trace.tags",
		TracePublic:              "langfuse.trace.public",
		TraceInput:               "langfuse.trace.input",
		TraceOutput:              "langfuse.trace.output",
		Tags:                     "langfuse.tags",
		Public:                   "langfuse.public",
		Metadata:                 "langfuse.metadata",
		MetadataPrefix:           "langfuse.metadata.",
		PromptName:               "langfuse.prompt.name",
		PromptVersion:            "langfuse.prompt.version",
		Type:                     "langfuse.observation.type",
		Level:                    "langfuse.observation.level",
		StatusMessage:            "langfuse.observation.status_message",
		Input:                    "langfuse.observation.input",
		Output:                   "langfuse.observation.output",
		CompletionStartTime:      "langfuse.observation.completion_start_time",
		ModelName:                "langfuse.observation.model.name",
		ModelParameters:          "langfuse.observation.model.parameters",
		UsageDetails:             "langfuse.observation.usage_details",
		CostDetails:              "langfuse.observation.cost_details",
		ObservationPromptName:    "langfuse.observation.prompt.name",
		ObservationPromptVersion: "langfuse.observation.prompt.version",
		IsAppRoot:                "langfuse.internal.is_app_root",
		MetadataUserID:           "langfuse_user_id",
		MetadataSessionID:        "langfuse_session_id",
		MetadataTags:             "langfuse_tags",
		MetadataPrompt:           "langfusePrompt",
		JudgeEnvironment:         "langfuse-llm-as-a-judge",
	}, names.Span)
	assert.Equal(t, ExperimentNames{
		ID:                    "langfuse.experiment.id",
		Name:                  "langfuse.experiment.name",
		Description:           "langfuse.experiment.description",
		Metadata:              "langfuse.experiment.metadata",
		DatasetID:             "langfuse.experiment.dataset.id",
		ItemID:                "langfuse.experiment.item.id",
		ItemVersion:           "langfuse.experiment.item.version",
		ItemMetadata:          "langfuse.experiment.item.metadata",
		ItemExpectedOutput:    "langfuse.experiment.item.expected_output",
		ItemRootObservationID: "langfuse.experiment.item.root_observation_id",
	}, names.Experiment)
	assert.Equal(t, ScoreNames{
		ID:            "langfuse.score.id",
		DataType:      "langfuse.score.data_type",
		Source:        "langfuse.score.source",
		TraceID:       "langfuse.score.trace_id",
		ObservationID: "langfuse.score.observation_id",
		SessionID:     "langfuse.score.session_id",
		ExperimentID:  "langfuse.score.experiment_id",
		ConfigID:      "langfuse.score.config_id",
		QueueID:       "langfuse.score.queue_id",
		AuthorUserID:  "langfuse.score.author_user_id",
		Environment:   "langfuse.score.environment",
		Metadata:      "langfuse.score.metadata",
	}, names.Score)
}

func TestNamesOfAnotherService(t *testing.T) {
	names := NewNames("acme")
	assert.Equal(t, "acme.trace.metadata.", names.TraceMetadataPrefix)
	assert.Equal(t, "x-acme-ingestion-version", names.Headers.IngestionVersion)
	assert.Equal(t, "acme.score.id", names.Score.ID)
}

func TestValidateService(t *testing.T) {
	for _, good := range []string{"langfuse", "my-service", "a1_b"} {
		assert.NoError(t, ValidateService(good), good)
	}
	for _, bad := range []string{"", "Langfuse", "a b", "1a", "a.b"} {
		assert.ErrorContains(t, ValidateService(bad), "`service` must be a lower-case name", bad)
	}
}
