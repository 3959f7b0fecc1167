// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/store"
)

// fullScore has every field that a score of an observation may have.
func fullScore() model.Score {
	return model.Score{
		ID: "s", Name: "quality", DataType: model.ScoreNumeric, Number: 0.25, TraceID: "trace", ObservationID: "observation",
		Source: model.ScoreFromAPI, Comment: "first", ConfigID: "config", QueueID: "queue", AuthorUserID: "ann", Environment: "production",
		Metadata: `{"a":{"b":1}}`, Timestamp: time.Date(2026, 8, 22, 10, 11, 12, 123e6, time.UTC),
	}
}

// bareScore has what every score must have, and nothing else.
func bareScore() model.Score {
	return model.Score{ID: "s", Name: "quality", DataType: model.ScoreNumeric, Number: 0.25, TraceID: "trace", Source: model.ScoreFromAPI}
}

// scoreMerge tries the rules by which a score is merged into one with the same id, one by one.
func scoreMerge(t *testing.T, s store.Store) {
	later := fullScore().Timestamp.Add(time.Hour)
	for name, tc := range map[string]struct {
		change func(*model.Score) // of what comes second
		want   func(*model.Score) // of what came first
	}{
		"what is not given stays": {func(*model.Score) {}, func(*model.Score) {}},

		"name":        {func(s *model.Score) { s.Name = "new" }, func(s *model.Score) { s.Name = "new" }},
		"number":      {func(s *model.Score) { s.Number = 0.75 }, func(s *model.Score) { s.Number = 0.75 }},
		"zero":        {func(s *model.Score) { s.Number = 0 }, func(s *model.Score) { s.Number = 0 }},
		"source":      {func(s *model.Score) { s.Source = model.ScoreFromEval }, func(s *model.Score) { s.Source = model.ScoreFromEval }},
		"comment":     {func(s *model.Score) { s.Comment = "new" }, func(s *model.Score) { s.Comment = "new" }},
		"config":      {func(s *model.Score) { s.ConfigID = "new" }, func(s *model.Score) { s.ConfigID = "new" }},
		"queue":       {func(s *model.Score) { s.QueueID = "new" }, func(s *model.Score) { s.QueueID = "new" }},
		"author":      {func(s *model.Score) { s.AuthorUserID = "new" }, func(s *model.Score) { s.AuthorUserID = "new" }},
		"observation": {func(s *model.Score) { s.ObservationID = "new" }, func(s *model.Score) { s.ObservationID = "new" }},
		"metadata":    {func(s *model.Score) { s.Metadata = `{"a":{"c":2}}` }, func(s *model.Score) { s.Metadata = `{"a":{"b":1,"c":2}}` }},
		"data type": {
			func(s *model.Score) { s.DataType, s.Number = model.ScoreBoolean, 1 },
			func(s *model.Score) { s.DataType, s.Number = model.ScoreBoolean, 1 },
		},
		"text for a number": {
			func(s *model.Score) { s.DataType, s.Number, s.Text = model.ScoreCategorical, 0, "good" },
			func(s *model.Score) { s.DataType, s.Text = model.ScoreCategorical, "good" },
		},
		"empty text for a number": {
			func(s *model.Score) { s.DataType, s.Number = model.ScoreCategorical, 0 },
			func(s *model.Score) { s.DataType = model.ScoreCategorical },
		},

		"the first trace stays":       {func(s *model.Score) { s.TraceID = "new" }, func(*model.Score) {}},
		"no session beside the trace": {func(s *model.Score) { s.TraceID, s.SessionID = "", "new" }, func(*model.Score) {}},
		"no run beside the trace":     {func(s *model.Score) { s.TraceID, s.ExperimentID = "", "new" }, func(*model.Score) {}},
		"the first environment stays": {func(s *model.Score) { s.Environment = "new" }, func(*model.Score) {}},
		"the first timestamp stays":   {func(s *model.Score) { s.Timestamp = later }, func(*model.Score) {}},
	} {
		for _, inOneCall := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in one call %v", name, inOneCall), func(t *testing.T) {
				f := newFixture(t, s)
				first, second := fullScore(), bareScore()
				tc.change(&second)
				if inOneCall {
					f.writeScores(first, second)
				} else {
					f.writeScores(first)
					f.writeScores(second)
				}
				want := first
				tc.want(&want)
				require.Empty(t, compareScores(want, f.score("s").Score))
				f.sameScores()
			})
		}
	}
	t.Run("what comes later fills gaps", func(t *testing.T) {
		f := newFixture(t, s)
		first := bareScore()
		first.Environment, first.Timestamp = "production", fullScore().Timestamp
		f.writeScores(first)
		f.writeScores(fullScore())
		require.Empty(t, compareScores(fullScore(), f.score("s").Score))
	})
	t.Run("empty text for a text", func(t *testing.T) {
		f := newFixture(t, s)
		score := fullScore()
		score.DataType, score.Number, score.Text = model.ScoreCategorical, 0, "good"
		f.writeScores(score)
		score.Text = ""
		f.writeScores(score)
		require.Empty(t, compareScores(score, f.score("s").Score))
	})
	t.Run("no trace beside the session", func(t *testing.T) {
		f := newFixture(t, s)
		first := bareScore()
		first.TraceID, first.SessionID = "", "session"
		f.writeScores(first)
		f.writeScores(fullScore())
		got := f.score("s")
		require.Equal(t, []string{"", "", "session"}, []string{got.TraceID, got.ObservationID, got.SessionID})
	})
	t.Run("sent again", func(t *testing.T) {
		f := newFixture(t, s)
		f.writeScores(fullScore(), bareScore())
		first := f.score("s")
		for range 3 {
			f.writeScores(fullScore())
			f.writeScores(bareScore(), fullScore())
		}
		require.Equal(t, first, f.score("s"), "nothing has changed, the times included")
	})
	t.Run("metadata", func(t *testing.T) { metadataMerge(t, s) })
	t.Run("many times", func(t *testing.T) {
		f := newFixture(t, s)
		for range 60 {
			f.writeScores(f.rows.Score("b"), f.rows.Score("c"), f.rows.Score("b"))
			f.sameScores()
		}
	})
}

