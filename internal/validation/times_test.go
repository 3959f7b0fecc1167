// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestParseTime(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-08-22T10:11Z":           time.Date(2026, 8, 22, 10, 11, 0, 0, time.UTC),
		"2026-08-22T10:11+02:00":      time.Date(2026, 8, 22, 8, 11, 0, 0, time.UTC),
		"2026-08-22T10:11:12Z":        time.Date(2026, 8, 22, 10, 11, 12, 0, time.UTC),
		"2026-08-22T10:11:12.1Z":      time.Date(2026, 8, 22, 10, 11, 12, 100e6, time.UTC),
		"2026-08-22T10:11:12.123999Z": time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC),
		"1969-12-31T23:59:59.999999Z": time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.UTC),
		"2024-02-29T00:00:00-12:30":   time.Date(2024, 2, 29, 12, 30, 0, 0, time.UTC),
		"0001-01-01T00:00:00Z":        time.Date(1, 1, 1, 0, 0, 0, 1e6, time.UTC), // the zero time is none
		"9999-12-31T23:59:59.999Z":    time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC),
	} {
		got, ok := ParseTime(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{
		"", " ", "2026", "2026-08-22", "2026-08-22T10Z", "2026-08-22T10:11", "2026-08-22T10:11:12", "2026-08-22T10:11:12+0000", "2026-08-22T10:11:12+00",
		"2026-08-22 10:11:12Z", "2026-08-22t10:11:12Z", "2026-08-22T10:11:12z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
		"2026-08-22T24:00:00Z", "2026-08-22T10:60:00Z", "2026-08-22T10:11:12,5Z", "2026-08-22T1:11:12Z", "2026-08-22T10:11:12.Z", " 2026-08-22T10:11:12Z",
		"2026-08-22T10:11:12Z\n", "12026-08-22T10:11:12Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
		"2026-08-22T10:11:12." + strings.Repeat("0", 100) + "Z",
	} {
		_, ok := ParseTime(text)
		assert.False(t, ok, text)
	}
}

func TestParseLenientTime(t *testing.T) {
	day := time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC)
	second := day.Add(10*time.Hour + 11*time.Minute + 12*time.Second)
	for text, want := range map[string]time.Time{
		"2026": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), "2026-08": time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC),
		"2026-08-22": day, "2026/08/22": day, "Aug 22, 2026": day, "August 22, 2026": day, "22 Aug 2026": day,
		"2026-08-22T10:11:12": second, "2026-08-22T10:11:12Z": second, " 2026-08-22 10:11:12 ": second, "2026-08-22T12:11:12+02:00": second,
		"2026-08-22T12:11:12+0200": second, "2026-08-22 10:11:12Z": second, "2026-08-22T10:11:12+00:00": second,
		"Sat, 22 Aug 2026 10:11:12 GMT": second, "Sat, 22 Aug 2026 12:11:12 +0200": second, "Sat Aug 22 2026 12:11:12 GMT+0200": second,
		"2026-08-22T10:11:12.123456": second.Add(123 * time.Millisecond),
	} {
		got, ok := ParseLenientTime(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "soon", "2026-02-30", "Sat, 22 Aug 2026 10:11:12 EST", "1787393472123", strings.Repeat(" ", 10) + strings.Repeat("2", 65)} {
		_, ok := ParseLenientTime(text)
		assert.False(t, ok, text)
	}
}
