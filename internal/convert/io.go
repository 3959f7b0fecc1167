// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

// Instrumentation scopes with rules of their own.
const (
	scopeAI       = "ai"
	scopeGenkit   = "genkit-tracer"
	scopeFlue     = "@flue/opentelemetry"
	scopeLiveKit  = "livekit-agents"
	scopePydantic = "pydantic-ai"
	scopeVertex   = "gcp.vertex.agent"
)

// exchange is what went in and what came out.
type exchange struct {
	input, output content
}

func (x exchange) either() bool { return x.input.present() || x.output.present() }

// inputAndOutput finds both by the first rule that applies: the one rule decides both, so that they belong together.
func (s *span) inputAndOutput() exchange {
	if x := s.ownIO(); x.either() {
		return x
	}
	switch s.scope.name {
	case scopeGenkit:
		return s.genkitIO()
	case scopeAI:
		return s.aiIO()
	case scopeFlue:
		if x := s.flueIO(); x.either() {
			return x
		}
	}
	if x := s.eventIO(); x.either() {
		return x
	}
	return s.attributeIO()
}

// ownIO is that of the service's own attributes. An empty text counts: the client said that there is nothing.
func (a *attributes) ownIO() exchange {
	return exchange{contentOf(a.get(keyInput)), contentOf(a.get(keyOutput))}
}

// attributeIO goes by the attributes of libraries that have no scope or events to be known by.
func (s *span) attributeIO() exchange {
	a := &s.attributes
	if x := a.vertexIO(); x.either() {
		return x
	}
	if x := a.pair(keyLogfirePrompt, keyLogfireMessages); x.either() {
		return x
	}
	if x := a.liveKitIO(); x.either() {
		return x
	}
	if x := a.eventListIO(); x.either() {
		return x
	}
	for _, keys := range [...][2]key{
		{keyMLflowInputs, keyMLflowOutputs},
		{keyTraceloopInput, keyTraceloopOutput},
		{keyOpenInferenceInput, keyOpenInferenceOutput},
		{keyPlainInput, keyPlainOutput},
	} {
		if x := a.pair(keys[0], keys[1]); x.either() {
			return x
		}
	}
	if s.scope.name == scopePydantic {
		if x := a.pair(keyPydanticMessages, keyPydanticResult); x.either() {
			x.input = withInstructions(x.input, a.get(keyGenAISystemInstructions))
			return x
		}
	}
	if x := a.pair(keyToolArguments, keyToolResponse); x.either() {
		return x
	}
	if x := a.rebuiltIO(keyGenAIPrompt, familyPrompt, keyGenAICompletion, familyCompletion); x.either() {
		return x
	}
	if x := a.rebuiltIO(keyLLMInputMessages, familyInputMessages, keyLLMOutputMessages, familyOutputMessages); x.either() {
		return x
	}
	return a.genAIIO()
}

// pair is the content of two attributes.
func (a *attributes) pair(input, output key) exchange {
	return exchange{truthyContent(a.get(input)), truthyContent(a.get(output))}
}

// genAIIO is that of the GenAI conventions: messages, or, where there are none at all, a call of a tool.
func (a *attributes) genAIIO() exchange {
	x := a.pair(keyGenAIInputMessages, keyGenAIOutputMessages)
	if !x.either() {
		return a.pair(keyGenAIToolArguments, keyGenAIToolResult)
	}
	x.input = withInstructions(x.input, a.get(keyGenAISystemInstructions))
	return x
}

// rebuiltIO is that of messages spread over attributes, one for each field. A side that is not there is an empty
// object, as soon as the other one is.
func (a *attributes) rebuiltIO(input key, inputs family, output key, outputs family) exchange {
	if !a.has(input) && !a.has(output) && !a.families[inputs] && !a.families[outputs] {
		return exchange{}
	}
	side := func(whole key, parts family) content {
		if a.truthy(whole) {
			return contentOf(a.get(whole))
		}
		return treeContent(a.rebuild(parts))
	}
	return exchange{side(input, inputs), side(output, outputs)}
}
