// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// modelName is the model as the span names it: the one that answered rather than the one that was asked for.
func (s *span) modelName() string {
	if v := s.firstTruthy(
		keyModelName, keyGenAIResponseModel, keyAIModelID, keyGenAIRequestModel, keyLLMResponseModel, keyLLMModelName,
		keyPlainModel,
	); !isNull(v) {
		return textOf(v)
	}
	if s.str(keyGenkitSubtype) == "model" {
		return s.text(keyGenkitName)
	}
	return ""
}

// modelParameters are the settings of the model, as an object of texts and numbers.
func (s *span) modelParameters() wire.Node {
	explicit, hasExplicit := s.objectOf(s.get(keyModelParameters))
	if s.scope.name == scopeAI {
		parameters := s.aiParameters()
		for i, key := range explicit.Keys {
			parameters.Keys = append(parameters.Keys, key)
			parameters.Items = append(parameters.Items, parameterOf(explicit.Items[i]))
		}
		return parameters
	}
	if hasExplicit {
		return parametersOf(explicit)
	}
	if s.scope.name == scopeGenkit {
		return parametersOf(s.genkitParameters())
	}
	for _, k := range [...]key{keyLLMInvocationParameters, keyModelConfig} {
		if object, ok := s.objectOf(s.get(k)); ok {
			return parametersOf(object)
		}
	}
	return s.requestParameters()
}

// objectOf reads an attribute that is an object, or the JSON text of one.
func (s *span) objectOf(v pcommon.Value) (node wire.Node, ok bool) {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return s.decoder.object(v.Str())
	case pcommon.ValueTypeMap:
		return nodeOf(v), true
	default:
		return wire.Node{}, false
	}
}

// requestParameters are the attributes of single settings.
func (s *span) requestParameters() wire.Node {
	if !s.families[familyRequest] && !s.families[familyInvocation] {
		return objectNode()
	}
	keys, items := s.requestKeys[:0], s.requestItems[:0]
	for i := range s.all {
		at := &s.all[i]
		if (at.family == familyRequest || at.family == familyInvocation) && at.rest != "model" {
			keys = append(keys, at.rest)
			items = append(items, parameterOf(nodeOf(at.value)))
		}
	}
	s.requestKeys, s.requestItems = keys, items
	return wire.Node{Kind: wire.Object, Keys: keys, Items: items}
}

// aiParameters are those of the AI SDK: always the same nine, as text, or null when not set.
func (s *span) aiParameters() wire.Node {
	text := func(keys ...key) wire.Node {
		v := s.firstNotNull(keys...)
		if isNull(v) {
			return wire.Node{}
		}
		return textNode(textOf(v))
	}
	tier := wire.Node{}
	if s.notNull(keyAIResponseProviderMetadata) {
		provider, _ := s.objectOf(s.get(keyAIResponseProviderMetadata))
		openAI, _ := member(provider, "openai")
		if name := memberText(openAI, "serviceTier"); name != "" {
			tier = textNode(name)
		}
	}
	if tier.Kind == wire.Null {
		tier = text(keyGenAIRequestServiceTier)
	}
	return wire.Node{
		Kind: wire.Object,
		Keys: []string{
			"maxSteps", "toolChoice", "maxTokens", "finishReason", "system", "maxRetries", "mode", "temperature", "service_tier",
		},
		Items: []wire.Node{
			text(keyAISettingsMaxSteps),
			text(keyAIPromptToolChoice),
			text(keyGenAIRequestMaxTokens),
			text(keyGenAIFinishReasons, keyGenAIFinishReason),
			text(keyGenAISystem, keyAIModelProvider),
			text(keyAISettingsMaxRetries),
			text(keyAISettingsMode),
			text(keyGenAIRequestTemperature),
			tier,
		},
	}
}

// genkitParameters are the configuration that the request carried, or that the answer repeats.
func (s *span) genkitParameters() wire.Node {
	input, _ := s.objectOf(s.get(keyGenkitInput))
	if config, ok := member(input, "config"); ok && config.Kind == wire.Object {
		return config
	}
	output, _ := s.objectOf(s.get(keyGenkitOutput))
	request, _ := member(output, "request")
	config, _ := member(request, "config")
	return config
}

// parametersOf makes parameters of an object that is not used otherwise.
func parametersOf(object wire.Node) wire.Node {
	for i := range object.Items {
		object.Items[i] = parameterOf(object.Items[i])
	}
	return wire.Node{Kind: wire.Object, Keys: object.Keys, Items: object.Items}
}

// parametersText is the parameters as JSON. Most clients send just that, and then the text is theirs.
func (s *span) parametersText() string {
	s.buffer = wire.AppendNode(s.buffer[:0], s.parameters)
	if sent := s.str(keyModelParameters); sent == string(s.buffer) {
		return sent
	}
	return string(s.buffer)
}

// parameterOf keeps text and numbers; readers know no other kinds, so those become JSON text.
func parameterOf(value wire.Node) wire.Node {
	switch value.Kind {
	case wire.String, wire.Number:
		return value
	default:
		return textNode(jsonText(value))
	}
}
