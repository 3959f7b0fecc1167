// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// content is the input or the output of an observation on its way to a row: nothing, a text just as it was sent, or a
// tree. Texts are parsed only when a rule needs to look inside.
type content struct {
	kind contentKind
	text string
	tree wire.Node
}

type contentKind uint8

const (
	contentAbsent contentKind = iota
	contentText
	contentTree
)

func (c content) present() bool { return c.kind != contentAbsent }

// String is what is stored: text as it is, a tree as compact JSON.
func (c content) String() string {
	switch c.kind {
	case contentText:
		return c.text
	case contentTree:
		return nodeText(c.tree)
	default:
		return ""
	}
}

// look gives the tree of the content: its own, or that of the JSON text of an object or list.
func (c content) look() (node wire.Node, ok bool) {
	switch c.kind {
	case contentText:
		return decodeContainer(c.text)
	case contentTree:
		return c.tree, true
	default:
		return wire.Node{}, false
	}
}

func textContent(text string) content { return content{kind: contentText, text: text} }

func treeContent(node wire.Node) content {
	switch node.Kind {
	case wire.Null:
		return content{}
	case wire.String:
		return textContent(node.Text)
	default:
		return content{kind: contentTree, tree: node}
	}
}

// contentOf is the content of an attribute.
func contentOf(v pcommon.Value) content {
	switch v.Type() {
	case pcommon.ValueTypeEmpty:
		return content{}
	case pcommon.ValueTypeStr:
		return textContent(clean(v.Str()))
	default:
		return treeContent(nodeOf(v))
	}
}

// truthyContent is the content of an attribute that is set, else nothing.
func truthyContent(v pcommon.Value) content {
	if !isTruthy(v) {
		return content{}
	}
	return contentOf(v)
}

// decodedContent is the content of an attribute whose text is read as JSON where it is JSON.
func decodedContent(v pcommon.Value) content {
	if v.Type() == pcommon.ValueTypeStr {
		if node, ok := decode(v.Str()); ok {
			return treeContent(node)
		}
	}
	return contentOf(v)
}
