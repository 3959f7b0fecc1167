// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
)

// status sets the level and the message that goes with it.
func (s *span) status(o *model.Observation) {
	o.Level = s.level()
	if s.notNull(keyStatusMessage) {
		o.StatusMessage = s.text(keyStatusMessage)
	} else {
		o.StatusMessage = clean(s.otlp.Status().Message())
	}
	if o.StatusMessage == "" {
		o.StatusMessage = exceptionMessage(s.otlp.Events())
	}
}

func (s *span) level() model.Level {
	if level, ok := parseLevel(s.str(keyLevel)); ok {
		return level
	}
	switch {
	case s.otlp.Status().Code() == ptrace.StatusCodeError:
		return model.LevelError
	case s.scope.name == scopeLiveKit && isLiveKitDetail(s.otlp.Name()):
		return model.LevelDebug
	default:
		return model.LevelDefault
	}
}

// parseLevel reads a level in the words of any logging library.
func parseLevel(text string) (level model.Level, ok bool) {
	if text == "" {
		return "", false
	}
	switch strings.ToUpper(strings.TrimSpace(text)) {
	case "DEBUG", "TRACE", "VERBOSE":
		return model.LevelDebug, true
	case "DEFAULT", "INFO", "LOG", "NOTICE", "OK", "SUCCESS":
		return model.LevelDefault, true
	case "WARNING", "WARN":
		return model.LevelWarning, true
	case "ERROR", "FATAL", "CRITICAL":
		return model.LevelError, true
	default:
		return "", false
	}
}

// isLiveKitDetail is true for spans of LiveKit that only matter to those who look for a fault in it.
func isLiveKitDetail(name string) bool {
	switch name {
	case "user_speaking", "eou_detection", "llm_request_run", "tts_node", "tts_request", "tts_request_run",
		"tts_stream_adapter", "agent_speaking", "drain_agent_activity", "on_exit", "on_enter", "llm_fallback_adapter",
		"tts_fallback_adapter", "start_agent_activity":
		return true
	default:
		return false
	}
}

// exceptionMessage is what the last exception says: the one that most likely ended the span.
func exceptionMessage(events ptrace.SpanEventSlice) string {
	for i := events.Len() - 1; i >= 0; i-- {
		event := events.At(i)
		if event.Name() != eventException {
			continue
		}
		kind, message := eventText(event, "exception.type"), eventText(event, "exception.message")
		if kind != "" && message != "" {
			return kind + ": " + message
		}
		return kind + message
	}
	return ""
}

func eventText(event ptrace.SpanEvent, name string) string {
	if v, ok := event.Attributes().Get(name); ok && v.Type() == pcommon.ValueTypeStr {
		return clean(v.Str())
	}
	return ""
}
