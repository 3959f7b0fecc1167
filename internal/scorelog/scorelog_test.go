// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package scorelog

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/plog"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

const (
	hexTrace = "0af7651916cd43dd8448eb211c80319c"
	hexSpan  = "b7ad6b7169203331"
)

var (
	names = wire.NewNames(wire.DefaultService)
	at    = time.Date(2026, 8, 22, 10, 11, 12, 123456789, time.UTC)
)

func full(change func(*model.Score)) model.Score {
	s := model.Score{
		ID: "s-1", Name: "quality", DataType: model.ScoreNumeric, Number: 0.25, TraceID: hexTrace, ObservationID: hexSpan,
		Source: model.ScoreFromAnnotation, Comment: "good", ConfigID: "c", QueueID: "q", AuthorUserID: "u",
		Environment: "staging", Metadata: `{"big":123456789012345678901234567890}`, Timestamp: at,
	}
	change(&s)
	return s
}

func TestWriteAndReadBack(t *testing.T) {
	for name, score := range map[string]model.Score{
		"numeric on an observation": full(func(*model.Score) {}),
		"boolean":                   full(func(s *model.Score) { s.DataType, s.Number = model.ScoreBoolean, 1 }),
		"categorical":               full(func(s *model.Score) { s.DataType, s.Number, s.Text = model.ScoreCategorical, 0, "good" }),
		"empty category":            full(func(s *model.Score) { s.DataType, s.Number, s.Text = model.ScoreCategorical, 0, "" }),
		"text":                      full(func(s *model.Score) { s.DataType, s.Number, s.Text = model.ScoreText, 0, "long\ntext" }),
		"correction":                full(func(s *model.Score) { s.DataType, s.Number, s.Text = model.ScoreCorrection, 0, "" }),
		"ids that are any text":     full(func(s *model.Score) { s.TraceID, s.ObservationID = "V1StGXR8_Z5j", "obs" }),
		"ids in upper case": full(func(s *model.Score) {
			s.TraceID, s.ObservationID = "0AF7651916CD43DD8448EB211C80319C", "B7AD6B7169203331"
		}),
		"ids that are too long": full(func(s *model.Score) { s.TraceID, s.ObservationID = hexTrace+"00", hexSpan+"00" }),
		"ids of zeros": full(func(s *model.Score) {
			s.TraceID, s.ObservationID = "00000000000000000000000000000000", "0000000000000000"
		}),
		"session":    full(func(s *model.Score) { s.TraceID, s.ObservationID, s.SessionID = "", "", "sess" }),
		"experiment": full(func(s *model.Score) { s.TraceID, s.ObservationID, s.ExperimentID = "", "", "run" }),
		"least": {
			ID: "x", Name: "n", DataType: model.ScoreNumeric, TraceID: hexTrace, Source: model.ScoreFromAPI,
		},
	} {
		t.Run(name, func(t *testing.T) {
			record := plog.NewLogRecord()
			Write(&score, names, record)
			require.True(t, IsScore(record))
			got, err := Read(record, names)
			require.NoError(t, err)
			assert.Equal(t, score, got)
		})
	}
}

func TestWriteUsesTheConventions(t *testing.T) {
	score := full(func(*model.Score) {})
	record := plog.NewLogRecord()
	Write(&score, names, record)
	assert.Equal(t, "gen_ai.evaluation.result", record.EventName())
	assert.Equal(t, hexTrace, record.TraceID().String())
	assert.Equal(t, hexSpan, record.SpanID().String())
	assert.Equal(t, at, record.Timestamp().AsTime())
	assert.Equal(t, map[string]any{
		"gen_ai.evaluation.name": "quality", "gen_ai.evaluation.score.value": 0.25, "gen_ai.evaluation.explanation": "good",
		"langfuse.score.id": "s-1", "langfuse.score.data_type": "NUMERIC", "langfuse.score.source": "ANNOTATION",
		"langfuse.score.config_id": "c", "langfuse.score.queue_id": "q", "langfuse.score.author_user_id": "u",
		"langfuse.score.environment": "staging", "langfuse.score.metadata": `{"big":123456789012345678901234567890}`,
	}, record.Attributes().AsRaw())
}

