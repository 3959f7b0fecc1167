// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"slices"
	"strconv"

	"github.com/weirhq/weir/internal/wire"
)

// decoder reads the JSON that every span has, in memory that the next span uses again.
type decoder struct{ wire.Decoder }

// value reads text that is JSON.
func (d *decoder) value(text string) (node wire.Node, ok bool) {
	return d.TryDecode(text, wire.DefaultLimits)
}

// container reads text that is a JSON object or list.
func (d *decoder) container(text string) (node wire.Node, ok bool) {
	if !startsContainer(text) {
		return wire.Node{}, false
	}
	return d.value(text)
}

// object reads text that is a JSON object.
func (d *decoder) object(text string) (node wire.Node, ok bool) {
	node, ok = d.container(text)
	return node, ok && node.Kind == wire.Object
}

// decode reads text that is JSON, into memory of its own.
func decode(text string) (node wire.Node, ok bool) {
	return new(decoder).value(text)
}

// decodeContainer reads text that is a JSON object or list.
func decodeContainer(text string) (node wire.Node, ok bool) {
	return new(decoder).container(text)
}

// decodeObject reads text that is a JSON object.
func decodeObject(text string) (node wire.Node, ok bool) {
	return new(decoder).object(text)
}

func startsContainer(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
		default:
			return text[i] == '{' || text[i] == '['
		}
	}
	return false
}

// member is the value under a key of an object: the last one, should the key be repeated.
func member(node wire.Node, key string) (value wire.Node, ok bool) {
	if node.Kind != wire.Object {
		return wire.Node{}, false
	}
	for i, k := range slices.Backward(node.Keys) {
		if k == key {
			return node.Items[i], true
		}
	}
	return wire.Node{}, false
}

// firstMember is the value under the first of the keys that has one other than null.
func firstMember(node wire.Node, keys ...string) (value wire.Node, ok bool) {
	for _, key := range keys {
		if value, ok := member(node, key); ok && value.Kind != wire.Null {
			return value, true
		}
	}
	return wire.Node{}, false
}

// memberText is the text under the first of the keys that has some.
func memberText(node wire.Node, keys ...string) string {
	for _, key := range keys {
		if value, ok := member(node, key); ok && value.Kind == wire.String && value.Text != "" {
			return value.Text
		}
	}
	return ""
}

// setMember sets the value under a key, at the place of an earlier one.
func setMember(node *wire.Node, key string, value wire.Node) {
	for i := range node.Keys {
		if node.Keys[i] == key {
			node.Items[i] = value
			return
		}
	}
	node.Keys = append(node.Keys, key)
	node.Items = append(node.Items, value)
}

func objectNode() wire.Node { return wire.Node{Kind: wire.Object} }

func isTruthyNode(node wire.Node) bool {
	switch node.Kind {
	case wire.Null:
		return false
	case wire.Bool:
		return node.Bool
	case wire.String:
		return node.Text != ""
	case wire.Number:
		f, err := strconv.ParseFloat(node.Text, 64)
		return err != nil || f != 0
	default:
		return true
	}
}

// nodeText is a tree as text: strings as they are, null as nothing, everything else as compact JSON.
func nodeText(node wire.Node) string {
	switch node.Kind {
	case wire.Null:
		return ""
	case wire.String, wire.Number:
		return node.Text
	default:
		return jsonText(node)
	}
}

// jsonText is a tree as compact JSON.
func jsonText(node wire.Node) string {
	var small [256]byte
	return string(wire.AppendNode(small[:0], node))
}
