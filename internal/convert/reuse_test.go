// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
)

// manyAttributes are so many that names are found by an index.
func manyAttributes() pairs {
	var many pairs
	for i := range 2 * linearLimit {
		many = append(many, fmt.Sprint("langfuse.observation.metadata.key", i), strconv.Itoa(i))
	}
	return append(many, "user.id", "last")
}

// A converter uses memory again and remembers names from one span to the next: no span may see what was before it.
func TestRowsDoNotDependOnTheSpansBefore(t *testing.T) {
	repeated, err := (&ptrace.JSONUnmarshaler{}).UnmarshalTraces([]byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[
		{"key":"user.id","value":{"stringValue":"a"}},{"key":"session.id","value":{"stringValue":"s"}},
		{"key":"user.id","value":{"stringValue":"b"}}],"startTimeUnixNano":"1700000000000000000"}]}]}]}`))
	require.NoError(t, err)
	spans := []ptrace.Traces{repeated}
	for _, attributes := range []pairs{
		{},
		{"user.id", "a", "session.id", "s"},
		{"session.id", "s", "user.id", "a"},
		{"user.id", "a", "session.id", "s", "langfuse.trace.name", "t"},
		{"user.id", "a", "session.id\xff", "s"},
		{"langfuse.observation.model.parameters", `{"a":{"b":[1]},"c":"d"}`, "langfuse.observation.usage_details", `{"input":1,"output":2}`},
		{"langfuse.observation.model.parameters", `{"a": 1}`, "langfuse.observation.usage_details", `{"input":1,"output":2,"total":9}`},
		{"langfuse.observation.metadata", `{"a":{"b":1},"a.b":2}`, "langfuse.observation.metadata.c", `{"d":[{}]}`},
		{"langfuse.observation.metadata", `{"a":{"b":3},"e":4}`, "langfuse.observation.metadata.c", `{"d":5}`},
		{"gen_ai.request.model", "gpt-4o", "gen_ai.request.top_p", 0.5, "gen_ai.usage.input_tokens", 7, "gen_ai.usage.output_tokens", 3},
		{"gen_ai.request.model", "gpt-4o", "gen_ai.request.seed", 1, "gen_ai.usage.input_tokens", 2},
		{"model_request_parameters", `{"function_tools":[{"name":"t"}],"x":1}`, "gen_ai.input.messages", `[{"role":"user"}]`},
		{"model_request_parameters", `{"function_tools":[{"name":"t"}]}`, "gen_ai.input.messages", `[{"role":"user"}]`},
		{"model_request_parameters", `{"x":1}`, "gen_ai.input.messages", `[{"role":"user"}]`},
		manyAttributes(),
		append(manyAttributes(), "session.id", "more"),
	} {
		spans = append(spans, withAttributes(attributes...).traces(t))
	}
	converter := testConverter(t)
	random := rand.New(rand.NewPCG(1, 2))
	request := ptrace.NewTraces()
	scope := request.ResourceSpans().AppendEmpty().ScopeSpans().AppendEmpty()
	order := make([]int, 500)
	for i := range order {
		order[i] = random.IntN(len(spans))
		spans[order[i]].ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).CopyTo(scope.Spans().AppendEmpty())
	}
	rows := converter.Traces(request, RequestOrigin{})
	require.Len(t, rows, len(order))
	for i, place := range order {
		assert.Equal(t, converter.Traces(spans[place], RequestOrigin{})[0], rows[i], "span %d", place)
	}
	assert.Equal(t, "b", converter.Traces(repeated, RequestOrigin{})[0].UserID)
}

// What every span of a client has must not cost memory beyond the row itself.
func TestAllocations(t *testing.T) {
	converter := testConverter(t)
	s := newSpan(converter, ptrace.NewResourceSpans().Resource(), RequestOrigin{})
	s.scope = converter.newScope(ptrace.NewScopeSpans().Scope())
	otlp := scoped("langfuse-sdk",
		"langfuse.observation.model.name", "gpt-4o",
		"langfuse.observation.model.parameters", `{"temperature":0.7,"max_tokens":1000}`,
		"langfuse.observation.usage_details", `{"input":117,"output":37}`,
		"langfuse.observation.metadata.tenant", "tenant-17",
		"langfuse.observation.metadata.nested", `{"a":{"b":1}}`,
	).traces(t).ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
	var o model.Observation
	// The ids, the metadata, the usage and the cost.
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() {
		o = model.Observation{}
		s.convert(otlp, &o)
	}), 4.0)
	assert.NotEmpty(t, o.Cost)
}
