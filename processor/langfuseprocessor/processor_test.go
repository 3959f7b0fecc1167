// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"
	"go.opentelemetry.io/collector/processor/processortest"

	"github.com/weirhq/weir/internal/wire"
	"github.com/weirhq/weir/processor/langfuseprocessor/internal/metadata"
)

const (
	observation = "langfuse.observation.metadata"
	trace       = "langfuse.trace.metadata"
)

// library is the scope and resource of who wrote a span.
type library struct {
	scope, version, language string
	publicKey                bool
}

var foreign = library{scope: "my.app", version: "1.0.0"}

func tracesOf(lib library, attributes map[string]any) ptrace.Traces {
	td := ptrace.NewTraces()
	rs := td.ResourceSpans().AppendEmpty()
	if lib.language != "" {
		rs.Resource().Attributes().PutStr("telemetry.sdk.language", lib.language)
	}
	ss := rs.ScopeSpans().AppendEmpty()
	ss.Scope().SetName(lib.scope)
	ss.Scope().SetVersion(lib.version)
	if lib.publicKey {
		ss.Scope().Attributes().PutStr("public_key", "pk")
	}
	if err := ss.Spans().AppendEmpty().Attributes().FromRaw(attributes); err != nil {
		panic(err)
	}
	return td
}

func scopeOf(td ptrace.Traces) ptrace.ScopeSpans { return td.ResourceSpans().At(0).ScopeSpans().At(0) }

func attributesOf(td ptrace.Traces) map[string]any {
	return scopeOf(td).Spans().At(0).Attributes().AsRaw()
}

func newProcessor(t testing.TB, cfg *Config) *metadataProcessor {
	p, err := newMetadataProcessor(cfg, processortest.NewNopSettings(metadata.Type))
	require.NoError(t, err)
	return p
}

// process runs a batch through the processor twice, and holds the second run against the first.
func process(t *testing.T, cfg *Config, td ptrace.Traces) {
	t.Helper()
	p := newProcessor(t, cfg)
	_, err := p.processTraces(t.Context(), td)
	require.NoError(t, err)
	once := onTheWire(t, td)
	_, err = p.processTraces(t.Context(), td)
	require.NoError(t, err)
	assert.Equal(t, once, onTheWire(t, td), "a second run changes nothing")
}

func onTheWire(t *testing.T, td ptrace.Traces) string {
	t.Helper()
	text, err := new(ptrace.JSONMarshaler).MarshalTraces(td)
	require.NoError(t, err)
	return string(text)
}

// row is one value before and after; an absent want means that the attribute is gone.
type row struct {
	name string
	in   any
	want any
}

func runRows(t *testing.T, cfg *Config, lib library, key string, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			td := tracesOf(lib, map[string]any{key: r.in, "other": "untouched"})
			process(t, cfg, td)
			want := map[string]any{"other": "untouched"}
			if r.want != nil {
				want[key] = r.want
			}
			assert.Equal(t, want, attributesOf(td))
		})
	}
}

// The rows of the first table of section 2.4 of the specification, and what OTLP can carry besides.
func TestObservationMetadataToJSON(t *testing.T) {
	runRows(t, configWith(func(*Config) {}), foreign, observation+".key", []row{
		{"string", "plain", `"plain"`},
		{"empty string", "", `""`},
		{"string with quotes in it", `say "hi"`, `"say \"hi\""`},
		{"non-ASCII string", "Grüße 日本 <&> \u2028", "\"Grüße 日本 <&> \u2028\""},
		{"integer", int64(42), `42`},
		{"largest integer", int64(math.MaxInt64), `9223372036854775807`},
		{"integer that a double would round", int64(9007199254740993), `9007199254740993`},
		{"boolean", true, `true`},
		{"nested object", map[string]any{"a": map[string]any{"b": int64(1)}}, `{"a":{"b":1}}`},
		{"list", []any{int64(1), "a", true, nil}, `[1,"a",true,null]`},
		{"bytes", []byte("hi"), `"aGk="`},
		{"double", 1.5, `1.5`},
		{"integer too large for 64 bits", `123456789012345678901234567890`, `"123456789012345678901234567890"`},
		{"such an integer inside", `{"a": [123456789012345678901234567890]}`, `{"a":["123456789012345678901234567890"]}`},
		{"null", nil, nil},
		{"NaN", math.NaN(), nil},
		{"infinity", math.Inf(-1), nil},
		{"NaN in a list", []any{math.NaN(), int64(1)}, `[null,1]`},
		{"already a JSON string", `"plain"`, `"plain"`},
		{"already JSON, with blanks", `{"a": 1, "b": "x y"}`, `{"a":1,"b":"x y"}`},
		{"JSON number as text", `42`, `42`},
		{"JSON word as text", `null`, `null`},
		{"almost JSON", `{"a": 1`, `"{\"a\": 1"`},
		{"two JSON texts", `1 2`, `"1 2"`},
		{"invalid UTF-8", "a\xffb", "\"a\uFFFDb\""},
		{"long values are kept", strings.Repeat("x", 300), `"` + strings.Repeat("x", 300) + `"`},
	})
}

