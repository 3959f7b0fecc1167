// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert // import "github.com/weirhq/weir/internal/convert"

import "github.com/weirhq/weir/internal/wire"

// knownKey is what is known of an attribute by its name.
type knownKey struct {
	// key is its slot, none for content that no rule takes.
	key key
	// content says that the attribute is input or output of some library: it is not repeated in metadata.
	content bool
	// family and rest are set by the classifier.
	family family
	rest   string
}

// vendorKeys are the attributes of all libraries but the service's own.
func vendorKeys() map[string]knownKey {
	return map[string]knownKey{
		"user.id":                     {key: keyPlainUserID},
		"session.id":                  {key: keyPlainSessionID},
		"deployment.environment.name": {key: keyDeploymentEnvironmentName},
		"deployment.environment":      {key: keyDeploymentEnvironment},
		"service.name":                {key: keyServiceName},
		"service.version":             {key: keyServiceVersion},
		"telemetry.sdk.language":      {key: keyTelemetryLanguage},
		"telemetry.sdk.name":          {key: keyTelemetryName},
		"telemetry.sdk.version":       {key: keyTelemetryVersion},
		"model":                       {key: keyPlainModel},
		"model_config":                {key: keyModelConfig},
		"operation.name":              {key: keyOperationName},

		"gen_ai.operation.name":          {key: keyGenAIOperation},
		"gen_ai.system":                  {key: keyGenAISystem},
		"gen_ai.conversation.id":         {key: keyGenAIConversationID},
		"gen_ai.request.model":           {key: keyGenAIRequestModel},
		"gen_ai.response.model":          {key: keyGenAIResponseModel},
		"gen_ai.request.max_tokens":      {key: keyGenAIRequestMaxTokens},
		"gen_ai.request.temperature":     {key: keyGenAIRequestTemperature},
		"gen_ai.request.service_tier":    {key: keyGenAIRequestServiceTier},
		"gen_ai.response.finish_reasons": {key: keyGenAIFinishReasons},
		"gen_ai.finishReason":            {key: keyGenAIFinishReason},
		"gen_ai.tool.name":               {key: keyGenAIToolName},
		"gen_ai.tool.call.id":            {key: keyGenAIToolCallID},
		"gen_ai.tool.call.arguments":     {key: keyGenAIToolArguments, content: true},
		"gen_ai.tool.call.result":        {key: keyGenAIToolResult, content: true},
		"gen_ai.tool.definitions":        {key: keyGenAIToolDefinitions},
		"gen_ai.input.messages":          {key: keyGenAIInputMessages, content: true},
		"gen_ai.output.messages":         {key: keyGenAIOutputMessages, content: true},
		"gen_ai.system_instructions":     {key: keyGenAISystemInstructions, content: true},
		"gen_ai.prompt":                  {key: keyGenAIPrompt, content: true},
		"gen_ai.completion":              {key: keyGenAICompletion, content: true},
		"gen_ai.usage.cost":              {key: keyGenAIUsageCost},
		"gen_ai.usage.prompt_tokens":     {key: keyGenAIUsagePromptTokens},
		"gen_ai.usage.input_tokens":      {key: keyGenAIUsageInputTokens},
		"gen_ai.usage.completion_tokens": {key: keyGenAIUsageCompletionTokens},
		"gen_ai.usage.output_tokens":     {key: keyGenAIUsageOutputTokens},

		"llm.model_name":            {key: keyLLMModelName},
		"llm.response.model":        {key: keyLLMResponseModel},
		"llm.invocation_parameters": {key: keyLLMInvocationParameters},
		"llm.cost.total":            {key: keyLLMCostTotal},
		"llm.input_messages":        {key: keyLLMInputMessages, content: true},
		"llm.output_messages":       {key: keyLLMOutputMessages, content: true},
		"openinference.span.kind":   {key: keyOpenInferenceKind},
		"input.value":               {key: keyOpenInferenceInput, content: true},
		"output.value":              {key: keyOpenInferenceOutput, content: true},

		"ai.operationId":                  {key: keyAIOperationID},
		"ai.telemetry.functionId":         {key: keyAIFunctionID},
		"ai.model.id":                     {key: keyAIModelID},
		"ai.model.provider":               {key: keyAIModelProvider},
		"ai.prompt.messages":              {key: keyAIPromptMessages, content: true},
		"ai.prompt":                       {key: keyAIPrompt, content: true},
		"ai.prompt.tools":                 {key: keyAIPromptTools},
		"ai.prompt.toolChoice":            {key: keyAIPromptToolChoice},
		"ai.toolCall.name":                {key: keyAIToolCallName},
		"ai.toolCall.args":                {key: keyAIToolCallArgs, content: true},
		"ai.toolCall.result":              {key: keyAIToolCallResult, content: true},
		"ai.response.text":                {key: keyAIResponseText, content: true},
		"ai.response.object":              {key: keyAIResponseObject, content: true},
		"ai.response.toolCalls":           {key: keyAIResponseToolCalls, content: true},
		"ai.response.providerMetadata":    {key: keyAIResponseProviderMetadata},
		"ai.response.msToFirstChunk":      {key: keyAIResponseFirstChunk},
		"ai.result.text":                  {key: keyAIResultText, content: true},
		"ai.result.object":                {key: keyAIResultObject, content: true},
		"ai.result.toolCalls":             {key: keyAIResultToolCalls, content: true},
		"ai.stream.msToFirstChunk":        {key: keyAIStreamFirstChunk},
		"ai.settings.maxSteps":            {key: keyAISettingsMaxSteps},
		"ai.settings.maxRetries":          {key: keyAISettingsMaxRetries},
		"ai.settings.mode":                {key: keyAISettingsMode},
		"ai.usage.tokens":                 {key: keyAIUsageTokens},
		"ai.usage.cachedInputTokens":      {key: keyAIUsageCachedInput},
		"ai.usage.reasoningTokens":        {key: keyAIUsageReasoning},
		"ai.telemetry.metadata.userId":    {key: keyAIMetadataUserID},
		"ai.telemetry.metadata.sessionId": {key: keyAIMetadataSessionID},
		"ai.telemetry.metadata.tags":      {key: keyAIMetadataTags},

		"genkit:name":             {key: keyGenkitName},
		"genkit:metadata:subtype": {key: keyGenkitSubtype},
		"genkit:input":            {key: keyGenkitInput, content: true},
		"genkit:output":           {key: keyGenkitOutput, content: true},

		"flue.turn.input":       {key: keyFlueTurnInput, content: true},
		"flue.turn.output":      {key: keyFlueTurnOutput, content: true},
		"flue.tool.name":        {key: keyFlueToolName},
		"flue.tool.call_id":     {key: keyFlueToolCallID},
		"flue.tool.arguments":   {key: keyFlueToolArguments, content: true},
		"flue.tool.result":      {key: keyFlueToolResult, content: true},
		"flue.task.id":          {key: keyFlueTaskID},
		"flue.task.agent":       {key: keyFlueTaskAgent},
		"flue.task.prompt":      {key: keyFlueTaskPrompt, content: true},
		"flue.task.result":      {key: keyFlueTaskResult, content: true},
		"flue.operation.result": {key: keyFlueOperationResult, content: true},
		"flue.workflow.payload": {key: keyFlueWorkflowPayload, content: true},
		"flue.workflow.result":  {key: keyFlueWorkflowResult, content: true},

		"gcp.vertex.agent.llm_request":    {key: keyVertexRequest, content: true},
		"gcp.vertex.agent.llm_response":   {key: keyVertexResponse, content: true},
		"gcp.vertex.agent.tool_call_args": {key: keyVertexToolArgs, content: true},
		"gcp.vertex.agent.tool_response":  {key: keyVertexToolResponse, content: true},

		"logfire.msg":              {key: keyLogfireMessage},
		"prompt":                   {key: keyLogfirePrompt, content: true},
		"all_messages_events":      {key: keyLogfireMessages, content: true},
		"pydantic_ai.all_messages": {key: keyPydanticMessages, content: true},
		"final_result":             {key: keyPydanticResult, content: true},
		"model_request_parameters": {key: keyPydanticParameters},
		"input":                    {key: keyPlainInput, content: true},
		"output":                   {key: keyPlainOutput, content: true},
		"tool_arguments":           {key: keyToolArguments},
		"tool_response":            {key: keyToolResponse},
		"events":                   {key: keyEvents, content: true},

		"lk.input_text":           {key: keyLiveKitInputText, content: true},
		"lk.user_transcript":      {key: keyLiveKitTranscript, content: true},
		"lk.user_input":           {content: true},
		"lk.chat_ctx":             {key: keyLiveKitChatContext, content: true},
		"lk.function_tool.output": {key: keyLiveKitToolOutput, content: true},
		"lk.response.text":        {key: keyLiveKitResponseText, content: true},

		"mlflow.spanInputs":       {key: keyMLflowInputs, content: true},
		"mlflow.spanOutputs":      {key: keyMLflowOutputs, content: true},
		"traceloop.entity.input":  {key: keyTraceloopInput, content: true},
		"traceloop.entity.output": {key: keyTraceloopOutput, content: true},
		"tag.tags":                {key: keyLlamaIndexTags},
		"openrouter.source":       {key: keyOpenRouterSource},
	}
}

