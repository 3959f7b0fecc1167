// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

// key is the slot of an attribute that some rule looks at.
type key uint8

// The slots. They are grouped by who writes the attribute; their names are in key_names.go.
const (
	keyNone key = iota

	keyEnvironment
	keyRelease
	keyVersion
	keyUserID
	keySessionID
	keyTraceName
	keyTraceTags
	keyTracePublic
	keyTags
	keyPublic
	keyMetadata
	keyTraceMetadata
	keyObservationMetadata
	keyType
	keyLevel
	keyStatusMessage
	keyInput
	keyOutput
	keyCompletionStartTime
	keyModelName
	keyModelParameters
	keyUsageDetails
	keyCostDetails
	keyObservationPromptName
	keyObservationPromptVersion
	keyPromptName
	keyPromptVersion
	keyIsAppRoot
	keyObservationMetadataUserID
	keyObservationMetadataSessionID
	keyObservationMetadataTags
	keyTraceMetadataUserID
	keyTraceMetadataSessionID
	keyTraceMetadataTags

	keyExperimentID
	keyExperimentName
	keyExperimentDescription
	keyExperimentMetadata
	keyExperimentDatasetID
	keyExperimentItemID
	keyExperimentItemVersion
	keyExperimentItemMetadata
	keyExperimentItemExpectedOutput
	keyExperimentItemRootID

	keyPlainUserID
	keyPlainSessionID
	keyDeploymentEnvironmentName
	keyDeploymentEnvironment
	keyServiceName
	keyServiceVersion
	keyTelemetryLanguage
	keyTelemetryName
	keyTelemetryVersion
	keyPlainModel
	keyModelConfig
	keyOperationName

	keyGenAIOperation
	keyGenAISystem
	keyGenAIConversationID
	keyGenAIRequestModel
	keyGenAIResponseModel
	keyGenAIRequestMaxTokens
	keyGenAIRequestTemperature
	keyGenAIRequestServiceTier
	keyGenAIFinishReasons
	keyGenAIFinishReason
	keyGenAIToolName
	keyGenAIToolCallID
	keyGenAIToolArguments
	keyGenAIToolResult
	keyGenAIToolDefinitions
	keyGenAIInputMessages
	keyGenAIOutputMessages
	keyGenAISystemInstructions
	keyGenAIPrompt
	keyGenAICompletion
	keyGenAIUsageCost
	keyGenAIUsagePromptTokens
	keyGenAIUsageInputTokens
	keyGenAIUsageCompletionTokens
	keyGenAIUsageOutputTokens

	keyLLMModelName
	keyLLMResponseModel
	keyLLMInvocationParameters
	keyLLMCostTotal
	keyLLMInputMessages
	keyLLMOutputMessages
	keyOpenInferenceKind
	keyOpenInferenceInput
	keyOpenInferenceOutput

	keyAIOperationID
	keyAIFunctionID
	keyAIModelID
	keyAIModelProvider
	keyAIPromptMessages
	keyAIPrompt
	keyAIPromptTools
	keyAIPromptToolChoice
	keyAIToolCallName
	keyAIToolCallArgs
	keyAIToolCallResult
	keyAIResponseText
	keyAIResponseObject
	keyAIResponseToolCalls
	keyAIResponseProviderMetadata
	keyAIResponseFirstChunk
	keyAIResultText
	keyAIResultObject
	keyAIResultToolCalls
	keyAIStreamFirstChunk
	keyAISettingsMaxSteps
	keyAISettingsMaxRetries
	keyAISettingsMode
	keyAIUsageTokens
	keyAIUsageCachedInput
	keyAIUsageReasoning
	keyAIMetadataUserID
	keyAIMetadataSessionID
	keyAIMetadataTags
	keyAIMetadataPrompt

	keyGenkitName
	keyGenkitSubtype
	keyGenkitInput
	keyGenkitOutput

	keyFlueTurnInput
	keyFlueTurnOutput
	keyFlueToolName
	keyFlueToolCallID
	keyFlueToolArguments
	keyFlueToolResult
	keyFlueTaskID
	keyFlueTaskAgent
	keyFlueTaskPrompt
	keyFlueTaskResult
	keyFlueOperationResult
	keyFlueWorkflowPayload
	keyFlueWorkflowResult

	keyVertexRequest
	keyVertexResponse
	keyVertexToolArgs
	keyVertexToolResponse

	keyLogfireMessage
	keyLogfirePrompt
	keyLogfireMessages
	keyPydanticMessages
	keyPydanticResult
	keyPydanticParameters
	keyPlainInput
	keyPlainOutput
	keyToolArguments
	keyToolResponse
	keyEvents

	keyLiveKitInputText
	keyLiveKitTranscript
	keyLiveKitChatContext
	keyLiveKitToolOutput
	keyLiveKitResponseText

	keyMLflowInputs
	keyMLflowOutputs
	keyTraceloopInput
	keyTraceloopOutput
	keyLlamaIndexTags
	keyOpenRouterSource

	keyCount
)
