// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// noIssues runs a reader that must find nothing wrong.
func noIssues[T any](t *testing.T, rawQuery string, read func(*Params) T) T {
	t.Helper()
	p := NewParams(rawQuery)
	value := read(p)
	require.NoError(t, p.Err(), rawQuery)
	return value
}

// oneIssue runs a reader that must find one thing wrong, and give the value for none.
func oneIssue[T any](t *testing.T, rawQuery string, read func(*Params) T) Issue {
	t.Helper()
	p := NewParams(rawQuery)
	value := read(p)
	require.Len(t, p.Issues, 1, rawQuery)
	assert.Zero(t, value, rawQuery)
	return p.Issues[0]
}

func TestText(t *testing.T) {
	for rawQuery, want := range map[string]string{
		"a=1": "1", "a=": "", "a": "", "b=1&a=x+y": "x y", "a=x%2By": "x+y", "a=1;2": "1;2", "a=b=c": "b=c", "%61=1": "1", "a=%ff%fe": "\uFFFD", "&a=1&": "1",
	} {
		p := NewParams(rawQuery)
		text, ok := p.Text("a")
		assert.True(t, ok, rawQuery)
		assert.Equal(t, want, text, rawQuery)
		require.NoError(t, p.Err())
	}
	p := NewParams("b=1")
	_, ok := p.Text("a")
	assert.False(t, ok)

	p = NewParams("a=1&a=2")
	_, ok = p.Text("a")
	assert.False(t, ok)
	assert.Equal(t, Issues{WrongType("string", "array", "a")}, p.Issues)
	assert.Equal(t, []string{"1", "2"}, p.Texts("a"))
}

func TestUnreadableQuery(t *testing.T) {
	p := NewParams("a=%zz&b=1&%q=2")
	assert.Equal(t, Issues{
		Custom(`The value cannot be read: invalid URL escape "%zz"`, "a"),
		Custom(`The query of the address cannot be read: invalid URL escape "%q"`),
	}, p.Issues)
	text, ok := p.Text("b")
	assert.True(t, ok)
	assert.Equal(t, "1", text)
}

func TestIsEmpty(t *testing.T) {
	for rawQuery, want := range map[string]bool{"a=": true, "a": true, "": false, "a=1": false, "a=&a=": false} {
		assert.Equal(t, want, NewParams(rawQuery).IsEmpty("a"), rawQuery)
	}
}

func TestList(t *testing.T) {
	for rawQuery, want := range map[string][]string{
		"": nil, "a=": nil, "a=,+,": nil, "a=x": {"x"}, "a=x,+y+,,z": {"x", "y", "z"},
	} {
		assert.Equal(t, want, noIssues(t, rawQuery, func(p *Params) []string { return p.List("a") }), rawQuery)
	}
}

func TestOneOf(t *testing.T) {
	read := func(p *Params) string { return p.OneOf("a", "A", "B") }
	assert.Equal(t, "B", noIssues(t, "a=B", read))
	assert.Empty(t, noIssues(t, "", read))
	for _, rawQuery := range []string{"a=b", "a=", "a=A,B"} {
		assert.Equal(t, NotOneOf([]string{"A", "B"}, "a"), oneIssue(t, rawQuery, read))
	}
}

func TestBool(t *testing.T) {
	for rawQuery, want := range map[string][2]bool{"": {false, false}, "a=true": {true, true}, "a=false": {false, true}} {
		got := noIssues(t, rawQuery, func(p *Params) [2]bool {
			value, ok := p.Bool("a")
			return [2]bool{value, ok}
		})
		assert.Equal(t, want, got, rawQuery)
	}
	for _, rawQuery := range []string{"a=", "a=1", "a=TRUE"} {
		oneIssue(t, rawQuery, func(p *Params) bool { value, _ := p.Bool("a"); return value })
	}
}

func TestNumber(t *testing.T) {
	read := func(p *Params) *float64 { return p.Number("a") }
	for rawQuery, want := range map[string]float64{"a=1": 1, "a=-0.5": -0.5, "a=1e3": 1000, "a=+2": 2, "a=%2B2": 2, "a=.5": 0.5, "a=5.": 5} {
		got := noIssues(t, rawQuery, read)
		require.NotNil(t, got, rawQuery)
		assert.InDelta(t, want, *got, 0, rawQuery)
	}
	assert.Nil(t, noIssues(t, "a=", read))
	assert.Nil(t, noIssues(t, "", read))
	for _, text := range []string{"x", "Infinity", "inf", "nan", "0x1p4", "1_000", "1e999", "1,5", "+"} {
		assert.Equal(t, notANumber("a"), oneIssue(t, "a="+text, read), text)
	}
}

