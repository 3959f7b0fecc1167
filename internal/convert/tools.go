// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// moveTools takes the definitions of tools, which libraries write as attributes or metadata, to where a reader looks
// for them: into the input. It does nothing if the input has no place for them.
func (s *span) moveTools(x *exchange) {
	var found toolSources
	if place, ok := s.metadata.find("tools"); ok {
		found.fromMetadata = s.metadata.values[place]
		found.add(found.fromMetadata, isNamed)
	}
	inMetadata := len(found.tools) > 0
	if !s.scope.isSDK {
		s.findTools(&found)
	}
	if len(found.tools) == 0 {
		return
	}
	input, ok := withTools(x.input, found.tools)
	if !ok {
		return
	}
	x.input = input
	if inMetadata {
		s.metadata.remove("tools")
	}
	for _, k := range found.keys {
		s.hide(k)
	}
	if found.parameters.Kind != wire.Null {
		s.replace(keyPydanticParameters, found.parameters)
	}
	for i := range s.all {
		if at := &s.all[i]; found.schemas && at.family == familyTools && isToolSchema(at.rest) {
			at.hidden = true
		}
	}
}

// toolSources are the definitions that were found, and where.
type toolSources struct {
	tools        []wire.Node
	fromMetadata wire.Node
	keys         []key
	// parameters is what is left of Pydantic's request parameters without the tools.
	parameters wire.Node
	schemas    bool
}

// add takes a list of tools, or its JSON text, if each of its entries is one.
func (t *toolSources) add(list wire.Node, isTool func(wire.Node) bool) bool {
	if list.Kind == wire.String {
		list, _ = decodeContainer(list.Text)
	}
	if list.Kind != wire.Array || len(list.Items) == 0 {
		return false
	}
	tools := make([]wire.Node, 0, len(list.Items))
	for _, tool := range list.Items {
		if tool.Kind == wire.String {
			tool, _ = decodeObject(tool.Text)
		}
		if tool.Kind != wire.Object || !isTool(tool) {
			return false
		}
		tools = append(tools, tool)
	}
	t.tools = mergeTools(t.tools, tools)
	return true
}

// findTools looks through the attributes.
func (s *span) findTools(t *toolSources) {
	if s.notNull(keyAIPromptTools) && t.add(nodeOf(s.get(keyAIPromptTools)), isNamedOrTyped) {
		t.keys = append(t.keys, keyAIPromptTools)
	}
	if s.notNull(keyGenAIToolDefinitions) && t.add(nodeOf(s.get(keyGenAIToolDefinitions)), isNamedOrTyped) {
		t.keys = append(t.keys, keyGenAIToolDefinitions)
	}
	if s.notNull(keyPydanticParameters) {
		s.findPydanticTools(t)
	}
	if s.families[familyTools] {
		s.findToolSchemas(t)
	}
}

// findPydanticTools takes the tools out of the request parameters of Pydantic AI.
func (s *span) findPydanticTools(t *toolSources) {
	const field = "function_tools"
	parameters, ok := s.objectOf(s.get(keyPydanticParameters))
	if !ok {
		return
	}
	tools, _ := member(parameters, field)
	if !t.add(tools, isNamed) {
		return
	}
	rest := objectNode()
	for i, key := range parameters.Keys {
		if key != field {
			rest.Keys = append(rest.Keys, key)
			rest.Items = append(rest.Items, parameters.Items[i])
		}
	}
	if len(rest.Keys) == 0 {
		t.keys = append(t.keys, keyPydanticParameters)
		return
	}
	t.parameters = rest
}

// findToolSchemas takes the tools of OpenInference, one attribute each, by their numbers.
func (s *span) findToolSchemas(t *toolSources) {
	type numbered struct {
		number int
		tool   wire.Node
	}
	var tools []numbered
	for i := range s.all {
		at := &s.all[i]
		if at.family != familyTools || !isToolSchema(at.rest) {
			continue
		}
		tool, ok := s.objectOf(at.value)
		if !ok {
			return
		}
		number, err := strconv.Atoi(at.rest[:strings.IndexByte(at.rest, '.')])
		if err != nil {
			return
		}
		tools = append(tools, numbered{number, tool})
	}
	slices.SortStableFunc(tools, func(a, b numbered) int { return a.number - b.number })
	list := wire.Node{Kind: wire.Array}
	for _, tool := range tools {
		list.Items = append(list.Items, tool.tool)
	}
	t.schemas = t.add(list, func(wire.Node) bool { return true })
}

// isToolSchema knows "0.tool.json_schema".
func isToolSchema(rest string) bool {
	number, field, _ := strings.Cut(rest, ".")
	return isIndex(number) && field == "tool.json_schema"
}

func isNamed(tool wire.Node) bool { return toolName(tool) != "" }

func isNamedOrTyped(tool wire.Node) bool { return isNamed(tool) || memberText(tool, "type") != "" }

// mergeTools adds tools whose names are not yet there.
func mergeTools(tools, more []wire.Node) []wire.Node {
	names := make(map[string]struct{}, len(tools)+len(more))
	for _, tool := range tools {
		names[toolName(tool)] = struct{}{}
	}
	for _, tool := range more {
		name := toolName(tool)
		if _, found := names[name]; found && name != "" {
			continue
		}
		names[name] = struct{}{}
		tools = append(tools, tool)
	}
	return tools
}

// withTools is the input with the tools in it; false where the input is a number or a boolean.
func withTools(input content, tools []wire.Node) (_ content, ok bool) {
	list := wire.Node{Kind: wire.Array, Items: tools}
	tree := input.tree
	if input.kind == contentText {
		if tree, ok = decode(input.text); !ok {
			tree = textNode(input.text)
		}
	}
	object := objectNode()
	switch tree.Kind {
	case wire.Null:
	case wire.String:
		setMember(&object, "prompt", tree)
	case wire.Array:
		setMember(&object, "messages", tree)
	case wire.Object:
		object.Keys, object.Items = slices.Clone(tree.Keys), slices.Clone(tree.Items)
		if own, ok := member(tree, "tools"); ok && own.Kind == wire.Array {
			list.Items = mergeTools(slices.Clone(own.Items), tools)
		}
	default:
		return content{}, false
	}
	setMember(&object, "tools", list)
	return treeContent(object), true
}

// replace changes an attribute for all who look at it later, as metadata does. The span itself stays as it is.
func (a *attributes) replace(k key, value wire.Node) {
	if at := a.at(k); at != nil {
		at.value = pcommon.NewValueStr(jsonText(value))
	}
}