// The rows of the second table of section 2.4.
func TestTraceMetadataToJSON(t *testing.T) {
	runRows(t, configWith(func(*Config) {}), foreign, trace+".key", []row{
		{"string", "plain", `"plain"`},
		{"boolean", false, `false`},
		{"null", nil, `null`},
		{"list", []any{int64(1), "a"}, `[1,"a"]`},
		{"mapping", map[string]any{"a": int64(1)}, `{"a":1}`},
		{"date-time", "2026-01-02T03:04:05Z", `"2026-01-02T03:04:05Z"`},
		{"NaN", math.NaN(), nil},
		{"200 characters with the quotes", strings.Repeat("ü", 198), `"` + strings.Repeat("ü", 198) + `"`},
		{"201 characters with the quotes", strings.Repeat("ü", 199), nil},
		{"encoded, 200 characters", `"` + strings.Repeat("x", 198) + `"`, `"` + strings.Repeat("x", 198) + `"`},
		{"encoded, 201 characters", `"` + strings.Repeat("x", 199) + `"`, nil},
		{"an escape counts as written", strings.Repeat("x", 197) + "\n", nil},
		{"blanks do not count", `{"a":` + strings.Repeat(" ", 300) + `1}`, `{"a":1}`},
	})
}

func TestWholeObjectForms(t *testing.T) {
	long := map[string]any{"text": strings.Repeat("x", 300)}
	for _, key := range []string{observation, trace} {
		runRows(t, configWith(func(*Config) {}), foreign, key, []row{
			{"map", map[string]any{"a": int64(1)}, `{"a":1}`},
			{"JSON text", `{"a": 1}`, `{"a":1}`},
			{"scalar", "scalar metadata", `"scalar metadata"`},
			{"no limit on the object", long, `{"text":"` + strings.Repeat("x", 300) + `"}`},
		})
	}
}

func TestTraceMetadataOverTheLimit(t *testing.T) {
	limit := func(rule OverLimit, n int) *Config {
		return configWith(func(c *Config) {
			c.Metadata.OverLimit = rule
			c.Metadata.TraceValueLimit = n
		})
	}
	runRows(t, limit(OverLimitTruncate, 10), foreign, trace+".key", []row{
		{"string", "abcdefghijkl", `"abcdefgh"`},
		{"encoded string", `"abcdefghijkl"`, `"abcdefgh"`},
		{"escape is not cut", "abcdefg\nx", `"abcdefg"`},
		{"object", map[string]any{"a": "long text"}, `{"a":"lo"}`},
		{"list", []any{int64(111), int64(222), int64(333)}, `[111,222]`},
		{"number cannot be cut", 1.2345678901234, nil},
		{"short enough", "abcdefgh", `"abcdefgh"`},
	})
	runRows(t, limit(OverLimitKeep, 10), foreign, trace+".key", []row{{"string", "abcdefghijkl", `"abcdefghijkl"`}})
	runRows(t, limit(OverLimitDrop, 0), foreign, trace+".key", []row{
		{"0 is no limit", strings.Repeat("x", 1000), `"` + strings.Repeat("x", 1000) + `"`},
	})
	runRows(t, configWith(func(c *Config) {
		c.Metadata.Encoding = EncodingPlain
		c.Metadata.OverLimit = OverLimitTruncate
		c.Metadata.TraceValueLimit = 5
	}), foreign, trace+".key", []row{
		{"plain text", `"日本語日本語"`, "日本語日本"},
		{"plain text left as it was", "abcdefgh", "abcde"},
		{"JSON text", []any{int64(1), int64(2), int64(3)}, `[1,2]`},
		{"JSON text left as it was", `[1, 2, 3]`, `[1,2]`},
		{"number cannot be cut", `1234567`, nil},
	})
}

