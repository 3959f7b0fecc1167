// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import "time"

// Granularity is the width of a bucket of time, in UTC.
type Granularity string

// The granularities. Weeks begin on Monday.
const (
	GranularityAuto   Granularity = "auto"
	GranularityMinute Granularity = "minute"
	GranularityHour   Granularity = "hour"
	GranularityDay    Granularity = "day"
	GranularityWeek   Granularity = "week"
	GranularityMonth  Granularity = "month"
)

const day = 24 * time.Hour

// Resolve replaces auto by what fits a range of time.
func (g Granularity) Resolve(from, to time.Time) Granularity {
	if g != GranularityAuto {
		return g
	}
	switch span := to.Sub(from); {
	case span < 2*time.Hour:
		return GranularityMinute
	case span < 72*time.Hour:
		return GranularityHour
	case span < 60*day:
		return GranularityDay
	case span < 365*day:
		return GranularityWeek
	default:
		return GranularityMonth
	}
}

// Truncate is the beginning of the bucket of a time.
func (g Granularity) Truncate(t time.Time) time.Time {
	t = t.UTC()
	year, month, date := t.Date()
	switch g {
	case GranularityMinute:
		return time.Date(year, month, date, t.Hour(), t.Minute(), 0, 0, time.UTC)
	case GranularityHour:
		return time.Date(year, month, date, t.Hour(), 0, 0, 0, time.UTC)
	case GranularityWeek:
		return time.Date(year, month, date-(int(t.Weekday())+6)%7, 0, 0, 0, 0, time.UTC)
	case GranularityMonth:
		return time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	default:
		return time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	}
}

// Next is the beginning of the bucket after the one that begins at t.
func (g Granularity) Next(t time.Time) time.Time {
	switch g {
	case GranularityMinute:
		return t.Add(time.Minute)
	case GranularityHour:
		return t.Add(time.Hour)
	case GranularityWeek:
		return t.AddDate(0, 0, 7)
	case GranularityMonth:
		return t.AddDate(0, 1, 0)
	default:
		return t.AddDate(0, 0, 1)
	}
}

// Format is the beginning of a bucket as the answer shows it.
func (g Granularity) Format(t time.Time) string {
	switch g {
	case GranularityMinute, GranularityHour:
		return t.UTC().Format("2006-01-02T15:04:05Z")
	default:
		return t.UTC().Format(time.DateOnly)
	}
}
