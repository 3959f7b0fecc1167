// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/validation"
)

// requireKnownError fails for an error that a caller would not be told.
func requireKnownError(t *testing.T, err error) {
	t.Helper()
	var issues validation.Issues
	var refusal *validation.Refusal
	require.True(t, errors.As(err, &issues) && len(issues) > 0 || errors.As(err, &refusal) && refusal.Message != "", "%v", err)
}

// requireTexts fails for a text that no engine takes.
func requireTexts(t *testing.T, conditions []Condition) {
	t.Helper()
	for i := range conditions {
		c := &conditions[i]
		require.NoError(t, c.Validate())
		for _, text := range append([]string{c.Text, c.Key}, c.Texts...) {
			require.True(t, utf8.ValidString(text), "%q", text)
		}
	}
}

func FuzzFilter(f *testing.F) {
	for _, column := range documented[:3] {
		for _, shape := range shapes {
			operator, _, _ := strings.Cut(shape.operators, "|")
			f.Add(`[{"type":"` + shape.filterType + `","column":"` + column.name + `","operator":"` + operator + `",` + shape.members + `}]`)
		}
	}
	f.Add(`[{"type":"stringObject","column":"metadata","key":"a.b","operator":"matches","value":"x"},{"type":"string","column":"Input","operator":"=","value":"1.50"}]`)
	f.Add(`[{"type":"datetime","column":"startTime","operator":"<=","value":"Sat, 22 Aug 2026 10:11:12 GMT"}]`)
	f.Add(`[null,{"type":null},[[[[]]]],{"type":"null","column":"tags","operator":"is null","value":""}]`)
	f.Fuzz(func(t *testing.T, text string) {
		conditions, err := ParseFilter(text, ObservationFilter, "filter")
		if err != nil {
			requireKnownError(t, err)
			return
		}
		require.LessOrEqual(t, len(conditions), MaxConditions)
		requireTexts(t, conditions)
		from, to := boundsOf(conditions)
		for i := range conditions {
			if c := &conditions[i]; c.Column == ColumnStartTime && !c.Time.IsZero() {
				assert.False(t, from.IsZero() && to.IsZero(), "a bound follows from %v", c)
			}
		}
	})
}

func FuzzCursor(f *testing.F) {
	for _, list := range lists {
		f.Add(EncodeCursor(list, project, Position{Time: time.UnixMilli(1787393472123), TraceID: "t", ID: "i", ExperimentID: "e"}), "t", "i", int64(1))
	}
	f.Add("e30", "", "\x00", int64(-1))
	f.Add("bnVsbA==", "\xff", "ü", int64(253402300799999))
	f.Fuzz(func(t *testing.T, cursor, traceID, id string, ms int64) {
		for _, list := range lists {
			if at, err := DecodeCursor(list, project, cursor); err != nil {
				requireKnownError(t, err)
			} else {
				again, err := DecodeCursor(list, project, EncodeCursor(list, project, at))
				require.NoError(t, err)
				require.Equal(t, at, again)
			}
		}
		key := ObservationKey{Start: time.UnixMilli(ms).UTC(), TraceID: traceID, ID: id}
		inRange := key.Start.Year() >= 1 && key.Start.Year() <= 9999 && !key.Start.IsZero() && len(traceID+id) <= 1000
		if !inRange || !utf8.ValidString(traceID) || !utf8.ValidString(id) {
			return // no stored row has such a key
		}
		request, err := ParseObservations(project, "cursor="+key.Cursor(project))
		require.NoError(t, err)
		require.Equal(t, &key, request.Query.After)
	})
}

func FuzzObservations(f *testing.F) {
	for _, rawQuery := range []string{
		"", "limit=", "limit=7&fields=io,metrics&fields=core", "environment=a&environment=b,c&parentObservationId=", "type=SPAN&level=ERROR",
		"fromStartTime=2026-08-22T10:11:12.123Z&toStartTime=2026-08-23T00:00%2B02:00", "name=%ff;%zz&=&&", "parseIoAsJson=true&isRootObservation=false",
		"cursor=" + (&ObservationKey{TraceID: "t", ID: "i"}).Cursor(project), "expandMetadata=a,%20b",
		"filter=" + url.QueryEscape(`[{"type":"datetime","column":"startTime","operator":">","value":0}]`) + "&fromStartTime=2026-08-22T10:11:12Z",
	} {
		f.Add(rawQuery)
	}
	f.Fuzz(func(t *testing.T, rawQuery string) {
		request, err := ParseObservations(project, rawQuery)
		if err != nil {
			requireKnownError(t, err)
			return
		}
		require.NoError(t, request.Query.Validate())
		requireTexts(t, request.Query.Where)
		again, err := ParseObservations(project, rawQuery)
		require.NoError(t, err)
		require.Equal(t, request, again)
	})
}
