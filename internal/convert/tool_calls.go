// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/wire"
)

// toolCalls are the calls that a model asked for, from the output, in every form in which libraries write them.
func toolCalls(output content) (calls, names []string) {
	if output.kind == contentText && !mayCallTools(output.text) {
		return nil, nil
	}
	tree, ok := output.look()
	if !ok {
		return nil, nil
	}
	var c callList
	c.value(tree)
	return c.calls, c.names
}

// mayCallTools looks at text without parsing it: most outputs call no tools. A call has a name, at least, and stands
// below a word that says what it is, or beside its arguments.
func mayCallTools(text string) bool {
	if !startsContainer(text) {
		return false
	}
	// Calls may stand in JSON text within JSON text, where the quote that ends the key is escaped.
	if !anyQuoted(text, func(rest string) bool {
		return strings.HasPrefix(rest, "name") || strings.HasPrefix(rest, "toolName")
	}) {
		return false
	}
	for _, word := range [...]string{"tool", "arguments", "args", "input", "function"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// callList collects calls. A call that is told twice, under the same id, counts once.
type callList struct {
	calls, names []string
	ids          map[string]struct{}
}

func (c *callList) value(node wire.Node) {
	switch node.Kind {
	case wire.Array:
		for i, element := range node.Items {
			if isCall(element) {
				c.add(element, i)
			} else {
				c.message(element)
			}
		}
	case wire.Object:
		if isCall(node) {
			c.add(node, 0)
			return
		}
		c.message(node)
	}
}

// message looks at all places of a message that may hold calls.
func (c *callList) message(node wire.Node) {
	if node.Kind != wire.Object {
		return
	}
	for i, key := range node.Keys {
		inner := node.Items[i]
		switch key {
		case "tool_calls", "toolCalls":
			c.list(inner)
		case "additional_kwargs":
			calls, _ := member(inner, "tool_calls")
			c.list(calls)
		case "content", "parts":
			c.parts(inner)
		case "choices":
			if inner.Kind == wire.Array {
				for _, choice := range inner.Items {
					c.message(choice)
				}
			}
		case "message":
			if inner.Kind == wire.String && mayCallTools(inner.Text) {
				inner, _ = decodeObject(inner.Text)
			}
			c.message(inner)
		}
	}
}

// list takes a list of calls, or its JSON text.
func (c *callList) list(calls wire.Node) {
	if calls.Kind == wire.String {
		calls, _ = decodeContainer(calls.Text)
	}
	if calls.Kind != wire.Array {
		return
	}
	for i, call := range calls.Items {
		if inner, ok := member(call, "tool_call"); ok { // OpenInference
			call = inner
		}
		c.add(call, i)
	}
}

// parts takes the calls among the parts of a message.
func (c *callList) parts(parts wire.Node) {
	if parts.Kind != wire.Array {
		return
	}
	index := 0
	for _, part := range parts.Items {
		switch memberText(part, "type") {
		case "tool_use", "tool-call", "tool_call":
			c.add(part, index)
			index++
		}
	}
}

// isCall knows a call that stands alone: its type tells it from other data, or the names of its fields do.
func isCall(node wire.Node) bool {
	if node.Kind != wire.Object || callName(node) == "" {
		return false
	}
	if _, ok := callArguments(node); !ok {
		return false
	}
	switch memberText(node, "type") {
	case "tool_use", "tool-call", "tool_call", "function_call", "function":
		return true
	}
	if memberText(node, "toolName") != "" {
		return true
	}
	_, hasArguments := firstMember(node, "arguments", "args")
	return hasArguments && callID(node) != ""
}

func callName(call wire.Node) string {
	if inner, ok := member(call, "function"); ok && inner.Kind == wire.Object {
		return memberText(inner, "name")
	}
	return memberText(call, "name", "toolName")
}

func callID(call wire.Node) string {
	return memberText(call, "call_id", "id", "toolCallId", "tool_call_id")
}

func callArguments(call wire.Node) (arguments wire.Node, ok bool) {
	if inner, found := member(call, "function"); found && inner.Kind == wire.Object {
		call = inner
	}
	return firstMember(call, "arguments", "args", "input")
}

func (c *callList) add(call wire.Node, index int) {
	name, id := callName(call), callID(call)
	if name == "" {
		return
	}
	if id != "" {
		if _, found := c.ids[id]; found {
			return
		}
		if c.ids == nil {
			c.ids = make(map[string]struct{})
		}
		c.ids[id] = struct{}{}
	}
	if own, ok := member(call, "index"); ok {
		if n, ok := wholeOf(own); ok {
			index = int(n)
		}
	}
	arguments, _ := callArguments(call)
	text := wire.AppendString([]byte(`{"id":`), id)
	text = append(text, `,"arguments":`...)
	text = wire.AppendString(text, nodeText(arguments))
	text = append(text, `,"type":`...)
	text = wire.AppendString(text, memberText(call, "type"))
	text = append(text, `,"index":`...)
	text = strconv.AppendInt(text, int64(index), 10)
	text = append(text, '}')
	c.calls = append(c.calls, string(text))
	c.names = append(c.names, name)
}
