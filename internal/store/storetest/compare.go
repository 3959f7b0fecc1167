// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// requireRows ends the test when the rows are not the wanted ones in the wanted order. The times at which rows were
// stored differ between any two stores and are left out.
func requireRows(tb testing.TB, want, got []store.StoredObservation, format string, args ...any) {
	tb.Helper()
	if problems := compareRows(want, got); len(problems) > 0 {
		tb.Fatalf("%s:\n  %s", fmt.Sprintf(format, args...), strings.Join(problems, "\n  "))
	}
}

// maxProblems is how many differences are shown; the first ones tell enough.
const maxProblems = 8

func compareRows(want, got []store.StoredObservation) []string {
	var problems []string
	if len(want) != len(got) {
		problems = append(problems, fmt.Sprintf("%d rows, want %d", len(got), len(want)))
	}
	for i := range min(len(want), len(got)) {
		if compareKeys(keyOf(&want[i].Observation), keyOf(&got[i].Observation)) != 0 {
			return append(problems, fmt.Sprintf("row %d is %s, want %s", i, nameOf(&got[i].Observation), nameOf(&want[i].Observation)))
		}
		for _, difference := range differences(want[i].Observation, got[i].Observation) {
			problems = append(problems, fmt.Sprintf("row %d, %s: %s", i, nameOf(&want[i].Observation), difference))
		}
		if len(problems) >= maxProblems {
			break
		}
	}
	return problems
}

func nameOf(o *model.Observation) string {
	return fmt.Sprintf("%s %s of %s", short(o.TraceID), short(o.ID), o.Start.Format(time.RFC3339Nano))
}

// differences names each field in which an observation or a score is not as it was written.
func differences(want, got any) []string {
	var found []string
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	for i := range w.NumField() {
		name, wantField, gotField := w.Type().Field(i).Name, w.Field(i).Interface(), g.Field(i).Interface()
		switch wantField := wantField.(type) {
		case time.Time:
			got := gotField.(time.Time)
			if !wantField.Equal(got) || got.Location() != time.UTC {
				found = append(found, fmt.Sprintf("%s is %v, want %v", name, got, wantField))
			}
		case model.Experiment, model.Origin:
			for _, difference := range differences(wantField, gotField) {
				found = append(found, name+"."+difference)
			}
		default:
			if strings.HasSuffix(name, "Metadata") {
				wantField, gotField = canonical(wantField.(string)), canonical(gotField.(string))
			}
			if !equal(wantField, gotField) {
				found = append(found, fmt.Sprintf("%s is %s, want %s", name, short(gotField), short(wantField)))
			}
		}
	}
	return found
}

// equal takes an empty list for none.
func equal(want, got any) bool {
	w, g := reflect.ValueOf(want), reflect.ValueOf(got)
	if w.Kind() == reflect.Slice && w.Len() == 0 && g.Len() == 0 {
		return true
	}
	return reflect.DeepEqual(want, got)
}

// short is a value as text, without the middle of a long one.
func short(value any) string {
	if p, ok := value.(*int); ok && p != nil {
		return fmt.Sprintf("&%d", *p)
	}
	text := fmt.Sprintf("%q", fmt.Sprintf("%+v", value))
	if len(text) > 300 {
		return fmt.Sprintf("%s…%s (%d bytes)", text[:140], text[len(text)-140:], len(text))
	}
	return text
}

// canonical is the one JSON text for all texts that mean the same: no blanks, keys sorted, each number just as it was
// written. An empty object is as good as none.
func canonical(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return text
	}
	if object, ok := value.(map[string]any); ok && len(object) == 0 {
		return ""
	}
	return encodeJSON(value)
}

// compareScores names what differs, the times at which the store got them aside. Of number and text only the one that
// is the value counts.
func compareScores(want, got model.Score) []string {
	for _, score := range []*model.Score{&want, &got} {
		if score.DataType.IsNumber() {
			score.Text = ""
		} else {
			score.Number = 0
		}
	}
	return differences(want, got)
}

// requireSameScores ends the test when two stores do not have the same scores with these ids.
func requireSameScores(ctx context.Context, tb testing.TB, s, naive store.Store, project string, ids []string) {
	tb.Helper()
	want, err := naive.ScoresByID(ctx, project, ids)
	require.NoError(tb, err)
	got, err := s.ScoresByID(ctx, project, ids)
	require.NoError(tb, err)
	byID := func(a, b store.StoredScore) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(want, byID)
	slices.SortFunc(got, byID)
	var wantIDs, gotIDs, problems []string
	for _, score := range want {
		wantIDs = append(wantIDs, score.ID)
	}
	for _, score := range got {
		gotIDs = append(gotIDs, score.ID)
	}
	require.Equal(tb, wantIDs, gotIDs, "ids of scores")
	for i := range want {
		for _, difference := range compareScores(want[i].Score, got[i].Score) {
			problems = append(problems, fmt.Sprintf("score %q: %s", want[i].ID, difference))
		}
	}
	require.Empty(tb, problems)
}

// describe is a query as text for a message.
func describe(q query.Observations) string {
	var text strings.Builder
	if !q.From.IsZero() || !q.To.IsZero() {
		fmt.Fprintf(&text, "from %v to %v, ", q.From, q.To)
	}
	for i := range q.Where {
		c := &q.Where[i]
		fmt.Fprintf(&text, "%s %s ", c.Column, c.Operator)
		if c.Key != "" {
			fmt.Fprintf(&text, "key %q ", c.Key)
		}
		fmt.Fprintf(&text, "(text %s texts %s number %v %v time %v bool %v), ", short(c.Text), short(c.Texts), c.Number, c.IsNumber, c.Time, c.Bool)
	}
	fmt.Fprintf(&text, "groups %b, limit %d", q.Groups, q.Limit)
	if q.After != nil {
		fmt.Fprintf(&text, ", after %v", *q.After)
	}
	return text.String()
}
