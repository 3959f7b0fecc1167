// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/wire"
)

// decode reads text that is JSON.
func decode(text string) (node wire.Node, ok bool) {
	return wire.TryDecode(text, wire.DefaultLimits)
}

// decodeContainer reads text that is a JSON object or list.
func decodeContainer(text string) (node wire.Node, ok bool) {
	if !startsContainer(text) {
		return wire.Node{}, false
	}
	return decode(text)
}

// decodeObject reads text that is a JSON object.
func decodeObject(text string) (node wire.Node, ok bool) {
	node, ok = decodeContainer(text)
	return node, ok && node.Kind == wire.Object
}

func startsContainer(text string) bool {
	text = strings.TrimLeft(text, " \t\n\r")
	return text != "" && (text[0] == '{' || text[0] == '[')
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
	return string(appendNode(small[:0], node))
}

// appendNode appends a tree as compact JSON. Numbers stay as they were written, however long.
func appendNode(dst []byte, node wire.Node) []byte {
	switch node.Kind {
	case wire.Bool:
		return strconv.AppendBool(dst, node.Bool)
	case wire.Number:
		return appendNumber(dst, node.Text)
	case wire.String:
		return wire.AppendString(dst, node.Text)
	case wire.Array:
		dst = append(dst, '[')
		for i := range node.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendNode(dst, node.Items[i])
		}
		return append(dst, ']')
	case wire.Object:
		return appendObject(dst, node)
	default:
		return append(dst, "null"...)
	}
}

// appendObject writes each key once, with its last value.
func appendObject(dst []byte, node wire.Node) []byte {
	repeated := repeatedKeys(node.Keys)
	dst = append(dst, '{')
	first := true
	for i, key := range node.Keys {
		if repeated != nil && repeated[key] != i {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = wire.AppendString(dst, key)
		dst = append(dst, ':')
		dst = appendNode(dst, node.Items[i])
	}
	return append(dst, '}')
}

// repeatedKeys gives the last place of each key if a key is repeated, else nil. It allocates only for large objects.
func repeatedKeys(keys []string) map[string]int {
	if len(keys) <= linearLimit {
		repeated := false
		for i := 1; i < len(keys) && !repeated; i++ {
			for j := range i {
				if keys[i] == keys[j] {
					repeated = true
					break
				}
			}
		}
		if !repeated {
			return nil
		}
	}
	last := make(map[string]int, len(keys))
	for i, key := range keys {
		last[key] = i
	}
	if len(last) == len(keys) {
		return nil
	}
	return last
}

// appendNumber writes a number as it stood, or as a string where no reader could hold it.
func appendNumber(dst []byte, number string) []byte {
	if len(number) > 300 || strings.ContainsAny(number, "eE") {
		if _, err := strconv.ParseFloat(number, 64); err != nil {
			return wire.AppendString(dst, number)
		}
	}
	return append(dst, number...)
}
