// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"

	"github.com/weirhq/weir/internal/wire"
)

// sdk is a span of the service's own client, whose attributes are not repeated in metadata.
func sdk(attributes ...any) testSpan { return scoped("langfuse-sdk", attributes...) }

// own is the metadata without the scope that every span of sdk has.
func own(t *testing.T, s testSpan) string {
	t.Helper()
	text, ok := strings.CutPrefix(s.row(t).Metadata, `{"scope.name":"langfuse-sdk"`)
	require.True(t, ok, text)
	if rest, ok := strings.CutPrefix(text, ","); ok {
		return "{" + rest
	}
	return ""
}

func TestMetadataValues(t *testing.T) {
	for _, tc := range []struct {
		name     string
		value    any
		expected string
	}{
		// As the specification encodes.
		{"string", `"plain"`, `{"k":"plain"}`},
		{"string of digits", `"42"`, `{"k":"42"}`},
		{"string of quotes", `"\"q\""`, `{"k":"\"q\""}`},
		{"number", `42`, `{"k":42}`},
		{"fraction", `1.50`, `{"k":1.50}`},
		{"boolean", `true`, `{"k":true}`},
		{"null", `null`, `{"k":null}`},
		{"object", `{"a":{"b":1},"c":"x","e":{}}`, `{"k.a.b":1,"k.c":"x"}`},
		{"list", `[1, {"a": "b"}]`, `{"k":[1,{"a":"b"}]}`},
		{"large integer", `9007199254740993`, `{"k":9007199254740993}`},
		{"integer beyond 64 bits", `123456789012345678901234567890`, `{"k":123456789012345678901234567890}`},
		{"integer beyond 64 bits as a string", `"123456789012345678901234567890"`, `{"k":"123456789012345678901234567890"}`},
		{"number that no float holds", `1e400`, `{"k":"1e400"}`},
		{"empty object", `{}`, ``},
		{"empty list", `[]`, `{"k":[]}`},
		{"empty string", `""`, `{"k":""}`},
		{"non-ASCII", `"grüße 🎉"`, `{"k":"grüße 🎉"}`},
		{"escapes", `"\u00fc\n<&>"`, `{"k":"ü\n<&>"}`},
		{"repeated key", `{"a":1,"a":2}`, `{"k.a":2}`},

		// As older clients write.
		{"bare text", `plain`, `{"k":"plain"}`},
		{"bare text that begins like JSON", `true story`, `{"k":"true story"}`},
		{"a date", `2026-01-02`, `{"k":"2026-01-02"}`},
		{"JSON with blanks", ` { "a" : "\u00fc" } `, `{"k.a":"ü"}`},
		{"broken JSON", `{"a":`, `{"k":"{\"a\":"}`},
		{"empty text", ``, `{"k":""}`},

		// Other types of attributes.
		{"int", 42, `{"k":42}`},
		{"large int", int64(math.MaxInt64), `{"k":9223372036854775807}`},
		{"double", 0.1, `{"k":0.1}`},
		{"whole double", 3.0, `{"k":3}`},
		{"NaN", math.NaN(), `{"k":"NaN"}`},
		{"infinity", math.Inf(-1), `{"k":"-Infinity"}`},
		{"bool", false, `{"k":false}`},
		{"no value", nil, `{"k":null}`},
		{"bytes", []byte{0xff, 0}, `{"k":"/wA="}`},
		{"slice", []any{"a", int64(1), nil, []any{}}, `{"k":["a",1,null,[]]}`},
		{"empty slice", []any{}, `{"k":[]}`},
		{"map", map[string]any{"a": map[string]any{"b": `"x"`}}, `{"k.a.b":"\"x\""}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, own(t, sdk("langfuse.observation.metadata.k", tc.value)))
			assert.Equal(t, tc.expected, own(t, sdk("langfuse.trace.metadata.k", tc.value)))
		})
	}
}

// Texts of older names are taken as they are: their clients never encoded.
func TestMetadataThatIsNotDecoded(t *testing.T) {
	assert.Equal(t, `{"k":"\"x\"","l":"7","m":7}`, own(t, sdk("langfuse.metadata.k", `"x"`, "ai.telemetry.metadata.l", "7", "langfuse.metadata.m", 7)))
}

func TestMetadataBlobs(t *testing.T) {
	for _, tc := range []struct {
		name     string
		value    any
		expected string
	}{
		{"object", `{"a": "1", "b": {"c": 2}}`, `{"a":"1","b.c":2}`},
		{"list", `["x", {"y": 1}]`, `{"0":"x","1.y":1}`},
		{"map", map[string]any{"a": 1}, `{"a":1}`},
		{"slice", []any{"x"}, `{"0":"x"}`},
		{"text", "plain", ""},
		{"JSON string", `"x"`, ""},
		{"JSON number", "42", ""},
		{"broken", "{x", ""},
		{"empty", "", ""},
		{"int", 5, ""},
		{"false", false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, name := range []string{"langfuse.observation.metadata", "langfuse.trace.metadata", "langfuse.metadata"} {
				assert.Equal(t, tc.expected, own(t, sdk(name, tc.value)), name)
			}
		})
	}
	assert.Equal(t, `{"a":1}`, own(t, sdk("langfuse.metadata", `{"a":1}`, "langfuse.observation.metadata", "")), "a blob that is not set")
	assert.Equal(t, `{"b":1,"a":1}`, own(t, sdk("langfuse.metadata", `{"a":1}`, "langfuse.observation.metadata", `{"b":1}`)), "the old blob is still that of the trace")
}

func TestMetadataOrder(t *testing.T) {
	const obs, trace, compat = "langfuse.observation.metadata", "langfuse.trace.metadata", "langfuse.metadata"
	for _, tc := range []struct {
		name       string
		attributes pairs
		expected   string
	}{
		{"blob first", pairs{obs + ".b", "1", obs, `{"a":0,"b":0}`}, `{"a":0,"b":1}`},
		{"trace beats observation in place", pairs{trace + ".a", "2", obs + ".a", "1", obs + ".b", "3"}, `{"a":2,"b":3}`},
		{"older name beats observation", pairs{compat + ".a", "old", obs + ".a", "1"}, `{"a":"old"}`},
		{"later of older name and trace", pairs{compat + ".a", "old", trace + ".a", "1"}, `{"a":1}`},
		{"first of equal paths", pairs{obs + ".a.b", "1", obs + ".a", `{"b":2,"c":3}`}, `{"a.b":1,"a.c":3}`},
		{"first of equal paths, nested first", pairs{obs + ".a", `{"b":2,"c":3}`, obs + ".a.b", "1"}, `{"a.b":2,"a.c":3}`},
		{"deeper equal paths", pairs{obs + ".a", `{"b.c":1,"b":{"c":2,"d":3}}`, trace + ".a.b.d", "4"}, `{"a.b.c":1,"a.b.d":3}`},
		{"AI fields are no metadata", pairs{
			"ai.telemetry.metadata.userId", "u", "ai.telemetry.metadata.sessionId", "s", "ai.telemetry.metadata.tags", "t",
			"ai.telemetry.metadata.langfusePrompt", "{}", "ai.telemetry.metadata.x", "y",
		}, `{"x":"y"}`},
		{"integration fields stay", pairs{obs + ".langfuse_user_id", "u"}, `{"langfuse_user_id":"u"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			assert.Equal(t, tc.expected, own(t, sdk(tc.attributes...)))
		})
	}
}

