// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package scorelog // import "github.com/weirhq/weir/internal/scorelog"

import (
	"errors"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// IsScore tells whether a record is the result of an evaluation; anything else in a logs pipeline is no score.
func IsScore(record plog.LogRecord) bool {
	if record.EventName() != "" {
		return record.EventName() == eventName
	}
	name, ok := record.Attributes().Get(attrEventName)
	return ok && name.Str() == eventName
}

// Read makes a score of a record for which IsScore is true, or tells everything that keeps it from being one.
// A record without a score id gets one made from what it says, so that sending it again changes nothing.
func Read(record plog.LogRecord, names wire.Names) (model.Score, error) {
	r := reading{names: names, score: model.Score{
		Source:        model.ScoreFromAPI,
		TraceID:       record.TraceID().String(),
		ObservationID: record.SpanID().String(),
	}}
	if _, named := record.Attributes().Get(names.Score.TraceID); named && !record.TraceID().IsEmpty() {
		r.score.ObservationID = "" // the span around the event belongs to another trace
	}
	for key, value := range record.Attributes().All() {
		r.attribute(key, value)
	}
	for _, at := range []pcommon.Timestamp{record.Timestamp(), record.ObservedTimestamp()} {
		if at != 0 && r.score.Timestamp.IsZero() {
			r.score.Timestamp = at.AsTime()
		}
	}
	r.chooseSubject()
	r.chooseValue()
	errs := errors.Join(append(r.errs, r.score.Validate())...)
	if r.score.ID == "" {
		r.score.ID = fingerprint(&r.score)
	}
	return r.score, errs
}

// reading collects a score attribute by attribute.
type reading struct {
	names wire.Names
	score model.Score
	errs  []error

	hasValue, hasLabel bool
	label              string
	isBool             bool
}

func (r *reading) attribute(key string, value pcommon.Value) {
	score, names := &r.score, r.names.Score
	switch key {
	case attrName:
		score.Name = value.AsString()
	case attrValue:
		r.value(value)
	case attrLabel:
		r.hasLabel, r.label = true, value.AsString()
	case attrExplanation:
		score.Comment = value.AsString()
	case names.ID:
		score.ID = value.AsString()
	case names.DataType:
		score.DataType = model.ScoreDataType(value.AsString())
	case names.Source:
		score.Source = model.ScoreSource(value.AsString())
	case names.TraceID:
		score.TraceID = value.AsString()
	case names.ObservationID:
		score.ObservationID = value.AsString()
	case names.SessionID:
		score.SessionID = value.AsString()
	case names.ExperimentID:
		score.ExperimentID = value.AsString()
	case names.ConfigID:
		score.ConfigID = value.AsString()
	case names.QueueID:
		score.QueueID = value.AsString()
	case names.AuthorUserID:
		score.AuthorUserID = value.AsString()
	case names.Environment:
		score.Environment = value.AsString()
	case names.Metadata:
		score.Metadata = metadataText(value)
	}
}

func (r *reading) value(value pcommon.Value) {
	r.hasValue = true
	switch value.Type() {
	case pcommon.ValueTypeDouble:
		r.score.Number = value.Double()
	case pcommon.ValueTypeInt:
		r.score.Number = float64(value.Int())
	case pcommon.ValueTypeBool:
		r.isBool = true
		if value.Bool() {
			r.score.Number = 1
		}
	default:
		r.errs = append(r.errs, errors.New("`"+attrValue+"` must be a number"))
	}
}

// chooseSubject drops the ambient span of an event that names its subject itself: an application that scores a
// session from inside a span means the session.
func (r *reading) chooseSubject() {
	if r.score.SessionID != "" || r.score.ExperimentID != "" {
		r.score.TraceID, r.score.ObservationID = "", ""
	}
}

// chooseValue settles which of number and label is the value. Without a data type a number makes the score
// numeric, and a label beside it is kept in the metadata.
func (r *reading) chooseValue() {
	score := &r.score
	if score.DataType == "" {
		switch {
		case r.isBool:
			score.DataType = model.ScoreBoolean
		case r.hasValue:
			score.DataType = model.ScoreNumeric
		default:
			score.DataType = model.ScoreCategorical
		}
		if r.hasValue && r.hasLabel && score.Metadata == "" {
			score.Metadata = `{"label":` + string(wire.AppendString(nil, r.label)) + `}`
		}
	}
	if score.DataType.IsNumber() {
		if !r.hasValue {
			r.errs = append(r.errs, errors.New("a "+string(score.DataType)+" score needs `"+attrValue+"`"))
		}
		return
	}
	score.Number, score.Text = 0, r.label
	if !r.hasLabel {
		r.errs = append(r.errs, errors.New("a "+string(score.DataType)+" score needs `"+attrLabel+"`"))
	}
}

// metadataText is the JSON of a metadata attribute: text that already is JSON stays, anything else is encoded.
func metadataText(value pcommon.Value) string {
	if value.Type() == pcommon.ValueTypeStr {
		if _, err := wire.Inspect(value.Str()); err == nil {
			return value.Str()
		}
	}
	text, _ := wire.AppendValue(nil, value)
	return string(text)
}
