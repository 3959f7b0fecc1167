// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// flatWriter writes a flat JSON object: a nested object becomes a dotted path for each of its leaves, and of two equal
// paths the first one stays. Lists are leaves; objects without members leave nothing.
type flatWriter struct {
	buf  []byte
	path []byte
	// seen has the paths that were written; only where a key has a dot, two paths can be equal.
	seen   map[string]struct{}
	dotted bool
	// budget is how many bytes the members of objects may still repeat.
	budget int
}

// pathBudget is far more than metadata that anyone wants to filter by, and keeps an object with long keys and many
// leaves from growing without bounds: what is over it stays an object, as JSON text.
const pathBudget = 1 << 20

func (w *flatWriter) begin() {
	w.buf = append(w.buf[:0], '{')
	w.budget = pathBudget
}

// end gives the object, "" for an empty one.
func (w *flatWriter) end() string {
	if len(w.buf) == 1 {
		return ""
	}
	w.buf[len(w.buf)-1] = '}' // in place of the last comma
	return string(w.buf)
}

// members writes the members of an object. Its keys differ, so paths can only be equal if some value is an object.
func (w *flatWriter) members(keys []string, values []wire.Node) {
	nested := false
	for i := range values {
		nested = nested || values[i].Kind == wire.Object
	}
	if !nested {
		for i, key := range keys {
			w.leaf(key, values[i])
		}
		return
	}
	if w.dotted = hasDots(keys, values); w.dotted {
		if w.seen == nil {
			w.seen = make(map[string]struct{})
		}
		clear(w.seen)
	}
	for i, key := range keys {
		w.path = append(w.path[:0], key...)
		w.node(values[i])
	}
}

// hasDots tells whether there is a dot in any of the keys, those of nested objects included.
func hasDots(keys []string, values []wire.Node) bool {
	for i, key := range keys {
		if strings.IndexByte(key, '.') >= 0 || hasDots(values[i].Keys, values[i].Items) {
			return true
		}
	}
	return false
}

// node writes a value under w.path.
func (w *flatWriter) node(value wire.Node) {
	if value.Kind == wire.Object {
		// Every member repeats the path of the object.
		if w.budget -= len(value.Keys) * len(w.path); w.budget < 0 {
			value = textNode(jsonText(value))
		}
	}
	if value.Kind != wire.Object {
		if !w.dotted || w.isNew() {
			w.leaf(string(w.path), value)
		}
		return
	}
	length := len(w.path)
	for key, item := range value.Members() {
		w.path = append(append(w.path[:length], '.'), key...)
		w.node(item)
	}
	w.path = w.path[:length]
}

// isNew tells whether nothing was written under w.path yet.
func (w *flatWriter) isNew() bool {
	if _, found := w.seen[string(w.path)]; found {
		return false
	}
	w.seen[string(w.path)] = struct{}{}
	return true
}

func (w *flatWriter) leaf(path string, value wire.Node) {
	w.buf = wire.AppendString(w.buf, path)
	w.buf = append(w.buf, ':')
	w.buf = wire.AppendNode(w.buf, value)
	w.buf = append(w.buf, ',')
}

// value writes an attribute that is no map under "part.name".
func (w *flatWriter) value(part, name string, v pcommon.Value) {
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, part...)
	w.buf = append(w.buf, '.')
	w.buf = wire.AppendContent(w.buf, name)
	w.buf = append(w.buf, '"', ':')
	switch v.Type() {
	case pcommon.ValueTypeStr:
		w.buf = wire.AppendString(w.buf, v.Str())
	case pcommon.ValueTypeInt:
		w.buf = strconv.AppendInt(w.buf, v.Int(), 10)
	case pcommon.ValueTypeBool:
		w.buf = strconv.AppendBool(w.buf, v.Bool())
	default:
		w.buf = wire.AppendNode(w.buf, nodeOf(v))
	}
	w.buf = append(w.buf, ',')
}

// fragment is a part of metadata that many spans share: as a tree, and flattened, with a comma at its end.
type fragment struct {
	tree wire.Node
	text []byte
}

func newFragment(name string, tree wire.Node) fragment {
	w := flatWriter{budget: pathBudget}
	w.members([]string{name}, []wire.Node{tree})
	return fragment{tree: tree, text: w.buf}
}

func (w *flatWriter) fragment(f fragment) { w.buf = append(w.buf, f.text...) }