func TestMetadataParts(t *testing.T) {
	s := testSpan{
		scope: "my scope", version: "2",
		scopeAttributes: pairs{"public_key", "pk", wire.MarkEncoding, "json", "m", map[string]any{"n": 1}},
		resource:        pairs{"service.name", "shop", "weir.project.id", "p", "pid", 7, "empty", nil, "m", map[string]any{"n": []any{1}}},
		attributes:      pairs{"a", "x", "b", 1, "c", true, "d", []any{"y"}, "e", nil, "f", 0.5, "g", []byte{1}, "weir.x", "stays", "q\"", "\n"},
	}
	assert.Equal(t, `{"attributes.a":"x","attributes.b":1,"attributes.c":true,"attributes.d":["y"],"attributes.e":null,"attributes.f":0.5,`+
		`"attributes.g":"AQ==","attributes.weir.x":"stays","attributes.q\"":"\n",`+
		`"resourceAttributes.service.name":"shop","resourceAttributes.pid":7,"resourceAttributes.empty":null,"resourceAttributes.m.n":[1],`+
		`"scope.name":"my scope","scope.version":"2","scope.attributes.public_key":"pk","scope.attributes.m.n":1}`, s.row(t).Metadata)

	s.scope = "langfuse-sdk-js"
	assert.NotContains(t, s.row(t).Metadata, `"attributes.a"`)
	assert.Empty(t, testSpan{}.row(t).Metadata)

	s = withAttributes("a.b", 1, "a", map[string]any{"b": 2})
	assert.Equal(t, `{"attributes.a.b":1}`, s.row(t).Metadata)
	s = withAttributes("a", map[string]any{"b": 2}, "a.b", 1)
	assert.Equal(t, `{"attributes.a.b":2}`, s.row(t).Metadata)
}

