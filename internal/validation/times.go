// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation // import "github.com/weirhq/weir/internal/validation"

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// isoTime is the form of times that most parameters want; what time.Parse takes beyond it (a comma before the
// fraction, one digit for the hour) is refused.
var isoTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$`)

// ParseTime reads a time in the strict form: date, T, time, and a zone. The answer is in UTC, at whole milliseconds,
// since that is how times are stored and compared.
func ParseTime(text string) (_ time.Time, ok bool) {
	if len(text) > 64 || !isoTime.MatchString(text) {
		return time.Time{}, false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00"} {
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
			return inMilliseconds(t)
		}
	}
	return time.Time{}, false
}

// lenientLayouts are forms of a time that browsers and Node read; those without a zone are UTC, which is what they are
// on a server.
var lenientLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00",
	"2006-01-02", "2006-01", "2006",
	"2006-01-02T15:04:05.999999999", "2006-01-02T15:04",
	"2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04",
	"2006-01-02T15:04:05.999999999-0700", "2006/01/02 15:04:05", "2006/01/02",
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC,
	"Mon Jan _2 2006 15:04:05 GMT-0700", "Jan 2, 2006 15:04:05", "Jan 2, 2006", "2 Jan 2006", "January 2, 2006",
}

// ParseLenientTime reads a time as the date type of JavaScript does, for parameters whose callers rely on that.
func ParseLenientTime(text string) (_ time.Time, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 64 {
		return time.Time{}, false
	}
	for _, layout := range lenientLayouts {
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil && hasKnownZone(t) {
			return inMilliseconds(t)
		}
	}
	return time.Time{}, false
}

// hasKnownZone is false for a time with an abbreviation of which nobody knows what it stands for: Go takes it for UTC.
func hasKnownZone(t time.Time) bool {
	name, offset := t.Zone()
	return name == "" || name == "UTC" || name == "GMT" || offset != 0
}

// parseEpoch reads a number as the milliseconds since 1970.
func parseEpoch(number string) (_ time.Time, ok bool) {
	ms, err := strconv.ParseFloat(number, 64)
	if err != nil || math.Abs(ms) > 8.64e15 {
		return time.Time{}, false
	}
	return inMilliseconds(time.UnixMilli(int64(ms)))
}

// The years that every engine can hold.
const firstYear, lastYear = 1, 9999

func inMilliseconds(t time.Time) (_ time.Time, ok bool) {
	t = t.UTC().Truncate(time.Millisecond)
	if t.IsZero() {
		t = t.Add(time.Millisecond) // the zero time means that there is none
	}
	return t, t.Year() >= firstYear && t.Year() <= lastYear
}

func notATime(path ...any) Issue {
	return Issue{Code: "invalid_format", Origin: OfString, Format: "datetime", Path: Path(path...), Message: "Invalid ISO datetime"}
}

func notADate(path ...any) Issue {
	return Issue{
		Code: "invalid_type", Expected: "date", Received: "Invalid Date", Path: Path(path...),
		Message: "Invalid input: expected date, received Date",
	}
}
