// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// object parses an object that must be one.
func object(t *testing.T, text string, path ...any) *Object {
	t.Helper()
	o, err := ParseObject([]byte(text), path...)
	require.NoError(t, err)
	return o
}

const everything = ` { "text" : "ä" , "empty":"","number":1.5,"int":7,"yes":true,"no":false,"null":null,"list":["a","b"],"none":[],
	"object":{"a":{"b":1}},"objects":[{"a":1},{"a":"x"}],"time":"2026-08-22T10:11:12Z","date":"2026-08-22","ms":1787393472123 } `

func TestMembers(t *testing.T) {
	o := object(t, everything)
	assert.Equal(t, "ä", o.Text("text"))
	assert.Equal(t, "ä", o.RequiredText("text", 1, 1), "length is counted in characters")
	assert.Equal(t, "ä", o.OptionalText("text", 0, 9))
	assert.Equal(t, "ä", o.OneOf("text", "ä", "b"))
	assert.Equal(t, "ä", o.RequiredOneOf("text", "ä", "b"))
	assert.InDelta(t, 1.5, *o.Number("number"), 0)
	assert.Equal(t, 7, *o.Int("int", 0, 10))
	assert.True(t, *o.Bool("yes"))
	assert.False(t, *o.Bool("no"))
	assert.Equal(t, []string{"a", "b"}, o.Texts("list"))
	assert.Equal(t, []string{}, o.Texts("none"))
	assert.Equal(t, json.RawMessage(`{"a":{"b":1}}`), o.Raw("object"))
	assert.Equal(t, time.Date(2026, 8, 22, 10, 11, 12, 0, time.UTC), o.Time("time"))
	assert.Equal(t, time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC), o.LenientTime("date"))
	assert.Equal(t, time.UnixMilli(1787393472123).UTC(), o.LenientTime("ms"))
	assert.Equal(t, 1, *o.Object("object").Object("a").Int("b", 0, 1))
	assert.Len(t, o.Objects("objects"), 2)
	require.NoError(t, o.Err())
}

// What is absent, or null, is wrong only where something is required.
func TestAbsentMembers(t *testing.T) {
	o := object(t, everything)
	for _, name := range []string{"null", "absent"} {
		assert.False(t, o.Has(name))
		assert.Equal(t, name == "null", o.IsNull(name))
		assert.Empty(t, o.Text(name))
		assert.Empty(t, o.OptionalText(name, 1, 2))
		assert.Empty(t, o.OneOf(name, "a"))
		assert.Nil(t, o.Number(name))
		assert.Nil(t, o.Int(name, 0, 1))
		assert.Nil(t, o.Bool(name))
		assert.Nil(t, o.Texts(name))
		assert.Nil(t, o.Raw(name))
		assert.Zero(t, o.Time(name))
		assert.Zero(t, o.LenientTime(name))
		assert.Nil(t, o.Object(name))
		assert.Nil(t, o.Objects(name))
	}
	require.NoError(t, o.Err())
	o.RequiredText("absent", 0, 1)
	o.Required("null", "number")
	o.RequiredOneOf("absent", "a")
	assert.Equal(t, Issues{Missing("string", "absent"), WrongType("number", "null", "null"), NotOneOf([]string{"a"}, "absent")}, o.Err())
}