// A key of the client takes the place of a part with the same name, and paths into a part meet it.
func TestMetadataReservedNames(t *testing.T) {
	const obs = "langfuse.observation.metadata."
	s := testSpan{scope: "x", resource: pairs{"service.name", "shop"}, attributes: pairs{"a", 1}}
	for _, tc := range []struct {
		attributes pairs
		expected   string
	}{
		{pairs{obs + "scope", `"mine"`}, `{"attributes.a":1,"resourceAttributes.service.name":"shop","scope":"mine"}`},
		{pairs{obs + "attributes", `{"b":2}`}, `{"attributes.b":2,"resourceAttributes.service.name":"shop","scope.name":"x"}`},
		{pairs{obs + "resourceAttributes", `{}`}, `{"attributes.a":1,"scope.name":"x"}`},
		{pairs{obs + "scope.name", "no", obs + "scope.more", "1"}, `{"attributes.a":1,"resourceAttributes.service.name":"shop","scope.name":"x","scope.more":1}`},
		{pairs{obs + "attributes.a", "2"}, `{"attributes.a":1,"resourceAttributes.service.name":"shop","scope.name":"x"}`},
		{pairs{obs + "scoped", "2"}, `{"attributes.a":1,"resourceAttributes.service.name":"shop","scope.name":"x","scoped":2}`},
	} {
		s.attributes = append(pairs{"a", 1}, tc.attributes...)
		assert.Equal(t, tc.expected, s.row(t).Metadata)
	}
}

// Content is not repeated in metadata, whether a rule took it or not; all else is.
func TestMetadataWithoutContent(t *testing.T) {
	var attributes pairs
	for name, known := range knownKeys(wire.NewNames(wire.DefaultService)) {
		if known.content {
			attributes = append(attributes, name, "content")
		}
	}
	attributes = append(
		attributes,
		"gen_ai.prompt.0.role", "x", "gen_ai.prompts", "x", "gen_ai.completion.0.role", "x", "llm.input_messages.0.a", "x", "llm.output_messages.0.a", "x",
		"langfuse.observation.metadata", "{}", "langfuse.trace.metadata", "{}", "langfuse.observation.metadata.", nil, "ai.telemetry.metadata", "x",
		"ai.telemetry.metadata.userId", "u",
	)
	assert.Equal(t, `{"":null}`, withAttributes(attributes...).row(t).Metadata)

	kept := pairs{
		"tool_arguments", "x", "tool_response", "x", "langfuse.metadata", "{}", "gen_ai.usage.input_tokens", 1, "gen_ai.request.model", "m", "user.id", "u",
		"langfuse.experiment.id", "e", "langfuse.observation.type", "span", "langfuse.environment", "prod",
	}
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(withAttributes(kept...).row(t).Metadata), &object))
	assert.Len(t, object, len(kept)/2)
	for i := 0; i < len(kept); i += 2 {
		assert.Contains(t, object, "attributes."+kept[i].(string))
	}
}

