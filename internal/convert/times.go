// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"math"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// times sets the times, cut to milliseconds. A span that lacks one of its ends has both at the other one; OTLP writes
// a missing time as zero.
func (s *span) times(o *model.Observation) {
	start, end := s.otlp.StartTimestamp(), s.otlp.EndTimestamp()
	switch {
	case start == 0 && end == 0:
		start = pcommon.NewTimestampFromTime(s.converter.settings.Now())
		end = start
	case start == 0:
		start = end
	case end == 0:
		end = start
	}
	o.Start, o.End = milliseconds(start), milliseconds(end)
	o.CompletionStart = s.completionStart(o.Start)
}

func milliseconds(t pcommon.Timestamp) time.Time {
	return time.UnixMilli(int64(t / 1e6)).UTC()
}

// completionStart is when the first piece of output came: as the client says, or by the delay that the AI SDK tells.
func (s *span) completionStart(start time.Time) time.Time {
	if t, ok := parseDate(s.get(keyCompletionStartTime)); ok {
		return t
	}
	delay, ok := floatOf(s.firstNotNull(keyAIResponseFirstChunk, keyAIStreamFirstChunk))
	if !ok || math.Abs(delay) > float64(maxDelay.Milliseconds()) {
		return time.Time{}
	}
	return start.Add(time.Duration(math.Ceil(delay)) * time.Millisecond)
}

// maxDelay bounds what is believed of a delay.
const maxDelay = 365 * 24 * time.Hour

// dateLayouts are the ways in which clients write times; a fraction of the second fits into each. Without a zone it is
// UTC.
var dateLayouts = [...]string{
	time.RFC3339,
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02 15:04",
	time.DateOnly,
	time.RFC1123,
	time.RFC1123Z,
}

// parseDate reads a time: as text, as the JSON text of it, which some clients send, or as milliseconds since 1970.
func parseDate(v pcommon.Value) (t time.Time, ok bool) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return parseDateText(v.Str())
	case pcommon.ValueTypeInt, pcommon.ValueTypeDouble:
		f, ok := floatOf(v)
		return dateOfMilliseconds(f, ok)
	default:
		return time.Time{}, false
	}
}

func parseDateText(text string) (t time.Time, ok bool) {
	text = strings.TrimSpace(text)
	if content, ok := wire.Unquote(text); ok {
		text = strings.TrimSpace(content)
	} else if n, ok := parseWhole(text); ok {
		return dateOfMilliseconds(float64(n), ok)
	}
	return parseDateLayouts(text)
}

func parseDateLayouts(text string) (t time.Time, ok bool) {
	if len(text) < len("2006-01-02") || len(text) > len("2006-01-02T15:04:05.123456789+00:00")+8 {
		return time.Time{}, false
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return checkedDate(t)
		}
	}
	return time.Time{}, false
}

func dateOfMilliseconds(f float64, ok bool) (time.Time, bool) {
	if !ok || math.Abs(f) > 8.64e15 {
		return time.Time{}, false
	}
	return checkedDate(time.UnixMilli(int64(f)))
}

// checkedDate cuts to milliseconds and refuses years that no store can hold.
func checkedDate(t time.Time) (_ time.Time, ok bool) {
	t = t.UTC().Truncate(time.Millisecond)
	return t, t.Year() > 0 && t.Year() < 10_000
}
