// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package scorelog // import "github.com/weirhq/weir/internal/scorelog"

import (
	"encoding/hex"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// Write fills an empty record with a valid score. Read gives the same score back.
func Write(score *model.Score, names wire.Names, record plog.LogRecord) {
	record.SetEventName(eventName)
	if !score.Timestamp.IsZero() {
		record.SetTimestamp(pcommon.NewTimestampFromTime(score.Timestamp))
	}
	attributes := record.Attributes()
	attributes.EnsureCapacity(8)
	attributes.PutStr(attrName, score.Name)
	if score.DataType.IsNumber() {
		attributes.PutDouble(attrValue, score.Number)
	} else {
		attributes.PutStr(attrLabel, score.Text)
	}
	writeTraceID(score.TraceID, names, record)
	writeObservationID(score.ObservationID, names, record)

	put := func(key, value string) {
		if value != "" {
			attributes.PutStr(key, value)
		}
	}
	put(attrExplanation, score.Comment)
	put(names.Score.ID, score.ID)
	put(names.Score.DataType, string(score.DataType))
	put(names.Score.Source, string(score.Source))
	put(names.Score.SessionID, score.SessionID)
	put(names.Score.ExperimentID, score.ExperimentID)
	put(names.Score.ConfigID, score.ConfigID)
	put(names.Score.QueueID, score.QueueID)
	put(names.Score.AuthorUserID, score.AuthorUserID)
	put(names.Score.Environment, score.Environment)
	put(names.Score.Metadata, score.Metadata)
}

// writeTraceID puts the id on the record if that keeps it as it is. Clients may use any text for an id; such a
// text goes into an attribute.
func writeTraceID(id string, names wire.Names, record plog.LogRecord) {
	var raw pcommon.TraceID
	if n, err := hex.Decode(raw[:], clip(id, 2*len(raw))); err == nil && n == len(raw) && raw.String() == id {
		record.SetTraceID(raw)
	} else if id != "" {
		record.Attributes().PutStr(names.Score.TraceID, id)
	}
}

// writeObservationID does the same for the id of a span.
func writeObservationID(id string, names wire.Names, record plog.LogRecord) {
	var raw pcommon.SpanID
	if n, err := hex.Decode(raw[:], clip(id, 2*len(raw))); err == nil && n == len(raw) && raw.String() == id {
		record.SetSpanID(raw)
	} else if id != "" {
		record.Attributes().PutStr(names.Score.ObservationID, id)
	}
}

// clip keeps an id of any length from being decoded past the end of its place.
func clip(id string, limit int) []byte { return []byte(id[:min(len(id), limit)]) }
