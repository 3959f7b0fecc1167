// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/validation"
)

var lists = []List{ListObservations, ListScores, ListExperiments, ListExperimentItems}

func TestCursorRoundTrip(t *testing.T) {
	full := Position{Time: time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC), TraceID: "t/?+ü", ID: "<i>", ExperimentID: "e"}
	for list, want := range map[List]Position{
		ListObservations:    {Time: full.Time, TraceID: full.TraceID, ID: full.ID},
		ListScores:          {Time: full.Time, ID: full.ID},
		ListExperiments:     full,
		ListExperimentItems: full,
	} {
		cursor := EncodeCursor(list, project, full)
		assert.Regexp(t, `^[A-Za-z0-9_-]+$`, cursor, "it stands in an address as it is")
		got, err := DecodeCursor(list, project, cursor)
		require.NoError(t, err)
		assert.Equal(t, want, got)

		padded := base64.StdEncoding.EncodeToString(decoded(t, cursor))
		got, err = DecodeCursor(list, project, padded)
		require.NoError(t, err, "the other alphabet, and padding")
		assert.Equal(t, want, got)
	}
}

func decoded(t *testing.T, cursor string) []byte {
	t.Helper()
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	require.NoError(t, err)
	return text
}

func TestCursorOfAnother(t *testing.T) {
	for _, list := range lists {
		for _, other := range lists {
			_, err := DecodeCursor(other, project, EncodeCursor(list, project, Position{}))
			if other == list {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, "Invalid cursor: it belongs to another list")
			}
		}
		_, err := DecodeCursor(list, "other", EncodeCursor(list, project, Position{}))
		require.EqualError(t, err, "Invalid cursor: it belongs to another project")
	}
}

func TestNoCursor(t *testing.T) {
	for _, text := range []string{"", "!", "a", "bm8ganNvbg", "eyJ2", "e30 ", base64.RawURLEncoding.EncodeToString([]byte("\"\xff\"")), strings.Repeat("A", maxCursorLength+1)} {
		_, err := DecodeCursor(ListObservations, project, text)
		var refusal *validation.Refusal
		require.ErrorAs(t, err, &refusal, "%.50q", text)
		assert.Equal(t, "Invalid cursor format", refusal.Message)
	}
}

func TestCursorOfWrongShape(t *testing.T) {
	const head = `"v":1,"list":"observations","project":"project-1",`
	for text, want := range map[string][]string{ // path and message
		`[]`: {"cursor: Invalid input: expected object, received array"},
		`1`:  {"cursor: Invalid input: expected object, received number"},
		`{` + head + `"lastStartTimeTo":"2026-08-22T10:11:12.123Z","lastTraceId":"t"}`:            {"cursor.lastId: Invalid input: expected string, received undefined"},
		`{` + head + `"lastStartTimeTo":"2026-08-22T10:11:12.123Z","lastTraceId":1,"lastId":"i"}`: {"cursor.lastTraceId: Invalid input: expected string, received number"},
		`{` + head + `"lastStartTimeTo":"yesterday","lastTraceId":"t","lastId":"i"}`:              {"cursor.lastStartTimeTo: Invalid ISO datetime"},
		`{` + head + `"lastTraceId":"t","lastId":null}`: {
			"cursor.lastStartTimeTo: Invalid input: expected string, received undefined",
			"cursor.lastId: Invalid input: expected string, received null",
		},
		strings.Replace(`{`+head+`"lastStartTimeTo":"2026-08-22T10:11:12Z","lastTraceId":"t","lastId":"i"}`, `"v":1`, `"v":2`, 1): {
			"cursor.v: Invalid input: expected version 1 of a cursor",
		},
		// As the service itself writes it.
		`{"lastStartTimeTo":"2026-08-22T10:11:12.123Z","lastTraceId":"t","lastId":"i"}`: {
			"cursor.v: Invalid input: expected number, received undefined",
			"cursor.list: Invalid input: expected string, received undefined",
			"cursor.project: Invalid input: expected string, received undefined",
		},
	} {
		_, err := DecodeCursor(ListObservations, project, base64.RawURLEncoding.EncodeToString([]byte(text)))
		var issues validation.Issues
		require.ErrorAs(t, err, &issues, text)
		var got []string
		for i := range issues {
			got = append(got, issues[i:i+1].Error())
		}
		assert.Equal(t, want, got, text)
	}
}
