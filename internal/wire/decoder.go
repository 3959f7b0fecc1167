// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

// Decoder decodes one text after the other, and uses the memory of their trees again. The zero value is ready.
type Decoder struct {
	scanner
	// left is how many values may still come.
	left int
	// keys and items are those of all trees since the last Reset.
	keys  []string
	items []Node
	// openKeys and openItems are those of the containers that are not closed yet, the innermost last.
	openKeys  []string
	openItems []Node
}

// triedAtOnce is up to how many bytes text is taken for JSON until it proves to be none. Longer text is looked at first: of
// much that only begins as JSON, much would be built for nothing.
const triedAtOnce = 4 << 10

// Reset takes back the memory of all trees that the Decoder made: nobody may look at them any more.
func (d *Decoder) Reset() {
	d.keys, d.items = d.keys[:0], d.items[:0]
}

// TryDecode is as the function of that name.
func (d *Decoder) TryDecode(text string, limits Limits) (_ Node, ok bool) {
	if len(text) > limits.Bytes {
		return Node{}, false
	}
	if len(text) > triedAtOnce {
		if _, err := Inspect(text); err != nil {
			return Node{}, false
		}
	}
	d.scanner = scanner{text: text}
	d.left = limits.Values
	d.openKeys, d.openItems = d.openKeys[:0], d.openItems[:0]
	keys, items := d.keys, d.items
	d.space()
	ok = d.value(0)
	d.space()
	if !ok || d.pos != len(text) {
		d.keys, d.items = keys, items // nobody gets what was made of it
		return Node{}, false
	}
	return d.openItems[0], true
}

// value reads a value and adds it to the open items.
func (d *Decoder) value(depth int) (ok bool) {
	d.left--
	if d.left < 0 {
		return false
	}
	start := d.pos
	switch d.next() {
	case '{':
		return d.container(Object, '}', depth)
	case '[':
		return d.container(Array, ']', depth)
	case '"':
		content, err := d.content()
		return d.leaf(Node{Kind: String, Text: content}, err)
	case 't':
		return d.leaf(Node{Kind: Bool, Bool: true}, d.word("true"))
	case 'f':
		return d.leaf(Node{Kind: Bool}, d.word("false"))
	case 'n':
		return d.leaf(Node{Kind: Null}, d.word("null"))
	default:
		err := d.number()
		return d.leaf(Node{Kind: Number, Text: d.text[start:d.pos]}, err)
	}
}

// leaf adds a value that is no container, unless it was not one.
func (d *Decoder) leaf(node Node, err error) (ok bool) {
	if err != nil {
		return false
	}
	d.openItems = append(d.openItems, node)
	return true
}

// content is that of the string to come.
func (d *Decoder) content() (string, error) {
	start := d.pos
	if err := d.str(); err != nil {
		return "", err
	}
	if d.literal {
		return d.text[start+1 : d.pos-1], nil
	}
	return unquote(d.text[start:d.pos]), nil
}

func (d *Decoder) container(kind Kind, closing byte, depth int) (ok bool) {
	if depth == MaxDepth {
		return false
	}
	keys, items := len(d.openKeys), len(d.openItems)
	d.pos++
	d.space()
	for first := true; d.next() != closing; first = false {
		if !first && !d.separator(',') || kind == Object && !d.key() || !d.value(depth+1) {
			return false
		}
		d.space()
	}
	d.pos++
	node := Node{Kind: kind, Keys: keep(&d.keys, d.openKeys[keys:]), Items: keep(&d.items, d.openItems[items:])}
	d.openKeys, d.openItems = d.openKeys[:keys], append(d.openItems[:items], node)
	return true
}

// key reads the key of a member and the colon after it.
func (d *Decoder) key() (ok bool) {
	if d.next() != '"' {
		return false
	}
	key, err := d.content()
	if err != nil {
		return false
	}
	d.openKeys = append(d.openKeys, key)
	d.space()
	return d.separator(':')
}

// separator walks over a comma or colon and the blanks after it.
func (d *Decoder) separator(b byte) bool {
	if d.next() != b {
		return false
	}
	d.pos++
	d.space()
	return true
}

// keep copies values to the end of memory, or to new memory where they do not fit.
func keep[T any](memory *[]T, values []T) []T {
	if len(values) == 0 {
		return nil
	}
	if len(values) > cap(*memory)-len(*memory) {
		*memory = make([]T, 0, max(len(values), 2*cap(*memory)))
	}
	start := len(*memory)
	*memory = append(*memory, values...)
	end := len(*memory)
	return (*memory)[start:end:end]
}
