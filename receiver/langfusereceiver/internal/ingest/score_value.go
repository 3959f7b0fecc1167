// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package ingest // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/ingest"

import (
	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/validation"
)

// readValue reads the value by the data type, which the value decides on where nobody else has.
func (b *scoreBody) readValue() {
	o := b.object
	kind := o.Type("value")
	if b.DataType == "" {
		b.DataType = impliedType(kind)
	}
	switch b.DataType {
	case model.ScoreNumeric:
		if b.is("number") {
			b.Number = valueOr(o.Number("value"))
		}
	case model.ScoreBoolean:
		b.readBoolean(kind)
	case model.ScoreText:
		if b.is("string") {
			b.Text = o.OptionalText("value", 1, maxScoreText)
		}
	case model.ScoreCategorical:
		if b.is("string") {
			b.Text = o.OptionalText("value", 0, maxScoreName)
		}
	default: // a correction is as long as the output that it mends
		if b.is("string") {
			b.Text = o.Text("value")
		}
	}
}

func impliedType(kind string) model.ScoreDataType {
	switch kind {
	case "number":
		return model.ScoreNumeric
	case "boolean":
		return model.ScoreBoolean
	default:
		return model.ScoreCategorical
	}
}

// readBoolean takes true and false too: evaluators write them.
func (b *scoreBody) readBoolean(kind string) {
	switch {
	case kind == "boolean":
		if *b.object.Bool("value") {
			b.Number = 1
		}
		return
	case kind == "number":
		if b.Number = valueOr(b.object.Number("value")); b.Number == 0 || b.Number == 1 {
			return
		}
	}
	b.object.Add(validation.Custom("Value must be a number equal to either 0 or 1 for data type BOOLEAN", b.object.At("value")...))
}

// is notes a value of another type; null is such a type here.
func (b *scoreBody) is(expected string) bool {
	if received := b.object.Type("value"); received != expected {
		b.object.Add(validation.WrongType(expected, received, b.object.At("value")...))
		return false
	}
	return true
}

func valueOr(number *float64) float64 {
	if number == nil {
		return 0
	}
	return *number
}