func TestInt(t *testing.T) {
	read := func(p *Params) int { return p.Int("a", 1, 100, 0) }
	for rawQuery, want := range map[string]int{"": 0, "a=": 0, "a=1": 1, "a=100": 100, "a=1e1": 10, "a=7.0": 7} {
		assert.Equal(t, want, noIssues(t, rawQuery, read), rawQuery)
	}
	for text, want := range map[string]Issue{
		"0": TooSmall(OfNumber, 1, "a"), "101": TooBig(OfNumber, 100, "a"), "1e300": TooBig(OfNumber, 100, "a"), "1.5": notAnInteger("a"), "x": notANumber("a"),
	} {
		assert.Equal(t, want, oneIssue(t, "a="+text, read), text)
	}
}

func TestPage(t *testing.T) {
	read := func(p *Params) Page { return p.Page(50) }
	assert.Equal(t, Page{Number: 1, Limit: 50}, noIssues(t, "page=&limit=", read))
	page := noIssues(t, "page=3&limit=20", read)
	assert.Equal(t, 40, page.Offset())
	for _, rawQuery := range []string{"page=0", "limit=0", "limit=101", "page=1e10"} {
		p := NewParams(rawQuery)
		p.Page(50)
		assert.Len(t, p.Issues, 1, rawQuery)
	}
}

func TestTimesOfParams(t *testing.T) {
	strict, lenient, required := func(p *Params) time.Time { return p.Time("a") },
		func(p *Params) time.Time { return p.LenientTime("a") }, func(p *Params) time.Time { return p.RequiredTime("a") }
	noon := time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC)
	for _, read := range []func(*Params) time.Time{strict, lenient, required} {
		assert.Equal(t, noon, noIssues(t, "a=2026-08-22T12:00:00Z", read))
	}
	assert.Zero(t, noIssues(t, "", strict))
	assert.Zero(t, noIssues(t, "", lenient))
	assert.Zero(t, noIssues(t, "a=", lenient))
	assert.Equal(t, notATime("a"), oneIssue(t, "a=", strict))
	assert.Equal(t, notATime("a"), oneIssue(t, "a=", required))
	assert.Equal(t, notATime("a"), oneIssue(t, "a=2026-08-22", strict))
	assert.Equal(t, notADate("a"), oneIssue(t, "a=soon", lenient))
	assert.Equal(t, Missing("string", "a"), oneIssue(t, "", required))
}

func TestNoOtherParams(t *testing.T) {
	p := NewParams("a=1&c=2&b=3&c=4")
	p.Text("a")
	p.NoOthers()
	assert.Equal(t, Issues{UnknownKeys([]string{"b", "c"})}, p.Issues)
	p = NewParams("a=1")
	p.Number("a")
	p.RequiredTime("b")
	p.NoOthers()
	assert.Equal(t, Issues{Missing("string", "b")}, p.Issues)
}

func TestListOf(t *testing.T) {
	read := func(p *Params) []string { return p.ListOf("a", "x", "y") }
	assert.Equal(t, []string{"y", "x"}, noIssues(t, "a=y,+x,", read))
	assert.Empty(t, noIssues(t, "a=", read))
	assert.Empty(t, noIssues(t, "", read))
	assert.Equal(t, NotOneOf([]string{"x", "y"}, "a", 0), oneIssue(t, "a=X", read))
	p := NewParams("a=x,z,y,w")
	assert.Equal(t, []string{"x", "y"}, read(p))
	assert.Equal(t, Issues{NotOneOf([]string{"x", "y"}, "a", 1), NotOneOf([]string{"x", "y"}, "a", 3)}, p.Issues)
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{"1": 1, "-2.5e1": -25, "+.5": 0.5, "1.": 1} {
		number, ok := ParseNumber(text)
		assert.True(t, ok, text)
		assert.InDelta(t, want, number, 0, text)
	}
	for _, text := range []string{"", "x", "NaN", "Infinity", "1e999", "0x10", "1_000", "1 2"} {
		_, ok := ParseNumber(text)
		assert.False(t, ok, text)
	}
}
