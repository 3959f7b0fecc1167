// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api // import "github.com/weirhq/weir/receiver/langfusereceiver/internal/api"

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// maxNesting is how deep nestMetadata nests; a longer path stays a key.
const maxNesting = 100

// nestMetadata makes objects of dotted paths again, as readers of the older API know metadata. Where a path leads
// through a value that is no object, it stays a key.
func nestMetadata(flat string) json.RawMessage {
	if flat == "" {
		return emptyObject
	}
	keys, values, ok := membersOf(flat)
	if !ok {
		return json.RawMessage(flat)
	}
	type entry struct {
		key   string
		path  []string
		value json.RawMessage
	}
	entries := make([]entry, len(keys))
	for i, key := range keys {
		entries[i] = entry{key, metadataPath(key), values[i]}
	}
	// Short paths first: so a value has its place before a path that leads through it, and neither is lost.
	slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(len(a.path), len(b.path)) })
	root := newNest()
	for _, e := range entries {
		if len(e.path) > maxNesting || !root.put(e.path, e.value) {
			root.put([]string{e.key}, e.value)
		}
	}
	return root.append(nil)
}

// metadataPath splits a key at its dots. The names of attributes have dots of their own, and stay whole.
func metadataPath(key string) []string {
	for _, prefix := range []string{"resourceAttributes.", "attributes."} {
		if rest, ok := strings.CutPrefix(key, prefix); ok {
			return []string{strings.TrimSuffix(prefix, "."), rest}
		}
	}
	if rest, ok := strings.CutPrefix(key, "scope.attributes."); ok {
		return []string{"scope", "attributes", rest}
	}
	return strings.Split(key, ".")
}

// nest is an object that keeps the order of its members, or a value.
type nest struct {
	value   json.RawMessage // nil for an object
	keys    []string
	members map[string]*nest
}

func newNest() *nest { return &nest{members: map[string]*nest{}} }

// put adds a value at a path; false when something is in the way.
func (n *nest) put(path []string, value json.RawMessage) bool {
	at := n
	for i, key := range path {
		member, there := at.members[key]
		isLast := i == len(path)-1
		switch {
		case isLast && !there:
			at.add(key, &nest{value: value})
			return true
		case isLast, there && member.value != nil:
			return false
		case !there:
			member = newNest()
			at.add(key, member)
		}
		at = member
	}
	return false
}

func (n *nest) add(key string, member *nest) {
	n.keys = append(n.keys, key)
	n.members[key] = member
}

func (n *nest) append(dst []byte) []byte {
	if n.value != nil {
		return append(dst, n.value...)
	}
	dst = append(dst, '{')
	for i, key := range n.keys {
		dst = n.members[key].append(appendKey(dst, i, key))
	}
	return append(dst, '}')
}
