// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strings"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// toolDefinitions are the tools on offer, from the input: those beside the messages, those of single messages, and
// tool messages that are definitions, as LangGraph writes them.
func toolDefinitions(input content) []model.NamedText {
	if input.kind == contentText && !mayDefineTools(input.text) {
		return nil
	}
	tree, ok := input.look()
	if !ok {
		return nil
	}
	var d definitions
	d.list(tree, "tools")
	messages := tree
	if inner, ok := member(tree, "messages"); ok {
		messages = inner
	}
	if messages.Kind == wire.Array {
		for _, message := range messages.Items {
			d.list(message, "tools")
			if content, ok := member(message, "content"); ok && memberText(message, "role") == "tool" {
				if content.Kind == wire.Object && memberText(content, "type") == "function" {
					d.add(content)
				}
			}
		}
	}
	return d.found
}

// mayDefineTools looks at text without parsing it: most inputs offer no tools.
func mayDefineTools(text string) bool {
	hasTool, hasFunction := false, false
	return startsContainer(text) && anyQuoted(text, func(rest string) bool {
		hasTool = hasTool || strings.HasPrefix(rest, `tool"`)
		hasFunction = hasFunction || strings.HasPrefix(rest, `function"`)
		return hasTool && hasFunction || strings.HasPrefix(rest, `tools"`)
	})
}

// anyQuoted tells whether found is true for what follows some quote. Prose has few quotes, so most of it is skipped
// faster than a search for words could.
func anyQuoted(text string, found func(rest string) bool) bool {
	for {
		quote := strings.IndexByte(text, '"')
		if quote < 0 {
			return false
		}
		text = text[quote+1:]
		if found(text) {
			return true
		}
	}
}

type definitions struct {
	found []model.NamedText
	names map[string]struct{}
}

func (d *definitions) list(node wire.Node, key string) {
	tools, _ := member(node, key)
	if tools.Kind == wire.String {
		tools, _ = decodeContainer(tools.Text)
	}
	if tools.Kind != wire.Array {
		return
	}
	for _, tool := range tools.Items {
		d.add(tool)
	}
}

func (d *definitions) add(tool wire.Node) {
	name := toolName(tool)
	if name == "" {
		return
	}
	if _, found := d.names[name]; found {
		return
	}
	if d.names == nil {
		d.names = make(map[string]struct{})
	}
	d.names[name] = struct{}{}
	tool = innerTool(tool)
	parameters, _ := firstMember(tool, "parameters", "inputSchema", "input_schema", "parameters_json_schema", "schema")
	description, _ := member(tool, "description")
	text := wire.AppendString([]byte(`{"description":`), nodeText(description))
	text = append(text, `,"parameters":`...)
	text = wire.AppendString(text, nodeText(parameters))
	text = append(text, '}')
	d.found = append(d.found, model.NamedText{Name: name, Text: string(text)})
}

// innerTool is the part of a definition that has name, description and parameters.
func innerTool(tool wire.Node) wire.Node {
	if inner, ok := firstMember(tool, "function", "toolSpec"); ok && inner.Kind == wire.Object {
		return inner
	}
	return tool
}

func toolName(tool wire.Node) string {
	return memberText(innerTool(tool), "name")
}