func TestMetadataToPlain(t *testing.T) {
	cfg := configWith(func(c *Config) { c.Metadata.Encoding = EncodingPlain })
	for _, key := range []string{observation + ".key", trace + ".key", observation} {
		runRows(t, cfg, foreign, key, []row{
			{"JSON string", `"plain"`, `plain`},
			{"JSON string with escapes", `"say \"hi\" \u00fc\n"`, "say \"hi\" ü\n"},
			{"JSON string of a JSON string", `"\"q\""`, `"q"`},
			{"bare string", `plain`, `plain`},
			{"number text", `42`, `42`},
			{"string of a number", `"42"`, `42`},
			{"integer", int64(42), `42`},
			{"boolean", true, `true`},
			{"object text", `{"a": "b"}`, `{"a": "b"}`},
			{"map", map[string]any{"a": "b"}, `{"a":"b"}`},
			{"bytes", []byte("hi"), `"aGk="`},
			{"NaN", math.NaN(), nil},
		})
	}
	runRows(t, cfg, library{scope: "langfuse-sdk", version: "6.0.0"}, observation+".key", []row{
		{"from a library that encodes", `"plain"`, `plain`},
		{"once only", `"\"q\""`, `"q"`},
	})
	runRows(t, cfg, foreign, observation+".key", []row{{"null", nil, nil}})
	runRows(t, cfg, foreign, trace+".key", []row{{"null", nil, `null`}})
}

func TestStringsAlways(t *testing.T) {
	cfg := configWith(func(c *Config) { c.Metadata.Strings = StringsAlways })
	runRows(t, cfg, foreign, observation+".key", []row{
		{"string", "plain", `"plain"`},
		{"string that looks like a number", "42", `"42"`},
		{"string that is JSON", `{"a":1}`, `"{\"a\":1}"`},
		{"quoted string", `"q"`, `"\"q\""`},
		{"integer", int64(42), `42`},
	})
	td := tracesOf(foreign, map[string]any{observation + ".key": "42"})
	process(t, cfg, td)
	assert.Equal(t, map[string]any{"weir.metadata.encoding": "json"}, scopeOf(td).Scope().Attributes().AsRaw())

	// What a gateway in the default mode gets from such a sidecar is left alone.
	process(t, configWith(func(*Config) {}), td)
	assert.Equal(t, map[string]any{observation + ".key": `"42"`}, attributesOf(td))
}

// A gateway that quotes every string leaves alone what a sidecar in the default mode sent.
func TestAlwaysBehindAuto(t *testing.T) {
	td := tracesOf(foreign, map[string]any{observation + ".text": "plain", observation + ".number": int64(42), observation + ".object": `{"a":"b"}`})
	want := map[string]any{observation + ".text": `"plain"`, observation + ".number": `42`, observation + ".object": `{"a":"b"}`}
	process(t, configWith(func(*Config) {}), td)
	assert.Equal(t, want, attributesOf(td))
	process(t, configWith(func(c *Config) { c.Metadata.Strings = StringsAlways }), td)
	assert.Equal(t, want, attributesOf(td))
}

// What was added behind a mark is encoded by the next pass in the default mode.
func TestAddedSince(t *testing.T) {
	td := tracesOf(foreign, map[string]any{observation + ".a": "x"})
	process(t, configWith(func(*Config) {}), td)
	scopeOf(td).Spans().At(0).Attributes().PutStr(observation+".b", "y")
	process(t, configWith(func(*Config) {}), td)
	assert.Equal(t, map[string]any{observation + ".a": `"x"`, observation + ".b": `"y"`}, attributesOf(td))
}

func TestEncodedByALibrary(t *testing.T) {
	raw := map[string]any{observation + ".key": "not JSON", trace + ".key": strings.Repeat("x", 300)}
	encoded := map[string]any{observation + ".key": `"not JSON"`}
	for name, tc := range map[string]struct {
		lib  library
		want map[string]any
	}{
		"python 5":                       {library{scope: "langfuse-sdk", version: "5.0.0", publicKey: true}, raw},
		"python 5, by its resource":      {library{scope: "langfuse-sdk", version: "5.1.0b1", language: "python"}, raw},
		"python 4":                       {library{scope: "langfuse-sdk", version: "4.14.3", publicKey: true}, encoded},
		"JavaScript 6":                   {library{scope: "langfuse-sdk", version: "6.0.0"}, raw},
		"JavaScript 10":                  {library{scope: "langfuse-sdk", version: "10.2.0", language: "nodejs"}, raw},
		"JavaScript 5":                   {library{scope: "langfuse-sdk", version: "5.11.1"}, encoded},
		"JavaScript 5, by its resource":  {library{scope: "langfuse-sdk", version: "5.11.1", language: "nodejs", publicKey: true}, encoded},
		"another scope of a high number": {library{scope: "other-sdk", version: "9.0.0"}, encoded},
		"no version":                     {library{scope: "langfuse-sdk"}, encoded},
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []Strings{StringsAuto, StringsAlways} {
				td := tracesOf(tc.lib, raw)
				process(t, configWith(func(c *Config) { c.Metadata.Strings = mode }), td)
				assert.Equal(t, tc.want, attributesOf(td))
			}
		})
	}
}

