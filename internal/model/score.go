// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// ScoreDataType says of what kind the value of a score is.
type ScoreDataType string

// The data types of scores.
const (
	ScoreNumeric     ScoreDataType = "NUMERIC"
	ScoreBoolean     ScoreDataType = "BOOLEAN"
	ScoreCategorical ScoreDataType = "CATEGORICAL"
	ScoreText        ScoreDataType = "TEXT"
	ScoreCorrection  ScoreDataType = "CORRECTION"
)

// IsNumber tells whether the value of such a score is Number; else it is Text.
func (t ScoreDataType) IsNumber() bool { return t == ScoreNumeric || t == ScoreBoolean }

// ScoreSource says who gave a score.
type ScoreSource string

// The sources of scores.
const (
	ScoreFromAPI        ScoreSource = "API"
	ScoreFromAnnotation ScoreSource = "ANNOTATION"
	ScoreFromEval       ScoreSource = "EVAL"
)

// Score is one judgement of exactly one subject: a trace, an observation of a trace, a session or an experiment.
// Empty strings stand for what was not given.
type Score struct {
	ID   string
	Name string

	DataType ScoreDataType
	// Number is the value of a NUMERIC score, and 1 or 0 for a BOOLEAN one.
	Number float64
	// Text is the value of every other score.
	Text string

	TraceID       string
	ObservationID string
	SessionID     string
	ExperimentID  string

	Source       ScoreSource
	Comment      string
	ConfigID     string
	QueueID      string
	AuthorUserID string
	Environment  string
	// Metadata is JSON text.
	Metadata string

	// Timestamp is when the score was given; zero when nobody said.
	Timestamp time.Time
}

// Validate tells everything that keeps s from being a score.
func (s *Score) Validate() error {
	var errs []error
	if s.Name == "" {
		errs = append(errs, errors.New("a score needs a name"))
	}
	switch s.DataType {
	case ScoreNumeric:
		if math.IsNaN(s.Number) || math.IsInf(s.Number, 0) {
			errs = append(errs, fmt.Errorf("the value of a NUMERIC score must be a finite number, found %v", s.Number))
		}
	case ScoreBoolean:
		if s.Number != 0 && s.Number != 1 {
			errs = append(errs, fmt.Errorf("the value of a BOOLEAN score must be 0 or 1, found %v", s.Number))
		}
	case ScoreCategorical, ScoreText, ScoreCorrection:
	default:
		errs = append(errs, fmt.Errorf(
			"the data type of a score must be NUMERIC, BOOLEAN, CATEGORICAL, TEXT or CORRECTION, found %q", s.DataType))
	}
	switch s.Source {
	case ScoreFromAPI, ScoreFromAnnotation, ScoreFromEval:
	default:
		errs = append(errs, fmt.Errorf("the source of a score must be API, ANNOTATION or EVAL, found %q", s.Source))
	}
	return errors.Join(append(errs, s.validateSubject())...)
}

func (s *Score) validateSubject() error {
	subjects := 0
	for _, id := range []string{s.TraceID, s.SessionID, s.ExperimentID} {
		if id != "" {
			subjects++
		}
	}
	if subjects != 1 || s.ObservationID != "" && s.TraceID == "" {
		return errors.New("a score needs exactly one subject: a trace (with or without an observation), a session or an experiment")
	}
	return nil
}