// event is a plain GenAI evaluation event, as an application without a client library emits it.
func event(t *testing.T, attributes map[string]any) plog.LogRecord {
	t.Helper()
	record := plog.NewLogRecord()
	record.SetEventName("gen_ai.evaluation.result")
	record.SetObservedTimestamp(pcommon.NewTimestampFromTime(at))
	record.SetTraceID(pcommon.TraceID{1})
	record.SetSpanID(pcommon.SpanID{2})
	require.NoError(t, record.Attributes().FromRaw(attributes))
	return record
}

func TestReadPlainEvents(t *testing.T) {
	base := model.Score{
		Name: "relevance", TraceID: "01000000000000000000000000000000", ObservationID: "0200000000000000",
		Source: model.ScoreFromAPI, Timestamp: at,
	}
	with := func(change func(*model.Score)) model.Score {
		s := base
		change(&s)
		return s
	}
	for name, tc := range map[string]struct {
		attributes map[string]any
		want       model.Score
	}{
		"value": {
			map[string]any{attrValue: 0.8, attrExplanation: "why"},
			with(func(s *model.Score) { s.DataType, s.Number, s.Comment = model.ScoreNumeric, 0.8, "why" }),
		},
		"integer value": {
			map[string]any{attrValue: int64(4)},
			with(func(s *model.Score) { s.DataType, s.Number = model.ScoreNumeric, 4 }),
		},
		"boolean value": {
			map[string]any{attrValue: true},
			with(func(s *model.Score) { s.DataType, s.Number = model.ScoreBoolean, 1 }),
		},
		"label": {
			map[string]any{attrLabel: "pass"},
			with(func(s *model.Score) { s.DataType, s.Text = model.ScoreCategorical, "pass" }),
		},
		"value and label": {
			map[string]any{attrValue: 1.0, attrLabel: "pass"},
			with(func(s *model.Score) { s.DataType, s.Number, s.Metadata = model.ScoreNumeric, 1, `{"label":"pass"}` }),
		},
		"value and label, the type decides": {
			map[string]any{attrValue: 1.0, attrLabel: "pass", "langfuse.score.data_type": "CATEGORICAL"},
			with(func(s *model.Score) { s.DataType, s.Text = model.ScoreCategorical, "pass" }),
		},
		"metadata as a map": {
			map[string]any{attrValue: 1.0, "langfuse.score.metadata": map[string]any{"a": int64(1)}},
			with(func(s *model.Score) { s.DataType, s.Number, s.Metadata = model.ScoreNumeric, 1, `{"a":1}` }),
		},
		"metadata as text": {
			map[string]any{attrValue: 1.0, "langfuse.score.metadata": "note"},
			with(func(s *model.Score) { s.DataType, s.Number, s.Metadata = model.ScoreNumeric, 1, `"note"` }),
		},
		"another trace, from inside a span": {
			map[string]any{attrValue: 1.0, "langfuse.score.trace_id": "other"},
			with(func(s *model.Score) {
				s.DataType, s.Number, s.TraceID, s.ObservationID = model.ScoreNumeric, 1, "other", ""
			}),
		},
		"another observation, from inside a span": {
			map[string]any{attrValue: 1.0, "langfuse.score.trace_id": "other", "langfuse.score.observation_id": "obs"},
			with(func(s *model.Score) {
				s.DataType, s.Number, s.TraceID, s.ObservationID = model.ScoreNumeric, 1, "other", "obs"
			}),
		},
		"a session, from inside a span": {
			map[string]any{attrValue: 1.0, "langfuse.score.session_id": "sess"},
			with(func(s *model.Score) {
				s.DataType, s.Number, s.TraceID, s.ObservationID, s.SessionID = model.ScoreNumeric, 1, "", "", "sess"
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.attributes[attrName] = "relevance"
			record := event(t, tc.attributes)
			got, err := Read(record, names)
			require.NoError(t, err)
			assert.Len(t, got.ID, 32)
			tc.want.ID = got.ID
			assert.Equal(t, tc.want, got)

			again, err := Read(record, names)
			require.NoError(t, err)
			assert.Equal(t, got.ID, again.ID, "the id is the same on every attempt")
		})
	}
}

func TestIDsOfDifferentEventsDiffer(t *testing.T) {
	seen := map[string]bool{}
	later := event(t, map[string]any{attrName: "a", attrValue: 1.0})
	later.SetTimestamp(pcommon.NewTimestampFromTime(at.Add(time.Second)))
	score, err := Read(later, names)
	require.NoError(t, err)
	seen[score.ID] = true
	for _, attributes := range []map[string]any{
		{attrName: "a", attrValue: 1.0},
		{attrName: "a", attrValue: 2.0},
		{attrName: "b", attrValue: 1.0},
		{attrName: "a", attrLabel: "1"},
		{attrName: "a", attrValue: 1.0, attrExplanation: "x"},
		{attrName: "a", attrValue: 1.0, "langfuse.score.session_id": "x"},
		{attrName: "a", attrValue: 1.0, "langfuse.score.experiment_id": "x"},
	} {
		score, err := Read(event(t, attributes), names)
		require.NoError(t, err)
		assert.False(t, seen[score.ID], "%v", attributes)
		seen[score.ID] = true
	}
}

func TestReadTellsEverythingThatIsWrong(t *testing.T) {
	for want, attributes := range map[string]map[string]any{
		"a CATEGORICAL score needs `gen_ai.evaluation.score.label`\na score needs a name": {},
		"a NUMERIC score needs `gen_ai.evaluation.score.value`": {
			attrName: "n", attrLabel: "x", "langfuse.score.data_type": "NUMERIC",
		},
		"`gen_ai.evaluation.score.value` must be a number":                    {attrName: "n", attrValue: "0.5"},
		"the value of a BOOLEAN score must be 0 or 1, found 2":                {attrName: "n", attrValue: 2.0, "langfuse.score.data_type": "BOOLEAN"},
		"the source of a score must be API, ANNOTATION or EVAL, found \"ME\"": {attrName: "n", attrValue: 2.0, "langfuse.score.source": "ME"},
		"a score needs exactly one subject: a trace (with or without an observation), a session or an experiment": {
			attrName: "n", attrValue: 2.0, "langfuse.score.session_id": "s", "langfuse.score.experiment_id": "e",
		},
	} {
		_, err := Read(event(t, attributes), names)
		assert.EqualError(t, err, want)
	}
}

func TestIsScore(t *testing.T) {
	record := plog.NewLogRecord()
	assert.False(t, IsScore(record))
	record.Attributes().PutStr("event.name", "gen_ai.evaluation.result")
	assert.True(t, IsScore(record), "emitters from before the field")
	record.SetEventName("other")
	assert.False(t, IsScore(record))
}

func FuzzRead(f *testing.F) {
	f.Add("quality", 0.5, "label", "NUMERIC", "{\"a\":1}", "trace")
	f.Fuzz(func(t *testing.T, name string, value float64, label, dataType, metadata, traceID string) {
		record := event(t, map[string]any{
			attrName: name, attrValue: value, attrLabel: label, "langfuse.score.data_type": dataType,
			"langfuse.score.metadata": metadata, "langfuse.score.trace_id": traceID,
		})
		score, err := Read(record, names)
		if err != nil {
			return
		}
		require.NoError(t, score.Validate())
		again := plog.NewLogRecord()
		Write(&score, names, again)
		got, err := Read(again, names)
		require.NoError(t, err)
		require.Equal(t, score, got)
	})
}
