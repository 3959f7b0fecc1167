// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// genkitIO is that of Genkit: JSON texts of which only the messages are of interest, if there are any.
func (a *attributes) genkitIO() exchange {
	part := func(k key, name string) content {
		whole := decodedContent(a.get(k))
		if inner, ok := member(whole.tree, name); ok && isTruthyNode(inner) {
			return treeContent(inner)
		}
		return whole
	}
	return exchange{part(keyGenkitInput, "messages"), part(keyGenkitOutput, "message")}
}

// aiIO is that of the Vercel AI SDK, whose later versions write what the GenAI conventions ask for.
func (a *attributes) aiIO() exchange {
	fallback := a.genAIIO()
	return exchange{a.aiInput(fallback.input), a.aiOutput(fallback.output)}
}

func (a *attributes) aiInput(fallback content) content {
	for _, k := range [...]key{keyAIPromptMessages, keyAIPrompt, keyAIToolCallArgs} {
		if a.has(k) {
			return contentOf(a.get(k))
		}
	}
	return fallback
}

func (a *attributes) aiOutput(fallback content) content {
	if a.has(keyAIResponseText) && a.has(keyAIResponseToolCalls) {
		return treeContent(wire.Node{
			Kind:  wire.Object,
			Keys:  []string{"role", "content", "tool_calls"},
			Items: []wire.Node{textNode("assistant"), nodeOf(a.get(keyAIResponseText)), nodeOf(a.get(keyAIResponseToolCalls))},
		})
	}
	if found := a.firstTruthy(
		keyAIResponseText, keyAIResultText, keyAIToolCallResult, keyAIResponseObject, keyAIResultObject,
		keyAIResponseToolCalls, keyAIResultToolCalls,
	); !isNull(found) {
		return contentOf(found)
	}
	return fallback
}

// flueIO is that of Flue.
func (a *attributes) flueIO() exchange {
	return exchange{
		input: decodedContent(a.firstNotNull(
			keyFlueTurnInput, keyFlueToolArguments, keyFlueTaskPrompt, keyFlueWorkflowPayload,
		)),
		output: decodedContent(a.firstNotNull(
			keyFlueTurnOutput, keyFlueToolResult, keyFlueTaskResult, keyFlueOperationResult, keyFlueWorkflowResult,
		)),
	}
}

// vertexIO is that of Google's ADK, which writes empty objects where it may not tell.
func (a *attributes) vertexIO() exchange {
	first := func(keys ...key) content {
		for _, k := range keys {
			if v := a.get(k); isTruthy(v) && (v.Type() != pcommon.ValueTypeStr || v.Str() != "{}") {
				return contentOf(v)
			}
		}
		return content{}
	}
	return exchange{
		input:  first(keyVertexRequest, keyVertexToolArgs),
		output: first(keyVertexResponse, keyVertexToolResponse),
	}
}

// liveKitIO is that of LiveKit's agents.
func (a *attributes) liveKitIO() exchange {
	return exchange{
		input:  truthyContent(a.firstNotNull(keyLiveKitInputText, keyLiveKitTranscript, keyLiveKitChatContext)),
		output: contentOf(a.firstTruthy(keyLiveKitToolOutput, keyLiveKitResponseText)),
	}
}

// eventListIO is that of Logfire, which writes events as one attribute: a list, or its JSON text.
func (a *attributes) eventListIO() exchange {
	events := decodedContent(a.get(keyEvents))
	if events.kind != contentTree || events.tree.Kind != wire.Array {
		return exchange{}
	}
	x := exchange{input: content{kind: contentTree, tree: wire.Node{Kind: wire.Array}}}
	for _, event := range events.tree.Items {
		switch {
		case memberText(event, "event.name") != eventChoice:
			x.input.tree.Items = append(x.input.tree.Items, event)
		case !x.output.present():
			x.output = treeContent(event)
		}
	}
	return x
}
