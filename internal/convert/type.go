// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import (
	"strconv"
	"strings"

	"github.com/weirhq/weir/internal/model"
)

// observationType finds the type by the first rule that knows one: what the client says first, then what libraries
// say of the kind of their spans, then what the attributes give away.
func (s *span) observationType() model.ObservationType {
	for _, rule := range [...]func(*span) model.ObservationType{
		(*span).typeOfOldSDK,
		(*span).typeAsSaid,
		(*span).typeOfOpenInference,
		(*span).typeOfGenAI,
		(*span).typeOfGenkit,
		(*span).typeOfAI,
		(*span).typeOfTool,
		(*span).typeOfFlue,
		(*span).typeOfLiveKit,
		(*span).typeOfModel,
	} {
		if t := rule(s); t != "" {
			return t
		}
	}
	return model.TypeSpan
}

// typeOfOldSDK corrects Python clients up to 3.3, which wrote "span" on generations that were updated late.
func (s *span) typeOfOldSDK() model.ObservationType {
	if s.str(keyType) != "span" || s.scope.name != s.converter.settings.Names.SDKScope ||
		s.resource.str(keyTelemetryLanguage) != "python" || !isBefore34(s.scope.version) {
		return ""
	}
	for _, k := range [...]key{
		keyModelName, keyCostDetails, keyUsageDetails, keyCompletionStartTime, keyModelParameters,
		keyObservationPromptName, keyObservationPromptVersion,
	} {
		if s.notNull(k) {
			return model.TypeGeneration
		}
	}
	return ""
}

// isBefore34 is also true for a version that cannot be read.
func isBefore34(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return true
	}
	major, err := strconv.Atoi(parts[0])
	if err != nil {
		return true
	}
	minor, err := strconv.Atoi(parts[1])
	return err != nil || major < 3 || major == 3 && minor <= 3
}

func (s *span) typeAsSaid() model.ObservationType {
	switch s.str(keyType) {
	case "span":
		return model.TypeSpan
	case "generation":
		return model.TypeGeneration
	case "event":
		return model.TypeEvent
	case "embedding":
		return model.TypeEmbedding
	case "agent":
		return model.TypeAgent
	case "tool":
		return model.TypeTool
	case "chain":
		return model.TypeChain
	case "retriever":
		return model.TypeRetriever
	case "guardrail":
		return model.TypeGuardrail
	case "evaluator":
		return model.TypeEvaluator
	default:
		return ""
	}
}

func (s *span) typeOfOpenInference() model.ObservationType {
	switch kind := s.str(keyOpenInferenceKind); kind {
	case "LLM":
		return model.TypeGeneration
	case "CHAIN", "RETRIEVER", "EMBEDDING", "AGENT", "TOOL", "GUARDRAIL", "EVALUATOR":
		return model.ObservationType(kind)
	default:
		return ""
	}
}

func (s *span) typeOfGenAI() model.ObservationType {
	switch s.str(keyGenAIOperation) {
	case "chat", "completion", "text_completion", "generate_content", "generate":
		return model.TypeGeneration
	case "embeddings":
		return model.TypeEmbedding
	case "invoke_agent", "create_agent":
		return model.TypeAgent
	case "execute_tool":
		return model.TypeTool
	default:
		return ""
	}
}

func (s *span) typeOfGenkit() model.ObservationType {
	switch s.str(keyGenkitSubtype) {
	case "model", "background-model":
		return model.TypeGeneration
	case "embedder":
		return model.TypeEmbedding
	case "tool", "tool.v2":
		return model.TypeTool
	case "retriever":
		return model.TypeRetriever
	case "evaluator":
		return model.TypeEvaluator
	default:
		return ""
	}
}

// typeOfAI knows the operations of the Vercel AI SDK. Only the innermost ones talk to a model: the spans around them
// repeat its name.
func (s *span) typeOfAI() model.ObservationType {
	is := func(operations ...string) bool {
		for _, operation := range operations {
			if s.str(keyAIOperationID) == operation || strings.HasPrefix(s.str(keyOperationName), operation) {
				return true
			}
		}
		return false
	}
	if !s.has(keyAIOperationID) && !s.has(keyOperationName) {
		return ""
	}
	if s.anyFilled(keyModelName, keyAIModelID, keyGenAIRequestModel, keyGenAIResponseModel) {
		switch {
		case is("ai.generateText.doGenerate", "ai.generateObject.doGenerate", "ai.streamText.doStream", "ai.streamObject.doStream"):
			return model.TypeGeneration
		case is("ai.embed.doEmbed", "ai.embedMany.doEmbed"):
			return model.TypeEmbedding
		}
	}
	if is("ai.toolCall") {
		return model.TypeTool
	}
	return ""
}

func (s *span) typeOfTool() model.ObservationType {
	if s.anyFilled(keyGenAIToolName, keyGenAIToolCallID) {
		return model.TypeTool
	}
	return ""
}

func (s *span) typeOfFlue() model.ObservationType {
	switch {
	case s.anyFilled(keyFlueToolName, keyFlueToolCallID):
		return model.TypeTool
	case s.anyFilled(keyFlueTaskID, keyFlueTaskAgent):
		return model.TypeAgent
	default:
		return ""
	}
}

func (s *span) typeOfLiveKit() model.ObservationType {
	if s.scope.name != scopeLiveKit {
		return ""
	}
	switch s.otlp.Name() {
	case "agent_turn", "start_agent_activity":
		return model.TypeAgent
	case "function_tool":
		return model.TypeTool
	default:
		return ""
	}
}

func (s *span) typeOfModel() model.ObservationType {
	if s.anyFilled(keyModelName, keyGenAIRequestModel, keyGenAIResponseModel, keyLLMModelName, keyPlainModel) {
		return model.TypeGeneration
	}
	return ""
}

func (s *span) anyFilled(keys ...key) bool {
	for _, k := range keys {
		if !isEmpty(s.get(k)) {
			return true
		}
	}
	return false
}
