// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strings"

	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// withInstructions puts system instructions, which the conventions keep apart, before the messages. Messages that
// have a system message already, and input that is no list of messages, stay as they are.
func withInstructions(input content, instructions pcommon.Value) content {
	if !isTruthy(instructions) || !input.present() {
		return input
	}
	messages, ok := input.look()
	if !ok || messages.Kind != wire.Array {
		return input
	}
	for _, message := range messages.Items {
		if memberText(message, "role") == "system" {
			return input
		}
	}
	text := instructionText(instructions)
	if text == "" {
		return input
	}
	system := wire.Node{
		Kind:  wire.Object,
		Keys:  []string{"role", "content"},
		Items: []wire.Node{textNode("system"), textNode(text)},
	}
	messages.Items = append([]wire.Node{system}, messages.Items...)
	return treeContent(messages)
}

// instructionText joins the parts of instructions, which come as a list, as its JSON text, or as plain text.
func instructionText(v pcommon.Value) string {
	whole := contentOf(v)
	parts, ok := whole.look()
	if !ok || parts.Kind != wire.Array {
		return whole.String()
	}
	lines := make([]string, 0, len(parts.Items))
	for _, part := range parts.Items {
		if inner, ok := member(part, "content"); ok && inner.Kind != wire.Null {
			part = inner
		}
		lines = append(lines, nodeText(part))
	}
	return strings.Join(lines, "\n")
}
