// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/wire"
)

// Span events that carry input and output. Other events are not looked at, but for exceptions.
const (
	eventInference  = "gen_ai.client.inference.operation.details"
	eventChoice     = "gen_ai.choice"
	eventPrompt     = "gen_ai.content.prompt"
	eventCompletion = "gen_ai.content.completion"
	eventException  = "exception"
)

// roleOf is the role of the message that an event of this name carries, "" for other events.
func roleOf(event string) string {
	switch event {
	case "gen_ai.system.message":
		return "system"
	case "gen_ai.user.message":
		return "user"
	case "gen_ai.assistant.message":
		return "assistant"
	case "gen_ai.tool.message":
		return "tool"
	default:
		return ""
	}
}

// eventIO is that of the span events of the GenAI conventions, in the three forms that they have had.
func (s *span) eventIO() exchange {
	events := s.otlp.Events()
	if events.Len() == 0 {
		return exchange{}
	}
	if event, ok := firstEvent(events, eventInference); ok {
		attributes := s.eventAttributes(event.Attributes())
		if x := attributes.genAIIO(); x.either() {
			return x
		}
	}
	if x := messageEventIO(events); x.either() {
		return x
	}
	return s.contentEventIO(events)
}

func firstEvent(events ptrace.SpanEventSlice, name string) (event ptrace.SpanEvent, ok bool) {
	for _, event := range events.All() {
		if event.Name() == name {
			return event, true
		}
	}
	return ptrace.SpanEvent{}, false
}

// messageEventIO reads one event for each message, and one for each choice that came back.
func messageEventIO(events ptrace.SpanEventSlice) exchange {
	var messages, choices []wire.Node
	for _, event := range events.All() {
		if event.Name() == eventChoice {
			choices = append(choices, mapNode(event.Attributes(), 0))
		} else if role := roleOf(event.Name()); role != "" {
			// An attribute of the same name comes later, so it is the one that counts.
			rest := mapNode(event.Attributes(), 0)
			messages = append(messages, wire.Node{
				Kind:  wire.Object,
				Keys:  append([]string{"role"}, rest.Keys...),
				Items: append([]wire.Node{textNode(role)}, rest.Items...),
			})
		}
	}
	var x exchange
	if messages != nil {
		x.input = treeContent(wire.Node{Kind: wire.Array, Items: messages})
	}
	switch len(choices) {
	case 0:
	case 1:
		x.output = treeContent(choices[0])
	default:
		x.output = treeContent(wire.Node{Kind: wire.Array, Items: choices})
	}
	return x
}

// contentEventIO reads one event for all that went in and one for all that came out. Their attributes may be those of
// any library; where none is known, they are the content themselves.
func (s *span) contentEventIO(events ptrace.SpanEventSlice) exchange {
	prompt, hasPrompt := firstEvent(events, eventPrompt)
	completion, hasCompletion := firstEvent(events, eventCompletion)
	if !hasPrompt && !hasCompletion {
		return exchange{}
	}
	x := exchange{treeContent(objectNode()), treeContent(objectNode())}
	if hasPrompt {
		x.input = s.eventSide(prompt.Attributes(), func(x exchange) content { return x.input })
	}
	if hasCompletion {
		x.output = s.eventSide(completion.Attributes(), func(x exchange) content { return x.output })
	}
	return x
}

func (s *span) eventSide(m pcommon.Map, side func(exchange) content) content {
	event := span{scope: s.scope, attributes: s.eventAttributes(m)}
	x := event.ownIO()
	if !x.either() {
		x = event.attributeIO()
	}
	if found := side(x); found.present() {
		return found
	}
	return treeContent(mapNode(m, 0))
}

// eventAttributes reads the attributes of an event. Few spans have such events, so it has a set of slots of its own.
func (s *span) eventAttributes(m pcommon.Map) attributes {
	a := newAttributes(s.classifier)
	a.read(m)
	return a
}
