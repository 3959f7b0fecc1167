// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every issue looks as the service shows it.
func TestIssues(t *testing.T) {
	for _, tc := range []struct {
		issue Issue
		want  string
	}{
		{TooBig(OfNumber, 1000, "limit"), `{"origin":"number","code":"too_big","maximum":1000,"inclusive":true,"path":["limit"],"message":"Too big: expected number to be <=1000"}`},
		{TooSmall(OfNumber, 0, "limit"), `{"origin":"number","code":"too_small","minimum":0,"inclusive":true,"path":["limit"],"message":"Too small: expected number to be >=0"}`},
		{TooSmall(OfString, 1, "a"), `{"origin":"string","code":"too_small","minimum":1,"inclusive":true,"path":["a"],"message":"Too small: expected string to have >=1 characters"}`},
		{TooBig(OfArray, 2.5, "a", 3), `{"origin":"array","code":"too_big","maximum":2.5,"inclusive":true,"path":["a",3],"message":"Too big: expected array to have <=2.5 items"}`},
		{Missing("string", "a"), `{"expected":"string","code":"invalid_type","path":["a"],"message":"Invalid input: expected string, received undefined"}`},
		{WrongType("object", "array"), `{"expected":"object","code":"invalid_type","path":[],"message":"Invalid input: expected object, received array"}`},
		{notANumber("a"), `{"expected":"number","code":"invalid_type","received":"NaN","path":["a"],"message":"Invalid input: expected number, received NaN"}`},
		{notAnInteger("a"), `{"expected":"int","format":"safeint","code":"invalid_type","path":["a"],"message":"Invalid input: expected int, received number"}`},
		{NotOneOf([]string{"A", `"B"`}, "a"), `{"code":"invalid_value","values":["A","\"B\""],"path":["a"],"message":"Invalid option: expected one of \"A\"|\"\\\"B\\\"\""}`},
		{NotOneOf([]string{"A"}, "a"), `{"code":"invalid_value","values":["A"],"path":["a"],"message":"Invalid input: expected \"A\""}`},
		{notATime("a"), `{"origin":"string","code":"invalid_format","format":"datetime","path":["a"],"message":"Invalid ISO datetime"}`},
		{notADate("a"), `{"expected":"date","code":"invalid_type","received":"Invalid Date","path":["a"],"message":"Invalid input: expected date, received Date"}`},
		{UnknownKeys([]string{"foo"}), `{"code":"unrecognized_keys","keys":["foo"],"path":[],"message":"Unrecognized key: \"foo\""}`},
		{UnknownKeys([]string{"a", "b"}, "x"), `{"code":"unrecognized_keys","keys":["a","b"],"path":["x"],"message":"Unrecognized keys: \"a\", \"b\""}`},
		{NoSuchVariant("type", "f", 0, "type"), `{"code":"invalid_union","errors":[],"note":"No matching discriminator","discriminator":"type","path":["f",0,"type"],"message":"Invalid input"}`},
		{Custom("text", "a"), `{"code":"custom","path":["a"],"message":"text"}`},
	} {
		got, err := json.Marshal(tc.issue)
		require.NoError(t, err)
		assert.JSONEq(t, tc.want, string(got))
	}
}

func TestIssuesAsError(t *testing.T) {
	require.NoError(t, Issues{}.Err())
	require.NoError(t, Issues(nil).Err())
	err := Issues{Custom("one", "a", 0, "b"), Custom("two")}.Err()
	require.EqualError(t, err, "a.0.b: one; two")
	var refusal *Refusal
	require.ErrorAs(t, Refuse("no %s", "more"), &refusal)
	assert.Equal(t, "no more", refusal.Message)
}

// An answer stays small however much is wrong.
func TestManyIssues(t *testing.T) {
	list := []byte("[0")
	for range 500 {
		list = append(list, ",0"...)
	}
	objects, issues := ParseObjects(append(list, ']'), "filter")
	assert.Len(t, objects, 501)
	require.Len(t, *issues, maxIssues)
	assert.Equal(t, WrongType("object", "number", "filter", 99), (*issues)[99])
}
