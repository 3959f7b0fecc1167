// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
)

func TestName(t *testing.T) {
	for _, tc := range []struct {
		name       string
		attributes pairs
		expected   string
	}{
		{"of the span", nil, "span"},
		{"operation", pairs{"ai.operationId", "ai.embed"}, "ai.embed"},
		{"operation of a function", pairs{"ai.operationId", "ai.embed", "ai.telemetry.functionId", "index"}, "index:ai.embed"},
		{"function alone", pairs{"ai.telemetry.functionId", "index"}, "span"},
		{"tool of the AI SDK", pairs{"ai.operationId", "ai.toolCall", "ai.toolCall.name", "weather"}, "weather"},
		{"logfire", pairs{"ai.toolCall.name", "weather", "logfire.msg", "calling"}, "calling"},
		{"empty logfire", pairs{"logfire.msg", ""}, "span"},
		{"genkit", pairs{"logfire.msg", "calling", "genkit:name", "flow"}, "flow"},
		{"tool", pairs{"genkit:name", "flow", "gen_ai.tool.name", "search"}, "search"},
		{"a number", pairs{"gen_ai.tool.name", 5}, "5"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, withAttributes(tc.attributes...).row(t).Name)
		})
	}
}

func TestUserAndSession(t *testing.T) {
	// Each source beats those after it.
	for _, sources := range []struct {
		field func(model.Observation) string
		names []string
	}{
		{func(o model.Observation) string { return o.UserID }, []string{
			"langfuse.user.id", "user.id", "langfuse.observation.metadata.langfuse_user_id",
			"langfuse.trace.metadata.langfuse_user_id", "ai.telemetry.metadata.userId",
		}},
		{func(o model.Observation) string { return o.SessionID }, []string{
			"langfuse.session.id", "session.id", "gen_ai.conversation.id", "langfuse.observation.metadata.langfuse_session_id",
			"langfuse.trace.metadata.langfuse_session_id", "ai.telemetry.metadata.sessionId",
		}},
	} {
		var attributes pairs
		for _, name := range slices.Backward(sources.names) {
			attributes = append(attributes, name, "from "+name)
			assert.Equal(t, "from "+name, sources.field(withAttributes(attributes...).row(t)))
		}
		assert.Equal(t, "7", sources.field(withAttributes(sources.names[0], 7).row(t)))
		assert.Equal(t, "later", sources.field(withAttributes(sources.names[0], "", sources.names[1], "later").row(t)))
	}
	assert.Empty(t, testSpan{resource: pairs{"user.id", "u", "session.id", "s"}}.row(t).UserID)
	assert.Equal(t, "u", withAttributes("langfuse.trace.metadata.langfuse_user_id", "\"u\"").row(t).UserID)
	assert.Equal(t, "\"u\"", withAttributes("user.id", "\"u\"").row(t).UserID)
}

func TestTags(t *testing.T) {
	for _, tc := range []struct {
		name     string
		value    any
		expected []string
	}{
		{"list", []any{"b", "a", 1, "a"}, []string{"b", "a", "1", "a"}},
		{"JSON list", `["b", 2, {"c":1}]`, []string{"b", "2", `{"c":1}`}},
		{"commas", "x, y ,z", []string{"x", "y", "z"}},
		{"one", "x y", []string{"x y"}},
		{"broken JSON", "[x", []string{"[x"}},
		{"empty list", []any{}, []string{}},
		{"empty", "", nil},
		{"number", 7, []string{"7"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, withAttributes("langfuse.trace.tags", tc.value).row(t).Tags)
		})
	}
	names := []string{
		"langfuse.trace.tags", "langfuse.tags", "langfuse.observation.metadata.langfuse_tags",
		"langfuse.trace.metadata.langfuse_tags", "ai.telemetry.metadata.tags", "tag.tags",
	}
	var attributes pairs
	for _, name := range slices.Backward(names) {
		attributes = append(attributes, name, name)
		assert.Equal(t, []string{name}, withAttributes(attributes...).row(t).Tags)
	}
	assert.Equal(t, []string{"a", "b"}, withAttributes("langfuse.trace.metadata.langfuse_tags", `"a,b"`).row(t).Tags)
	assert.Equal(t, []string{"a"}, withAttributes("langfuse.trace.metadata.langfuse_tags", []any{"a"}).row(t).Tags)
}

