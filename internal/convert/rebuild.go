// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/wire"
)

// maxSlots is how many list elements all the paths of one side may create together, so that the attribute
// prompt.999999999 costs nothing.
const maxSlots = 10_001

// rebuild makes a tree of attributes that are paths: "0.content" is the content of the first element of a list.
// Without any usable path it is an empty object.
func (a *attributes) rebuild(f family) wire.Node {
	t := pathTree{slots: maxSlots}
	for i := range a.all {
		if at := &a.all[i]; at.family == f {
			t.root.isList = t.root.isList || startsWithIndex(at.rest)
		}
	}
	accepted := false
	for i := range a.all {
		if at := &a.all[i]; at.family == f {
			accepted = t.set(at.rest, nodeOf(at.value)) || accepted
		}
	}
	if !accepted {
		return objectNode()
	}
	return t.root.node()
}

func startsWithIndex(path string) bool {
	first, _, found := strings.Cut(path, ".")
	return found && isIndex(first)
}

func isIndex(segment string) bool {
	for i := range len(segment) {
		if segment[i] < '0' || segment[i] > '9' {
			return false
		}
	}
	return segment != ""
}

// pathTree is a tree that grows by paths.
type pathTree struct {
	root branch
	// slots is how many list elements may still be created.
	slots int
}

// branch is a list, an object or, when it has a leaf, a value.
type branch struct {
	isList bool
	leaf   *wire.Node
	keys   []string
	items  []*branch
	// index has the places of the keys of an object that has many.
	index map[string]int
}

// set puts a value at the end of a path. It is false, and nothing changes, for a path that cannot be followed or
// that would create too many list elements.
func (t *pathTree) set(path string, value wire.Node) bool {
	if strings.Count(path, ".") >= wire.MaxDepth {
		return false
	}
	segments := strings.Split(path, ".")
	cost, ok := t.cost(segments)
	if !ok || cost > t.slots {
		return false
	}
	t.slots -= cost
	b := &t.root
	for i, segment := range segments[:len(segments)-1] {
		b = b.child(segment, isIndex(segments[i+1]))
	}
	last := b.child(segments[len(segments)-1], false)
	*last = branch{leaf: &value}
	return true
}

// cost is how many list elements a path would create, and whether it can be followed at all.
func (t *pathTree) cost(segments []string) (slots int, ok bool) {
	b, isList := &t.root, t.root.isList
	for i, segment := range segments {
		if isUnsafe(segment) || b != nil && b.leaf != nil {
			return 0, false
		}
		place, found := 0, false
		if isList {
			n, err := strconv.Atoi(segment)
			if err != nil || !isIndex(segment) || n >= maxSlots {
				return 0, false
			}
			length := 0
			if b != nil {
				length = len(b.items)
			}
			slots += max(0, n+1-length)
			place, found = n, n < length && b.items[n] != nil
		} else if b != nil {
			place, found = b.find(segment)
		}
		if found {
			b = b.items[place]
			isList = b.isList
		} else {
			b = nil
			isList = i+1 < len(segments) && isIndex(segments[i+1])
		}
	}
	return slots, true
}

// isUnsafe is true for names that JavaScript gives a meaning; readers written in it must not meet them.
func isUnsafe(segment string) bool {
	return segment == "__proto__" || segment == "constructor" || segment == "prototype"
}

// child is the branch under a segment, made if it is not there.
func (b *branch) child(segment string, isList bool) *branch {
	if b.isList {
		n, _ := strconv.Atoi(segment)
		for len(b.items) <= n {
			b.items = append(b.items, nil)
		}
		if b.items[n] == nil {
			b.items[n] = &branch{isList: isList}
		}
		return b.items[n]
	}
	if place, found := b.find(segment); found {
		return b.items[place]
	}
	made := &branch{isList: isList}
	b.keys = append(b.keys, segment)
	b.items = append(b.items, made)
	if b.index != nil {
		b.index[segment] = len(b.keys) - 1
	}
	return made
}

func (b *branch) find(segment string) (place int, found bool) {
	if b.index == nil && len(b.keys) > linearLimit {
		b.index = make(map[string]int, len(b.keys))
		for i, key := range b.keys {
			b.index[key] = i
		}
	}
	if b.index != nil {
		place, found = b.index[segment]
		return place, found
	}
	for i := range b.keys {
		if b.keys[i] == segment {
			return i, true
		}
	}
	return 0, false
}

// node is the branch as a tree; list elements that no path set are null.
func (b *branch) node() wire.Node {
	if b == nil {
		return wire.Node{}
	}
	if b.leaf != nil {
		return *b.leaf
	}
	node := wire.Node{Kind: wire.Object, Keys: b.keys}
	if b.isList {
		node = wire.Node{Kind: wire.Array}
	}
	node.Items = make([]wire.Node, len(b.items))
	for i, item := range b.items {
		node.Items[i] = item.node()
	}
	return node
}
