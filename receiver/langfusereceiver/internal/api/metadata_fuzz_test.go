// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Metadata is shown as JSON, in every form in which it is shown, and no value of it is lost.
func FuzzMetadata(f *testing.F) {
	for _, flat := range []string{
		`{"a.b":1,"a.c":"x","a":2}`, `{"a":1,"a.b":2,"a.b.c":3}`, `{"":1,".":2,"..":3}`, `{"resourceAttributes.service.name":"s","scope.attributes.a.b":1,"attributes.x.y":null}`,
		`{"a":[1,{"b":2}],"big":9007199254740993}`, `{}`, ``, `null`, `[]`, `{"a":1} x`, `{"a":1`, `{"a.a":1,"a.a":2}`,
	} {
		f.Add(flat)
	}
	f.Fuzz(func(t *testing.T, flat string) {
		keys, _, ok := membersOf(flat)
		if !ok || !json.Valid([]byte(flat)) || hasTwice(keys) {
			return // what is stored is an object with no key twice
		}
		nested := nestMetadata(flat)
		assert.True(t, json.Valid(nested), "%s", nested)
		assert.Equal(t, leaves(t, []byte(flat)), leaves(t, nested), "%s", nested)
	})
}

func hasTwice(keys []string) bool {
	seen := map[string]bool{}
	for _, key := range keys {
		if seen[key] {
			return true
		}
		seen[key] = true
	}
	return false
}

// leaves counts the values that are no objects.
func leaves(t *testing.T, text []byte) (count int) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if !assert.NoError(t, decoder.Decode(&value)) {
		return -1
	}
	var walk func(any)
	walk = func(value any) {
		object, isObject := value.(map[string]any)
		if !isObject {
			count++
			return
		}
		for _, member := range object {
			walk(member)
		}
	}
	walk(value)
	return count
}