func TestVersionReleaseAndTraceName(t *testing.T) {
	o := testSpan{
		resource:   pairs{"service.version", "s1", "langfuse.release", "r1", "langfuse.version", "ignored", "langfuse.trace.name", "ignored"},
		attributes: pairs{"langfuse.trace.name", "tn"},
	}.row(t)
	assert.Equal(t, "s1", o.Version)
	assert.Equal(t, "r1", o.Release)
	assert.Equal(t, "tn", o.TraceName)

	o = testSpan{
		resource:   pairs{"service.version", "s1", "langfuse.release", "r1"},
		attributes: pairs{"langfuse.version", "v2", "langfuse.release", "r2"},
	}.row(t)
	assert.Equal(t, "v2", o.Version)
	assert.Equal(t, "r2", o.Release)

	o = testSpan{resource: pairs{"service.version", "s1"}, attributes: pairs{"langfuse.version", ""}}.row(t)
	assert.Empty(t, o.Version, "an empty version is a version")
	assert.Empty(t, testSpan{name: "n"}.row(t).TraceName)
}

func TestPublic(t *testing.T) {
	assert.True(t, withAttributes("langfuse.trace.public", true).row(t).Public)
	assert.True(t, withAttributes("langfuse.public", "true").row(t).Public)
	assert.False(t, withAttributes("langfuse.trace.public", false, "langfuse.public", true).row(t).Public)
	assert.False(t, withAttributes("langfuse.public", 1).row(t).Public)
	assert.False(t, withAttributes().row(t).Public)
}

func TestEnvironment(t *testing.T) {
	for _, tc := range []struct{ value, expected any }{
		{"staging", "staging"},
		{"Prod", "prod"},
		{"langfuse-prod", "prod"},
		{"langfuse_langfuse-LANGFUSEx", "x"},
		{"langfuse", "default"},
		{"a b", "default"},
		{"größe", "default"},
		{"a.b", "default"},
		{"0123456789-0123456789-0123456789-0123456789", "0123456789-0123456789-0123456789-0123456"},
		{"", "default"},
		{5, "default"},
		{[]any{"prod"}, "default"},
	} {
		assert.Equal(t, tc.expected, withAttributes("langfuse.environment", tc.value).row(t).Environment, "%v", tc.value)
	}
}

func TestEnvironmentSources(t *testing.T) {
	s := testSpan{}
	assert.Equal(t, "default", s.row(t).Environment)
	for _, name := range []string{"deployment.environment", "deployment.environment.name", "langfuse.environment"} {
		s.resource = append(s.resource, name, "r-"+name[:4])
		assert.Equal(t, "r-"+name[:4], s.row(t).Environment)
		s.attributes = append(s.attributes, name, "s-"+name[:4])
		assert.Equal(t, "s-"+name[:4], s.row(t).Environment)
	}
	// A name that is not valid does not give way to the next source.
	s = testSpan{resource: pairs{"deployment.environment", "prod"}, attributes: pairs{"langfuse.environment", "no name"}}
	assert.Equal(t, "default", s.row(t).Environment)
}

func TestEnvironmentOfFailedJudge(t *testing.T) {
	judge := testSpan{
		resource: pairs{"service.name", "openrouter"},
		attributes: pairs{
			"openrouter.source", "openrouter",
			"gen_ai.completion", `{"completion":null,"rawRequest":{"trace":{"environment":"langfuse-llm-as-a-judge"}}}`,
		},
	}
	assert.Equal(t, "llm-as-a-judge", judge.row(t).Environment)

	other := judge
	other.resource = pairs{"service.name", "shop"}
	assert.Equal(t, "default", other.row(t).Environment)
	other = judge
	other.attributes = pairs{"openrouter.source", "openrouter", "gen_ai.completion", `{"completion":"x","rawRequest":{"trace":{"environment":"langfuse-llm-as-a-judge"}}}`}
	assert.Equal(t, "default", other.row(t).Environment)
	other.attributes = pairs{"openrouter.source", "openrouter", "gen_ai.completion", "no JSON"}
	assert.Equal(t, "default", other.row(t).Environment)
}

func TestLevel(t *testing.T) {
	for text, expected := range map[string]model.Level{
		"DEBUG": model.LevelDebug, "trace": model.LevelDebug, "Verbose": model.LevelDebug,
		"DEFAULT": model.LevelDefault, "info": model.LevelDefault, "log": model.LevelDefault, "notice": model.LevelDefault,
		"ok": model.LevelDefault, "success": model.LevelDefault,
		"Warning": model.LevelWarning, "warn": model.LevelWarning,
		"error": model.LevelError, "FATAL": model.LevelError, "critical": model.LevelError,
	} {
		s := withAttributes("langfuse.observation.level", text)
		assert.Equal(t, expected, s.row(t).Level, text)
		s.status = ptrace.StatusCodeError
		assert.Equal(t, expected, s.row(t).Level, "%s beats the status", text)
	}
	assert.Equal(t, model.LevelWarning, withAttributes("langfuse.observation.level", " warn\n").row(t).Level)
	s := withAttributes("langfuse.observation.level", "loud")
	assert.Equal(t, model.LevelDefault, s.row(t).Level)
	s.status = ptrace.StatusCodeError
	assert.Equal(t, model.LevelError, s.row(t).Level)
	s.status = ptrace.StatusCodeOk
	assert.Equal(t, model.LevelDefault, s.row(t).Level)
}

