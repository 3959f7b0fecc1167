// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestScoreValidate(t *testing.T) {
	good := Score{Name: "quality", DataType: ScoreNumeric, Number: 0.5, TraceID: "t", Source: ScoreFromAPI}
	assert.NoError(t, good.Validate())

	const subject = "a score needs exactly one subject: a trace (with or without an observation), a session or an experiment"
	for want, change := range map[string]func(*Score){
		"a score needs a name": func(s *Score) { s.Name = "" },
		"the value of a NUMERIC score must be a finite number, found NaN": func(s *Score) { s.Number = math.NaN() },
		"the value of a BOOLEAN score must be 0 or 1, found 0.5":          func(s *Score) { s.DataType = ScoreBoolean },
		`the data type of a score must be NUMERIC, BOOLEAN, CATEGORICAL, TEXT or CORRECTION, found "X"`: func(s *Score) {
			s.DataType = "X"
		},
		`the source of a score must be API, ANNOTATION or EVAL, found ""`: func(s *Score) { s.Source = "" },
		subject: func(s *Score) { s.SessionID = "two subjects" },
		"a score needs a name\n" + subject: func(s *Score) {
			s.Name = ""
			s.TraceID, s.ObservationID, s.SessionID = "", "o", "s"
		},
	} {
		bad := good
		change(&bad)
		assert.EqualError(t, bad.Validate(), want)
	}
	for _, change := range []func(*Score){
		func(s *Score) { s.ObservationID = "o" },
		func(s *Score) { s.TraceID, s.SessionID = "", "s" },
		func(s *Score) { s.TraceID, s.ExperimentID = "", "e" },
		func(s *Score) { s.DataType, s.Number = ScoreBoolean, 1 },
		func(s *Score) { s.DataType, s.Text = ScoreCorrection, "" },
	} {
		ok := good
		change(&ok)
		assert.NoError(t, ok.Validate())
	}
}
