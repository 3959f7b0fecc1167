// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A time is one that every engine can hold; and what the strict form allows the lenient one reads alike.
func FuzzTime(f *testing.F) {
	for _, text := range []string{
		"2026-11-15T12:00:00Z", "2026-11-15T12:00:00.123456789+01:00", "2026-11-15T12:00Z", "2026-11-15", "2026", "Nov 15, 2026", "Sun, 15 Nov 2026 12:00:00 GMT",
		"0000-01-01T00:00:00Z", "9999-12-31T23:59:59.9999Z", "0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-11-15T12:00:00,5Z", "1e3", "x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		strict, isStrict := ParseTime(text)
		lenient, isLenient := ParseLenientTime(text)
		if isStrict {
			require.True(t, isLenient)
			require.Equal(t, strict, lenient)
		}
		if isLenient {
			assert.Equal(t, time.UTC, lenient.Location())
			assert.Zero(t, lenient.Nanosecond()%int(time.Millisecond))
			assert.False(t, lenient.IsZero())
			assert.True(t, lenient.Year() >= firstYear && lenient.Year() <= lastYear, lenient)
		}
		if number, ok := ParseNumber(text); ok {
			assert.False(t, math.IsNaN(number) || math.IsInf(number, 0), text)
		}
	})
}

// Whatever a body holds, reading it gives values within their bounds, or issues.
func FuzzObject(f *testing.F) {
	for _, body := range []string{
		`{}`, `{"a":"text"}`, `{"a":7}`, `{"a":7.5}`, `{"a":1e400}`, `{"a":true}`, `{"a":null}`, `{"a":["x",1]}`, `{"a":{"a":[{}]}}`, `{"a":"2026-11-15T12:00:00Z"}`,
		`{"a":1,"a":2}`, `[]`, `null`, `"a"`, `{"a":"\ud800"}`, "{\"a\":\"\xff\"}", `{`, ``,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		o, err := ParseObject(body)
		if o == nil {
			require.Error(t, err)
			return
		}
		if number := o.Int("a", 1, 10); number != nil {
			assert.True(t, *number >= 1 && *number <= 10, *number)
		}
		if number := o.Number("a"); number != nil {
			assert.False(t, math.IsNaN(*number) || math.IsInf(*number, 0))
		}
		if text := o.OptionalText("a", 0, 3); o.Err() == nil {
			assert.LessOrEqual(t, len([]rune(text)), 3)
		}
		o.Bool("a")
		o.OneOf("a", "x", "y")
		o.Time("a")
		o.LenientTime("a")
		o.Texts("a")
		o.Items("a")
		for _, inner := range o.Objects("a") {
			inner.RequiredText("a", 1, 3)
		}
		if inner := o.Object("a"); inner != nil {
			inner.NoOthers()
		}
		o.NoOthers()
		_ = o.Err()
	})
}