func TestLiveKitLevel(t *testing.T) {
	for _, name := range []string{
		"user_speaking", "eou_detection", "llm_request_run", "tts_node", "tts_request", "tts_request_run", "tts_stream_adapter",
		"agent_speaking", "drain_agent_activity", "on_exit", "on_enter", "llm_fallback_adapter", "tts_fallback_adapter",
		"start_agent_activity",
	} {
		s := testSpan{scope: "livekit-agents", name: name}
		assert.Equal(t, model.LevelDebug, s.row(t).Level, name)
		s.status = ptrace.StatusCodeError
		assert.Equal(t, model.LevelError, s.row(t).Level, name)
		assert.Equal(t, model.LevelDefault, testSpan{name: name}.row(t).Level, name)
	}
	assert.Equal(t, model.LevelDefault, testSpan{scope: "livekit-agents", name: "agent_turn"}.row(t).Level)
}

func TestStatusMessage(t *testing.T) {
	exception := testEvent{"exception", pairs{"exception.type", "ValueError", "exception.message", "kaput"}}
	for _, tc := range []struct {
		name     string
		span     testSpan
		expected string
	}{
		{"none", testSpan{}, ""},
		{"of the span", testSpan{message: "late", events: []testEvent{exception}}, "late"},
		{"attribute", testSpan{message: "late", attributes: pairs{"langfuse.observation.status_message", "early"}}, "early"},
		{"exception", testSpan{events: []testEvent{exception}}, "ValueError: kaput"},
		{"last exception", testSpan{events: []testEvent{{"exception", pairs{"exception.type", "A"}}, exception, {"log", nil}}}, "ValueError: kaput"},
		{"only a type", testSpan{events: []testEvent{{"exception", pairs{"exception.type", "A"}}}}, "A"},
		{"only a message", testSpan{events: []testEvent{{"exception", pairs{"exception.message", "m"}}}}, "m"},
		{"empty attribute", testSpan{message: "late", attributes: pairs{"langfuse.observation.status_message", ""}}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, tc.span.row(t).StatusMessage)
		})
	}
}

func TestPrompt(t *testing.T) {
	version := func(n int) *int { return &n }
	for _, tc := range []struct {
		name       string
		attributes pairs
		prompt     string
		version    *int
	}{
		{"new names", pairs{"langfuse.observation.prompt.name", "p", "langfuse.observation.prompt.version", 3, "langfuse.prompt.name", "q", "langfuse.prompt.version", 4}, "p", version(3)},
		{"old names", pairs{"langfuse.prompt.name", "q", "langfuse.prompt.version", 4}, "q", version(4)},
		{"AI SDK", pairs{"ai.telemetry.metadata.langfusePrompt", `{"name":"r","version":5,"config":{}}`}, "r", version(5)},
		{"AI SDK as a map", pairs{"ai.telemetry.metadata.langfusePrompt", map[string]any{"name": "r"}}, "r", nil},
		{"AI SDK, broken", pairs{"ai.telemetry.metadata.langfusePrompt", "{"}, "", nil},
		{"version as text", pairs{"langfuse.prompt.version", "6"}, "", version(6)},
		{"version 0", pairs{"langfuse.prompt.version", 0}, "", version(0)},
		{"version too large", pairs{"langfuse.prompt.version", 65536}, "", nil},
		{"version negative", pairs{"langfuse.prompt.version", -1}, "", nil},
		{"version with a fraction", pairs{"langfuse.prompt.version", 1.5}, "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := withAttributes(append(tc.attributes, "langfuse.observation.type", "generation")...).row(t)
			assert.Equal(t, tc.prompt, o.PromptName)
			assert.Equal(t, tc.version, o.PromptVersion)
			assert.Empty(t, o.PromptID)
			o = withAttributes(append(tc.attributes, "langfuse.observation.type", "agent")...).row(t)
			assert.Empty(t, o.PromptName)
			assert.Nil(t, o.PromptVersion)
		})
	}
}