func TestWrongMembers(t *testing.T) {
	for _, tc := range []struct {
		read func(*Object)
		want Issue
	}{
		{func(o *Object) { o.Text("number") }, WrongType("string", "number", "at", "number")},
		{func(o *Object) { o.RequiredText("list", 0, 1) }, WrongType("string", "array", "at", "list")},
		{func(o *Object) { o.RequiredText("empty", 1, 2) }, TooSmall(OfString, 1, "at", "empty")},
		{func(o *Object) { o.OptionalText("date", 1, 2) }, TooBig(OfString, 2, "at", "date")},
		{func(o *Object) { o.OneOf("text", "a") }, NotOneOf([]string{"a"}, "at", "text")},
		{func(o *Object) { o.RequiredOneOf("number", "a") }, NotOneOf([]string{"a"}, "at", "number")},
		{func(o *Object) { o.Number("text") }, WrongType("number", "string", "at", "text")},
		{func(o *Object) { o.Int("number", 0, 9) }, notAnInteger("at", "number")},
		{func(o *Object) { o.Int("int", 8, 9) }, TooSmall(OfNumber, 8, "at", "int")},
		{func(o *Object) { o.Int("int", 0, 6) }, TooBig(OfNumber, 6, "at", "int")},
		{func(o *Object) { o.Bool("text") }, WrongType("boolean", "string", "at", "text")},
		{func(o *Object) { o.Time("date") }, notATime("at", "date")},
		{func(o *Object) { o.Time("ms") }, WrongType("string", "number", "at", "ms")},
		{func(o *Object) { o.LenientTime("text") }, notADate("at", "text")},
		{func(o *Object) { o.LenientTime("yes") }, notADate("at", "yes")},
		{func(o *Object) { o.Texts("object") }, WrongType("array", "object", "at", "object")},
		{func(o *Object) { o.Texts("objects") }, WrongType("string", "object", "at", "objects", 0)},
		{func(o *Object) { o.Object("list") }, WrongType("object", "array", "at", "list")},
		{func(o *Object) { o.Objects("list") }, WrongType("object", "string", "at", "list", 0)},
		{func(o *Object) { o.Objects("objects")[1].Number("a") }, WrongType("number", "string", "at", "objects", 1, "a")},
	} {
		o := object(t, everything, "at")
		tc.read(o)
		require.NotEmpty(t, *o.issues)
		assert.Equal(t, tc.want, (*o.issues)[0])
	}
}

func TestLargeNumbers(t *testing.T) {
	o := object(t, `{"a":1e999,"b":1e300}`)
	assert.Nil(t, o.Number("a"))
	assert.Nil(t, o.Int("b", 0, 10))
	assert.Zero(t, o.LenientTime("b"))
	assert.Equal(t, Issues{notANumber("a"), TooBig(OfNumber, 10, "b"), notADate("b")}, o.Err())
}

func TestNoOthers(t *testing.T) {
	o := object(t, `{"a":1,"c":2,"b":{"x":1}}`)
	o.Number("a")
	o.Object("b").NoOthers()
	o.NoOthers()
	assert.Equal(t, Issues{UnknownKeys([]string{"x"}, "b"), UnknownKeys([]string{"c"})}, o.Err())
}

func TestNoObject(t *testing.T) {
	for text, received := range map[string]string{`[]`: "array", `"x"`: "string", `1`: "number", `-1`: "number", `true`: "boolean", `null`: "null"} {
		_, err := ParseObject([]byte(text))
		assert.Equal(t, Issues{WrongType("object", received)}, err, text)
	}
	for _, text := range []string{"", "{", "{}x", "{'a':1}"} {
		_, err := ParseObject([]byte(text))
		var refusal *Refusal
		require.ErrorAs(t, err, &refusal, text)
		assert.Equal(t, "Invalid JSON", refusal.Message)
	}
}

func TestParseObjects(t *testing.T) {
	objects, issues := ParseObjects([]byte(`[{"a":1},2]`), "x")
	assert.Len(t, objects, 2)
	assert.Equal(t, Issues{WrongType("object", "number", "x", 1)}, issues.Err())
	objects[0].Text("a")
	assert.Equal(t, []any{"x", 0, "a"}, (*issues)[1].Path, "objects of a list share the issues")

	_, issues = ParseObjects([]byte(`{`), "x")
	assert.Equal(t, Issues{Custom("Invalid JSON", "x")}, issues.Err())
	_, issues = ParseObjects([]byte(`{}`), "x")
	assert.Equal(t, Issues{WrongType("array", "object", "x")}, issues.Err())
	objects, issues = ParseObjects([]byte(` [] `), "x")
	assert.Empty(t, objects)
	require.NoError(t, issues.Err())
}

func TestNames(t *testing.T) {
	o, err := ParseObject([]byte(`{"b":null,"a":{"c":1}}`))
	require.NoError(t, err)
	assert.Equal(t, []string{"a", "b"}, o.Names())
	assert.Empty(t, (&Object{}).Names())
}