// Many attributes take other ways through the code than few.
func TestMetadataOfManyAttributes(t *testing.T) {
	s := testSpan{scope: "x"}
	const count = 3 * linearLimit
	for i := range count {
		s.attributes = append(s.attributes, fmt.Sprintf("a%d", i), i, fmt.Sprintf("langfuse.observation.metadata.m%d", i), i)
	}
	s.attributes = append(s.attributes, "langfuse.trace.metadata.m7", "last")
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(s.row(t).Metadata), &object))
	assert.Len(t, object, 2*count+1)
	assert.InDelta(t, 99, object["attributes.a99"], 0)
	assert.InDelta(t, 99, object["m99"], 0)
	assert.Equal(t, "last", object["m7"])
}

// An object whose keys are long and whose leaves are many must not grow into gigabytes.
func TestMetadataPathsAreBounded(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"` + strings.Repeat("k", 100_000) + `":{"a":0`)
	for i := range 1000 {
		fmt.Fprintf(&text, `,"%d":%d`, i, i)
	}
	text.WriteString(`}}`)
	metadata := own(t, sdk("langfuse.observation.metadata.big", text.String(), "langfuse.observation.metadata.small", `{"a":1}`))
	assert.Less(t, len(metadata), 3*text.Len())
	assert.True(t, json.Valid([]byte(metadata)))
	assert.Contains(t, metadata, `"big.`+strings.Repeat("k", 100_000)+`":"{\"a\":0,`)
}

func TestDeepValues(t *testing.T) {
	deep := pcommon.NewValueMap()
	for inner, depth := deep.Map(), 0; depth < 3*wire.MaxDepth; depth++ {
		inner = inner.PutEmptyMap("a")
	}
	assert.True(t, json.Valid([]byte(jsonText(nodeOf(deep)))))
	list := pcommon.NewValueSlice()
	for inner, depth := list.Slice(), 0; depth < 3*wire.MaxDepth; depth++ {
		inner = inner.AppendEmpty().SetEmptySlice()
	}
	assert.True(t, json.Valid([]byte(jsonText(nodeOf(list)))))
}

func TestExperiment(t *testing.T) {
	o := sdk(
		"langfuse.experiment.id", "e1", "langfuse.experiment.name", "n", "langfuse.experiment.description", "d",
		"langfuse.experiment.dataset.id", "ds", "langfuse.experiment.item.id", 5, "langfuse.experiment.item.root_observation_id", "r",
		"langfuse.experiment.item.expected_output", `{"a": 1}`, "langfuse.experiment.item.version", "2026-04-24T15:22:36.622Z",
		"langfuse.experiment.metadata.region", "emea", "langfuse.experiment.metadata", `{"region":"x","n":{"m":1}}`,
		"langfuse.experiment.item.metadata.position", 3, "langfuse.experiment.item.metadata.nested.a", "1",
	).row(t)
	e := o.Experiment
	assert.Equal(t, "e1", e.ID)
	assert.Equal(t, "n", e.Name)
	assert.Equal(t, "d", e.Description)
	assert.Equal(t, "ds", e.DatasetID)
	assert.Equal(t, "5", e.ItemID)
	assert.Equal(t, "r", e.ItemRootID)
	assert.Equal(t, `{"a": 1}`, e.ItemExpectedOutput)
	assert.Equal(t, "2026-04-24 15:22:36.622", dateText(e.ItemVersion))
	assert.Equal(t, `{"region":"emea","n.m":1}`, e.Metadata)
	assert.Equal(t, `{"position":3,"nested.a":1}`, e.ItemMetadata)
	assert.Equal(t, `{"scope.name":"langfuse-sdk"}`, o.Metadata)

	o = sdk("langfuse.experiment.id", "", "langfuse.experiment.item.version", "v1", "langfuse.experiment.metadata", "broken").row(t)
	assert.Empty(t, o.Experiment)
}

// Names that differ only in what is not UTF-8 must not become one name twice.
func TestMetadataThatIsNotUTF8(t *testing.T) {
	s := testSpan{scope: "x\xff", attributes: pairs{"a\xff", 1, "a\xfe", "\xff", "m", map[string]any{"\xff": "\xfe"}}, name: "n\xff", message: "\xff"}
	o := s.row(t)
	check(t, &o)
	assert.Equal(t, `{"attributes.a�":"�","attributes.m.�":"�","scope.name":"x�"}`, o.Metadata)
	assert.Equal(t, "n�", o.Name)
	assert.Equal(t, "�", o.StatusMessage)
}