// knownKeys are all attributes that have a slot, by name.
func knownKeys(names wire.Names) map[string]knownKey {
	known := vendorKeys()
	span, experiment := names.Span, names.Experiment
	for name, key := range map[string]key{
		span.Environment:              keyEnvironment,
		span.Release:                  keyRelease,
		span.Version:                  keyVersion,
		span.UserID:                   keyUserID,
		span.SessionID:                keySessionID,
		span.TraceName:                keyTraceName,
		span.TraceTags:                keyTraceTags,
		span.TracePublic:              keyTracePublic,
		span.Tags:                     keyTags,
		span.Public:                   keyPublic,
		span.Metadata:                 keyMetadata,
		names.TraceMetadata:           keyTraceMetadata,
		names.ObservationMetadata:     keyObservationMetadata,
		span.Type:                     keyType,
		span.Level:                    keyLevel,
		span.StatusMessage:            keyStatusMessage,
		span.CompletionStartTime:      keyCompletionStartTime,
		span.ModelName:                keyModelName,
		span.ModelParameters:          keyModelParameters,
		span.UsageDetails:             keyUsageDetails,
		span.CostDetails:              keyCostDetails,
		span.ObservationPromptName:    keyObservationPromptName,
		span.ObservationPromptVersion: keyObservationPromptVersion,
		span.PromptName:               keyPromptName,
		span.PromptVersion:            keyPromptVersion,
		span.IsAppRoot:                keyIsAppRoot,

		names.ObservationMetadataPrefix + span.MetadataUserID:    keyObservationMetadataUserID,
		names.ObservationMetadataPrefix + span.MetadataSessionID: keyObservationMetadataSessionID,
		names.ObservationMetadataPrefix + span.MetadataTags:      keyObservationMetadataTags,
		names.TraceMetadataPrefix + span.MetadataUserID:          keyTraceMetadataUserID,
		names.TraceMetadataPrefix + span.MetadataSessionID:       keyTraceMetadataSessionID,
		names.TraceMetadataPrefix + span.MetadataTags:            keyTraceMetadataTags,
		aiMetadataPrefix + span.MetadataPrompt:                   keyAIMetadataPrompt,

		experiment.ID:                    keyExperimentID,
		experiment.Name:                  keyExperimentName,
		experiment.Description:           keyExperimentDescription,
		experiment.Metadata:              keyExperimentMetadata,
		experiment.DatasetID:             keyExperimentDatasetID,
		experiment.ItemID:                keyExperimentItemID,
		experiment.ItemVersion:           keyExperimentItemVersion,
		experiment.ItemMetadata:          keyExperimentItemMetadata,
		experiment.ItemExpectedOutput:    keyExperimentItemExpectedOutput,
		experiment.ItemRootObservationID: keyExperimentItemRootID,
	} {
		known[name] = knownKey{key: key}
	}
	known[span.Input] = knownKey{key: keyInput, content: true}
	known[span.Output] = knownKey{key: keyOutput, content: true}
	known[span.TraceInput] = knownKey{content: true}
	known[span.TraceOutput] = knownKey{content: true}
	return known
}
