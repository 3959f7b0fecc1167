// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseexporter // import "github.com/weirhq/weir/exporter/langfuseexporter"

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// timeFormat is ISO 8601 in milliseconds, which is as fine as the service keeps times.
const timeFormat = "2006-01-02T15:04:05.000Z"

// scoreEvent is a score as the ingestion route takes it, and the log record that it came from.
type scoreEvent struct {
	id      string // of the event; the answer names it
	scoreID string
	text    []byte

	resource plog.ResourceLogs
	scope    plog.ScopeLogs
	record   plog.LogRecord
}

func newScoreEvent(score *model.Score, rl plog.ResourceLogs, sl plog.ScopeLogs, record plog.LogRecord) scoreEvent {
	body := appendScore(nil, score)
	// The id is made from the content, so that an event keeps it on every attempt.
	sum := sha256.Sum256(body)
	event := scoreEvent{
		id: hex.EncodeToString(sum[:16]), scoreID: score.ID,
		resource: rl, scope: sl, record: record,
	}
	at := score.Timestamp
	if at.IsZero() {
		at = time.Now()
	}
	text := append(make([]byte, 0, len(body)+128), `{"id":"`...)
	text = append(text, event.id...)
	text = append(text, `","type":"score-create","timestamp":"`...)
	text = at.UTC().AppendFormat(text, timeFormat)
	text = append(text, `","body":`...)
	text = append(text, body...)
	text = append(text, '}')
	event.text = text
	return event
}

// appendScore appends the body of a score-create event; what was not given is left out.
func appendScore(dst []byte, s *model.Score) []byte {
	field := func(name, value string) {
		if value != "" {
			dst = append(dst, `,"`...)
			dst = append(dst, name...)
			dst = append(dst, `":`...)
			dst = wire.AppendString(dst, value)
		}
	}
	dst = append(dst, `{"id":`...)
	dst = wire.AppendString(dst, s.ID)
	dst = append(dst, `,"value":`...)
	if s.DataType.IsNumber() {
		dst = wire.AppendDouble(dst, s.Number)
	} else {
		dst = wire.AppendString(dst, s.Text)
	}
	field("name", s.Name)
	field("dataType", string(s.DataType))
	field("source", string(s.Source))
	field("traceId", s.TraceID)
	field("observationId", s.ObservationID)
	field("sessionId", s.SessionID)
	field("datasetRunId", s.ExperimentID)
	field("comment", s.Comment)
	field("configId", s.ConfigID)
	field("queueId", s.QueueID)
	field("authorUserId", s.AuthorUserID)
	field("environment", s.Environment)
	if s.Metadata != "" {
		dst = append(dst, `,"metadata":`...)
		dst = wire.AppendCompact(dst, s.Metadata)
	}
	return append(dst, '}')
}

// appendTo adds a copy of the record that the event came from.
func (e *scoreEvent) appendTo(ld plog.Logs) {
	rl := ld.ResourceLogs().AppendEmpty()
	rl.SetSchemaUrl(e.resource.SchemaUrl())
	e.resource.Resource().CopyTo(rl.Resource())
	sl := rl.ScopeLogs().AppendEmpty()
	sl.SetSchemaUrl(e.scope.SchemaUrl())
	e.scope.Scope().CopyTo(sl.Scope())
	e.record.CopyTo(sl.LogRecords().AppendEmpty())
}
