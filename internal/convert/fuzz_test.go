// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/wire"
)

// check holds a row against what every row must be, whatever it was made of.
func check(t *testing.T, o *model.Observation) {
	t.Helper()
	for name, text := range map[string]string{
		"metadata": o.Metadata, "model parameters": o.ModelParameters, "experiment metadata": o.Experiment.Metadata,
		"item metadata": o.Experiment.ItemMetadata,
	} {
		if text != "" {
			checkObject(t, name, text)
		}
	}
	for _, text := range append([]string{
		o.Name, o.Input, o.Output, o.UserID, o.SessionID, o.TraceName, o.Version, o.Release, o.Model, o.PromptName, o.StatusMessage,
		o.Experiment.ID, o.Experiment.ItemExpectedOutput, o.Origin.ServiceName, o.Origin.ScopeName,
	}, o.Tags...) {
		assert.True(t, utf8.ValidString(text), "%q", text)
	}
	for _, entry := range o.ToolDefinitions {
		assert.True(t, json.Valid([]byte(entry.Text)), "tool definition %s", entry.Text)
	}
	for _, call := range o.ToolCalls {
		assert.True(t, json.Valid([]byte(call)), "tool call %s", call)
	}
	assert.Len(t, o.ToolCallNames, len(o.ToolCalls))
	for _, usage := range []model.Usage{o.ProvidedUsage, o.Usage} {
		keys := make([]string, 0, len(usage))
		for _, entry := range usage {
			assert.GreaterOrEqual(t, entry.Units, int64(0))
			assert.NotContains(t, keys, entry.Key)
			keys = append(keys, entry.Key)
		}
	}
	if len(o.Usage) > 0 {
		_, ok := o.Usage.Get(model.UsageKeyTotal)
		assert.True(t, ok, "usage without a total")
	}
	assert.NotEmpty(t, o.Type)
	assert.NotEmpty(t, o.Level)
	assert.NotEmpty(t, o.Environment)
	assert.LessOrEqual(t, len(o.Environment), 40)
	assert.False(t, o.Start.IsZero() && o.End.IsZero())
}

// checkObject wants a flat JSON object with each key once.
func checkObject(t *testing.T, name, text string) {
	t.Helper()
	require.True(t, json.Valid([]byte(text)), "%s: %q", name, text)
	assert.True(t, utf8.ValidString(text), "%s: %q", name, text)
	object, err := wire.Decode(text, wire.Limits{Bytes: len(text), Values: 1 << 30})
	require.NoError(t, err)
	require.Equal(t, wire.Object, object.Kind)
	keys := slices.Clone(object.Keys)
	slices.Sort(keys)
	assert.Len(t, slices.Compact(keys), len(object.Keys), "%s has a key twice: %s", name, text)
	for i, item := range object.Items {
		assert.NotEqual(t, wire.Object, item.Kind, "%s: %s is an object", name, object.Keys[i])
	}
}