func metadataMerge(t *testing.T, s store.Store) {
	for name, tc := range map[string]struct{ first, second, want string }{
		"new key":              {`{"a":1}`, `{"b":2}`, `{"a":1,"b":2}`},
		"same key":             {`{"a":1}`, `{"a":2}`, `{"a":2}`},
		"deep":                 {`{"a":{"b":{"c":1,"d":2}},"e":3}`, `{"a":{"b":{"d":4,"f":5}}}`, `{"a":{"b":{"c":1,"d":4,"f":5}},"e":3}`},
		"object over scalar":   {`{"a":1}`, `{"a":{"b":2}}`, `{"a":{"b":2}}`},
		"scalar over object":   {`{"a":{"b":2}}`, `{"a":1}`, `{"a":1}`},
		"lists are replaced":   {`{"a":[1,2,3],"l":[{"x":1}]}`, `{"a":[4],"l":[{"y":2}]}`, `{"a":[4],"l":[{"y":2}]}`},
		"null is a value":      {`{"a":{"b":1}}`, `{"a":{"b":null}}`, `{"a":{"b":null}}`},
		"empty string":         {`{"a":"x"}`, `{"a":""}`, `{"a":""}`},
		"empty object":         {`{"a":1}`, `{}`, `{"a":1}`},
		"empty first":          {`{}`, `{"a":1}`, `{"a":1}`},
		"string and number":    {`{"a":"123","b":123}`, `{"a":123,"b":"123"}`, `{"a":123,"b":"123"}`},
		"exact numbers":        {`{"a":9007199254740993,"b":0.1}`, `{"c":18446744073709551615}`, `{"a":9007199254740993,"b":0.1,"c":18446744073709551615}`},
		"dotted is not nested": {`{"a":{"b":1}}`, `{"a.b":2}`, `{"a":{"b":1},"a.b":2}`},
		"odd keys":             {`{"":1,"it's":{"\"":1}}`, `{"":2,"it's":{"ü 😀":2}}`, `{"":2,"it's":{"\"":1,"ü 😀":2}}`},
		"markup":               {`{"a":"<b>&amp;</b>"}`, `{"b":1}`, `{"a":"<b>&amp;</b>","b":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, s)
			first, second := fullScore(), bareScore()
			first.Metadata, second.Metadata = tc.first, tc.second
			f.writeScores(first)
			f.writeScores(second)
			require.Equal(t, canonical(tc.want), canonical(f.score("s").Metadata))
			f.sameScores()
		})
	}
}
