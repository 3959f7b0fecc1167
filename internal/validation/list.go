// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package validation // import "github.com/weirhq/weir/internal/validation"

import "encoding/json"

// ParseObjects reads a JSON list of objects that stands at a path. Text that is no JSON gives an issue; the caller may
// have a better word for that and test it before.
func ParseObjects(text []byte, path ...any) ([]*Object, *Issues) {
	issues := &Issues{}
	var items []json.RawMessage
	switch {
	case !json.Valid(text):
		issues.add(Custom("Invalid JSON", path...))
	case TypeOf(text) != "array":
		issues.add(WrongType("array", TypeOf(text), path...))
	default:
		_ = json.Unmarshal(text, &items) // it is a valid list
	}
	objects := make([]*Object, len(items))
	for i, raw := range items {
		at := make([]any, 0, len(path)+1)
		objects[i] = newObject(raw, issues, append(append(at, path...), i))
	}
	return objects, issues
}

// ParseList reads a body that must be a list of objects. Text that is no JSON is refused as a whole.
func ParseList(body []byte) ([]*Object, error) {
	if !json.Valid(body) {
		return nil, Refuse("Invalid JSON")
	}
	objects, issues := ParseObjects(body)
	return objects, issues.Err()
}
