// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import (
	"iter"
	"strconv"
	"strings"
)

// comparedKeys is up to how many keys of an object are compared one by one to find a repeated one.
const comparedKeys = 48

// AppendNode appends a tree as compact JSON. Numbers stay as they were written, however long.
func AppendNode(dst []byte, node Node) []byte {
	switch node.Kind {
	case Bool:
		return strconv.AppendBool(dst, node.Bool)
	case Number:
		return appendReadable(dst, node.Text)
	case String:
		return AppendString(dst, node.Text)
	case Array:
		dst = append(dst, '[')
		for i := range node.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendNode(dst, node.Items[i])
		}
		return append(dst, ']')
	case Object:
		return appendObject(dst, node)
	default:
		return append(dst, "null"...)
	}
}

// appendObject writes each key once, with its last value.
func appendObject(dst []byte, node Node) []byte {
	dst = append(dst, '{')
	first := true
	for key, item := range node.Members() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(AppendString(dst, key), ':')
		dst = AppendNode(dst, item)
	}
	return append(dst, '}')
}

// Members are the keys of an object with their values; of a repeated key the last counts.
func (n Node) Members() iter.Seq2[string, Node] {
	return func(yield func(string, Node) bool) {
		last := repeatedKeys(n.Keys)
		for i, key := range n.Keys {
			if last != nil && last[key] != i {
				continue
			}
			if !yield(key, n.Items[i]) {
				return
			}
		}
	}
}

// repeatedKeys gives the last place of each key if a key is repeated, else nil. It allocates only for large objects.
func repeatedKeys(keys []string) map[string]int {
	if len(keys) <= comparedKeys {
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

// appendReadable writes a number as it stood, or as a string where no reader could hold it.
func appendReadable(dst []byte, number string) []byte {
	if len(number) > 300 || strings.IndexByte(number, 'e') >= 0 || strings.IndexByte(number, 'E') >= 0 {
		if _, err := strconv.ParseFloat(number, 64); err != nil {
			return AppendString(dst, number)
		}
	}
	return append(dst, number...)
}