func TestThereAndBack(t *testing.T) {
	in := map[string]any{observation + ".text": "plain", observation + ".list": []any{"a"}, trace + ".quoted": `"q"`}
	td := tracesOf(foreign, in)
	process(t, configWith(func(c *Config) { c.Metadata.Strings = StringsAlways }), td)
	process(t, configWith(func(c *Config) { c.Metadata.Encoding = EncodingPlain }), td)
	assert.Equal(t, map[string]any{
		observation + ".text": "plain", observation + ".list": `["a"]`, trace + ".quoted": `"q"`,
	}, attributesOf(td))
	assert.Equal(t, "plain", scopeOf(td).Scope().Attributes().AsRaw()[wire.MarkEncoding])

	process(t, configWith(func(*Config) {}), td)
	assert.Equal(t, `"plain"`, attributesOf(td)[observation+".text"])
	assert.Equal(t, "json", scopeOf(td).Scope().Attributes().AsRaw()[wire.MarkEncoding])
}

func TestOtherServiceName(t *testing.T) {
	td := tracesOf(foreign, map[string]any{"acme.observation.metadata.a": "x", observation + ".a": "x"})
	process(t, configWith(func(c *Config) { c.Service = "acme" }), td)
	assert.Equal(t, map[string]any{"acme.observation.metadata.a": `"x"`, observation + ".a": "x"}, attributesOf(td))
}

func TestNamesThatOnlyBeginAlike(t *testing.T) {
	in := map[string]any{
		"langfuse.observation.metadatax": "x", "langfuse.metadata.a": "x", "langfuse.trace.name": "x", "langfuse.trace.metadata_a": "x",
	}
	td := tracesOf(foreign, in)
	process(t, configWith(func(*Config) {}), td)
	assert.Equal(t, in, attributesOf(td))
}

func TestComplexValues(t *testing.T) {
	in := map[string]any{
		"messages": []any{map[string]any{"role": "user"}},
		"map":      map[string]any{"a": int64(1)},
		"bytes":    []byte("hi"),
		"empty":    []any{},
		"nulls":    []any{nil, "a"},
		"nested":   []any{[]any{"a", int64(1)}},
		"tags":     []any{"a", "b"},
		"text":     "x",
		"nothing":  nil,
	}
	want := map[string]any{
		"messages": `[{"role":"user"}]`,
		"map":      `{"a":1}`,
		"bytes":    `"aGk="`,
		"empty":    `[]`,
		"nulls":    `[null,"a"]`,
		"nested":   []any{[]any{"a", int64(1)}},
		"tags":     []any{"a", "b"},
		"text":     "x",
		"nothing":  nil,
	}
	everywhere := func(td ptrace.Traces) []pcommon.Map {
		span := scopeOf(td).Spans().At(0)
		return []pcommon.Map{
			td.ResourceSpans().At(0).Resource().Attributes(), scopeOf(td).Scope().Attributes(),
			span.Attributes(), span.Events().At(0).Attributes(),
		}
	}
	for mode, expected := range map[ComplexValues]map[string]any{ComplexValuesJSON: want, ComplexValuesKeep: in} {
		td := tracesOf(foreign, nil)
		scopeOf(td).Spans().At(0).Events().AppendEmpty()
		for _, attributes := range everywhere(td) {
			require.NoError(t, attributes.FromRaw(in))
		}
		process(t, configWith(func(c *Config) { c.Attributes.ComplexValues = mode }), td)
		for _, attributes := range everywhere(td) {
			assert.Equal(t, expected, attributes.AsRaw())
		}
		deep := pcommon.NewValueSlice()
		for inner, i := deep, 0; i < 2*wire.MaxDepth; i++ {
			inner = inner.Slice().AppendEmpty()
			inner.SetEmptySlice().AppendEmpty().SetInt(1)
		}
		assert.True(t, isUnreadable(deep, 0), "the walk ends")
	}
}
