// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

// scoreReader reads scores from JSON. The two routes that take scores differ in little.
type scoreReader struct {
	// sources are the sources that a caller may name.
	sources []string
	// nullEnvironment says that null is no fault for an environment.
	nullEnvironment bool
	// at is when the score was given.
	at time.Time
	// environment gives names of environments their one spelling.
	environment func(string) string
}

const (
	maxScoreID   = 800
	maxScoreName = 1000
	maxScoreText = 500
	// maxComment and the size of a body bound all the rest.
	maxComment = 100_000

	// correctionName is what a score with a better output is called, whatever its sender says.
	correctionName = "output"

	subjectMessage = "Provide exactly one of the following: traceId (with optional observationId), sessionId or datasetRunId. ObservationId requires traceId."
)

var scoreDataTypes = []string{
	string(model.ScoreNumeric), string(model.ScoreCategorical), string(model.ScoreBoolean), string(model.ScoreCorrection), string(model.ScoreText),
}

// scoreBody is a score, and the object that it is read from.
type scoreBody struct {
	model.Score
	object *validation.Object
}

// read notes everything that is wrong with the object apart from its value.
func (s scoreReader) read(o *validation.Object) scoreBody {
	body := scoreBody{object: o, Score: model.Score{
		ID:            o.OptionalText("id", 0, maxScoreID),
		DataType:      s.dataType(o),
		TraceID:       o.OptionalText("traceId", 0, maxScoreID),
		ObservationID: o.OptionalText("observationId", 0, maxScoreID),
		SessionID:     o.OptionalText("sessionId", 0, maxScoreID),
		ExperimentID:  o.OptionalText("datasetRunId", 0, maxScoreID),
		Comment:       o.OptionalText("comment", 0, maxComment),
		ConfigID:      o.OptionalText("configId", 0, maxScoreID),
		QueueID:       o.OptionalText("queueId", 0, maxScoreID),
		Source:        model.ScoreSource(o.OneOf("source", s.sources...)),
		Metadata:      scoreMetadata(o),
		Timestamp:     s.at,
	}}
	if strings.ContainsRune(body.ID, '\r') {
		o.Add(validation.Custom("an id must not have a carriage return", o.At("id")...))
	}
	if body.ID == "" {
		body.ID = uuid.NewString()
	}
	if body.Source == "" {
		body.Source = model.ScoreFromAPI
	}
	if body.DataType == model.ScoreCorrection {
		body.Name = correctionName
	} else {
		body.Name = o.RequiredText("name", 1, maxScoreName)
	}
	if o.IsNull("environment") && !s.nullEnvironment {
		o.Add(validation.WrongType("string", "null", o.At("environment")...))
	}
	if body.Environment = s.environment(o.Text("environment")); body.Environment == "" {
		body.Environment = model.DefaultEnvironment
	}
	body.checkTogether()
	return body
}

// dataType is "" when nothing is said: then the value decides.
func (scoreReader) dataType(o *validation.Object) model.ScoreDataType {
	switch o.Type("dataType") {
	case "undefined":
		return ""
	case "string":
		for _, known := range scoreDataTypes {
			if o.Text("dataType") == known {
				return model.ScoreDataType(known)
			}
		}
	}
	o.Add(validation.NoSuchVariant("dataType", o.At("dataType")...))
	return ""
}

// scoreMetadata is an object; what is none becomes the member of one.
func scoreMetadata(o *validation.Object) string {
	raw := o.Raw("metadata")
	if raw == nil || o.Type("metadata") == "object" {
		return string(raw)
	}
	wrapped, err := json.Marshal(map[string]json.RawMessage{"metadata": raw})
	if err != nil {
		o.Add(validation.Custom(err.Error(), o.At("metadata")...))
	}
	return string(wrapped)
}

// checkTogether notes what is wrong with fields beside one another.
func (b *scoreBody) checkTogether() {
	subjects := 0
	for _, id := range []string{b.TraceID, b.SessionID, b.ExperimentID} {
		if id != "" {
			subjects++
		}
	}
	isCorrection := b.DataType == model.ScoreCorrection
	switch {
	case subjects != 1 || b.ObservationID != "" && b.TraceID == "":
		b.object.Add(validation.Custom(subjectMessage, append(b.object.At("traceId"), "sessionId", "datasetRunId", "observationId")...))
	case isCorrection && b.TraceID == "":
		b.object.Add(validation.Custom("A score of data type CORRECTION is about a trace or an observation: provide traceId", b.object.At("traceId")...))
	}
	if isCorrection && b.ConfigID != "" {
		b.object.Add(validation.Custom("A score of data type CORRECTION has no configId", b.object.At("configId")...))
	}
	if b.Source == model.ScoreFromAnnotation && b.ConfigID == "" && !isCorrection {
		b.object.Add(validation.Custom("configId is required when source is ANNOTATION (except for CORRECTION scores).", b.object.At("configId")...))
	}
}