// FuzzRequest converts any request.
func FuzzRequest(f *testing.F) {
	marshaler := &ptrace.JSONMarshaler{}
	for _, s := range []testSpan{
		{},
		scoped("ai", "ai.prompt.tools", `[{"name":"t"}]`, "ai.response.providerMetadata", `{"anthropic":{"usage":{"cache_read_input_tokens":1}}}`),
		scoped("genkit-tracer", "genkit:input", `{"messages":[]}`, "genkit:output", `{"usage":{"inputTokens":1}}`),
		scoped("langfuse-sdk", "langfuse.observation.metadata.a.b", `{"c":1}`, "langfuse.trace.metadata", `{"a":{"b":{"c":2}}}`),
		scoped("x", "gen_ai.prompt.0.a.1", "x", "langfuse.metadata.attributes", `{"a":1}`, "m", map[string]any{"n": []any{1.5, nil}}),
		{events: []testEvent{{"gen_ai.content.prompt", pairs{"gen_ai.prompt", []any{"x"}}}, {"exception", pairs{"exception.type", "E"}}}},
	} {
		request, err := marshaler.MarshalTraces(s.traces(f))
		require.NoError(f, err)
		f.Add(request)
	}
	f.Add([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a"},{"key":"a","value":{"bytesValue":"AQ=="}}]}]}]}]}`))
	converter := testConverter(f)
	unmarshaler := &ptrace.JSONUnmarshaler{}
	f.Fuzz(func(t *testing.T, request []byte) {
		td, err := unmarshaler.UnmarshalTraces(request)
		if err != nil {
			return
		}
		count := td.SpanCount()
		td.MarkReadOnly()
		rows := converter.Traces(td, RequestOrigin{})
		require.Len(t, rows, count)
		for i := range rows {
			check(t, &rows[i])
		}
	})
}

// texts are of all the kinds that some rule looks for, and of some that none expects.
var texts = []string{
	"", "x", "5", "-0", "1e400", "true", "null", `"x"`, "[]", "{}", `[{"role":"user","content":"x"}]`, `{"a":{"b":[1]},"a.b":2}`,
	`{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"x":1}}`, "2025-01-02T03:04:05Z",
	`{"tools":[{"type":"function","function":{"name":"a"}}]}`, `{"tool_calls":"[{\"name\":\"a\"}]"}`, "\xff\xfe", "9223372036854775808",
}

var scopes = []string{"", scopeAI, scopeGenkit, scopeFlue, scopePydantic, scopeVertex, scopeLiveKit, "langfuse-sdk"}

// attributeNames are all names that a rule knows, and names with each prefix that a rule knows.
func attributeNames(c *Converter) []string {
	names := make([]string, 0, keyCount)
	for name := range c.classifier.known {
		names = append(names, name)
	}
	for _, prefix := range familyPrefixes(c.settings.Names) {
		names = append(names, prefix.prefix+"k", prefix.prefix+"0.k")
	}
	slices.Sort(names)
	return names
}

func TestAnyTextInAnyAttribute(t *testing.T) {
	converter := testConverter(t)
	names := attributeNames(converter)
	for _, text := range texts {
		for _, scope := range scopes {
			s := testSpan{scope: scope, resource: pairs{text, text}}
			for _, name := range names {
				s.attributes = append(s.attributes, name, text)
				o := testSpan{scope: scope, attributes: pairs{name, text}}.rowBy(t, converter)
				check(t, &o)
			}
			o := s.rowBy(t, converter)
			check(t, &o)
		}
	}
}

// FuzzAttribute puts any text into any attribute, and into the names of some, in every scope that has rules of its own.
func FuzzAttribute(f *testing.F) {
	for i, text := range texts {
		f.Add(text, uint16(i))
	}
	converter := testConverter(f)
	names := attributeNames(converter)
	f.Fuzz(func(t *testing.T, text string, choice uint16) {
		scope := scopes[int(choice)%len(scopes)]
		name := names[int(choice)/len(scopes)%len(names)]
		s := testSpan{scope: scope, attributes: pairs{name, text}}
		for _, prefix := range familyPrefixes(converter.settings.Names) {
			s.attributes = append(s.attributes, prefix.prefix+text, text)
		}
		o := s.rowBy(t, converter)
		check(t, &o)
	})
}

// FuzzRebuild sets any paths.
func FuzzRebuild(f *testing.F) {
	f.Add("0.a", "0.b.1", "c", true)
	f.Add("10000.a", "0.1.2.3", "99999999999999999999", false)
	f.Add("__proto__.a", "..", "", true)
	f.Fuzz(func(t *testing.T, first, second, third string, isList bool) {
		tree := pathTree{slots: maxSlots, root: branch{isList: isList}}
		for _, path := range []string{first, second, third, first} {
			tree.set(path, textNode("x"))
			assert.GreaterOrEqual(t, tree.slots, 0)
		}
		assert.True(t, json.Valid([]byte(jsonText(tree.root.node()))))
	})
}
