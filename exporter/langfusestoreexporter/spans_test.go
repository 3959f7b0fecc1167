// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/consumer/consumererror"
	"go.opentelemetry.io/collector/pdata/pcommon"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/store"
)

func TestASpanBecomesARow(t *testing.T) {
	h := newHarness(t)
	var err error
	h.extension.prices, err = pricing.Default()
	require.NoError(t, err)
	td := spans(0, 1)
	span := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0)
	for key, value := range map[string]string{
		"langfuse.observation.type":            "generation",
		"langfuse.observation.input":           "hello",
		"langfuse.observation.output":          "world",
		"langfuse.observation.model.name":      "gpt-4o",
		"langfuse.observation.usage_details":   `{"input": 1000, "output": 10}`,
		"langfuse.observation.metadata.tenant": `"acme"`,
		"langfuse.user.id":                     "u-1",
	} {
		span.Attributes().PutStr(key, value)
	}
	require.NoError(t, h.traces(configWith()).ConsumeTraces(t.Context(), td))
	row := h.stored("default")["0"]
	assert.Equal(t, "00000000000000000000000000000001", row.TraceID)
	assert.Equal(t, "0000000000000001", row.ID)
	assert.Equal(t, noon, row.Start)
	assert.Equal(t, model.TypeGeneration, row.Type)
	assert.Equal(t, "hello", row.Input)
	assert.Equal(t, "world", row.Output)
	assert.Equal(t, "u-1", row.UserID)
	assert.Contains(t, row.Metadata, `"tenant":"acme"`)
	total, ok := row.Cost.Get("total")
	assert.True(t, ok)
	assert.Equal(t, "0.0026", total.String())
}

func TestTokensAreCountedWhereAsked(t *testing.T) {
	for _, tokenize := range []bool{false, true} {
		h := newHarness(t)
		var err error
		h.extension.prices, err = pricing.Default()
		require.NoError(t, err)
		h.extension.tokenize = tokenize
		td := spans(0, 1)
		attributes := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(0).Attributes()
		attributes.PutStr("langfuse.observation.type", "generation")
		attributes.PutStr("langfuse.observation.model.name", "gpt-4o")
		attributes.PutStr("langfuse.observation.input", "hello world")
		require.NoError(t, h.traces(configWith()).ConsumeTraces(t.Context(), td))
		_, counted := h.stored("default")["0"].Usage.Get("input")
		assert.Equal(t, tokenize, counted)
	}
}

func TestProjects(t *testing.T) {
	h := newHarness(t)
	td := ptrace.NewTraces()
	addSpans(td, "", 0, 2)
	addSpans(td, "a", 0, 3)
	addSpans(td, "b", 0, 1)
	addSpans(td, "a", 3, 1)
	addSpans(td, "", 2, 1).Resource().Attributes().PutStr("weir.project.id", "")
	addSpans(td, "", 3, 1).Resource().Attributes().PutInt("weir.project.id", 7)
	require.NoError(t, h.traces(configWith(func(c *Config) { c.Project = "mine" })).ConsumeTraces(t.Context(), td))

	assert.Equal(t, []string{"mine", "a", "b"}, h.store.writes, "one write a project")
	assert.ElementsMatch(t, []string{"0", "1", "2", "3"}, h.storedNames("mine"), "what has no stamp, or none that is a text")
	assert.ElementsMatch(t, []string{"a0", "a1", "a2", "a3"}, h.storedNames("a"))
	assert.ElementsMatch(t, []string{"b0"}, h.storedNames("b"))
	assert.Empty(t, h.storedNames("default"))
}

// The stamp tells where a row goes and who sent it; it is in no field of the row.
func TestStampsAreNotStored(t *testing.T) {
	h := newHarness(t)
	td := ptrace.NewTraces()
	resource := addSpans(td, "secret-project", 0, 1).Resource().Attributes()
	resource.PutStr("weir.public_key", "pk-1")
	resource.PutStr("weir.client.name", "python")
	resource.PutStr("weir.client.version", "5.1.0")
	resource.PutStr("host.name", "h")
	require.NoError(t, h.traces(configWith()).ConsumeTraces(t.Context(), td))
	row := h.stored("secret-project")["secret-project0"]
	assert.Equal(t, "pk-1", row.Origin.PublicKey)
	assert.Equal(t, "python", row.Origin.ClientName)
	assert.Equal(t, "5.1.0", row.Origin.ClientVersion)
	row.Name = ""
	everything := fmt.Sprintf("%+v", row)
	assert.Contains(t, everything, "host.name")
	assert.NotContains(t, everything, "weir.")
	assert.NotContains(t, everything, "secret-project")
}

func TestSpansWithoutIDs(t *testing.T) {
	h := newHarness(t)
	td := spans(0, 4)
	all := td.ResourceSpans().At(0).ScopeSpans().At(0).Spans()
	all.At(0).SetTraceID(pcommon.TraceID{})
	all.At(2).SetSpanID(pcommon.SpanID{})
	e := h.traces(configWith())
	require.NoError(t, e.ConsumeTraces(t.Context(), td))
	assert.ElementsMatch(t, []string{"1", "3"}, h.storedNames("default"), "one bad span does not sink the batch")
	assert.Equal(t, map[string]int64{"invalid_id": 2}, h.dropped("spans"))

	all.RemoveIf(func(span ptrace.Span) bool { return !span.SpanID().IsEmpty() })
	require.NoError(t, e.ConsumeTraces(t.Context(), td))
	assert.Len(t, h.store.writes, 1, "nothing was left to write")
	assert.Equal(t, map[string]int64{"invalid_id": 3}, h.dropped("spans"))
}

func TestNothingToWrite(t *testing.T) {
	h := newHarness(t)
	require.NoError(t, h.traces(configWith()).ConsumeTraces(t.Context(), ptrace.NewTraces()))
	assert.Empty(t, h.store.writes)
}

// Another exporter may share the data, so it must not be touched.
func TestReadOnlySpans(t *testing.T) {
	h := newHarness(t)
	td := ptrace.NewTraces()
	addSpans(td, "a", 0, 5)
	td.ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(3).SetSpanID(pcommon.SpanID{})
	before := ptrace.NewTraces()
	td.CopyTo(before)
	td.MarkReadOnly()
	e := h.traces(configWith())
	assert.False(t, e.Capabilities().MutatesData)
	require.NoError(t, e.ConsumeTraces(t.Context(), td))
	require.NoError(t, e.ConsumeTraces(t.Context(), td))
	assert.Len(t, h.storedNames("a"), 4)
	assert.Equal(t, before.ResourceSpans().At(0).Resource().Attributes().AsRaw(), td.ResourceSpans().At(0).Resource().Attributes().AsRaw())
	assert.Equal(t, before.SpanCount(), td.SpanCount())
}

func TestConcurrentSpans(t *testing.T) {
	const callers, each = 8, 20
	h := newHarness(t)
	e := h.traces(configWith())
	var group sync.WaitGroup
	for caller := range callers {
		group.Go(func() {
			for i := range each {
				td := ptrace.NewTraces()
				addSpans(td, "", (caller*each+i)*2, 2)
				addSpans(td, fmt.Sprint("p", caller%2, "-"), (caller*each+i)*2, 1)
				assert.NoError(t, e.ConsumeTraces(t.Context(), td))
			}
		})
	}
	group.Wait()
	assert.Len(t, h.storedNames("default"), 2*callers*each)
	assert.Len(t, h.storedNames("p0-"), callers*each/2)
	assert.Len(t, h.storedNames("p1-"), callers*each/2)
}

func TestAMissingStoreSaysWhatToAdd(t *testing.T) {
	other := component.MustNewIDWithName("langfuse_store", "b")
	for name, tc := range map[string]struct {
		change func(*harness)
		want   string
	}{
		"none": {
			func(h *harness) { h.host.extensions = nil },
			"there is no store: add `langfuse_store:` below `extensions:`, and `langfuse_store` to the list `service::extensions`",
		},
		"another": {
			func(h *harness) { h.host.extensions = map[component.ID]component.Component{other: h.extension} },
			"there is no store langfuse_store: set `store` to langfuse_store/b, or add `langfuse_store` to the list `service::extensions`",
		},
		"not open": {
			func(h *harness) { h.extension.store = nil },
			"the store is not open: the extension that owns it has not started",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			tc.change(h)
			traces, err := NewFactory().CreateTraces(t.Context(), h.set, configWith())
			require.NoError(t, err, "the factory looks at nothing")
			logs, err := NewFactory().CreateLogs(t.Context(), h.set, configWith())
			require.NoError(t, err)
			for _, e := range []component.Component{traces, logs} {
				require.EqualError(t, e.Start(t.Context(), h.host), tc.want)
				require.NoError(t, e.Shutdown(t.Context()))
			}
		})
	}
}

func TestAnotherStore(t *testing.T) {
	h := newHarness(t)
	other := component.MustNewIDWithName("langfuse_store", "b")
	h.host.extensions[other] = h.extension
	h.host.extensions[h.set.ID] = &fakeExtension{}
	require.NoError(t, h.traces(configWith(func(c *Config) { c.Store = other })).ConsumeTraces(t.Context(), spans(0, 1)))
	assert.Len(t, h.storedNames("default"), 1)
}

// The store belongs to the extension.
func TestShutdownLeavesTheStoreOpen(t *testing.T) {
	h := newHarness(t)
	e := h.traces(configWith())
	require.NoError(t, e.Shutdown(t.Context()))
	require.NoError(t, h.store.WriteObservations(t.Context(), "p", nil))
}

func TestAQueueDrainsAtShutdown(t *testing.T) {
	h := newHarness(t)
	e := h.traces(configWith(func(c *Config) { c.QueueConfig.GetOrInsertDefault() }))
	for i := range 20 {
		require.NoError(t, e.ConsumeTraces(t.Context(), spans(i, 1)))
	}
	require.NoError(t, e.Shutdown(t.Context()))
	assert.Len(t, h.storedNames("default"), 20)
}

func TestAStoreThatWasClosed(t *testing.T) {
	h := newHarness(t)
	e := h.traces(configWith())
	require.NoError(t, h.store.Close(t.Context()))
	err := e.ConsumeTraces(t.Context(), spans(0, 1))
	require.ErrorIs(t, err, store.ErrUnavailable)
	assert.False(t, consumererror.IsPermanent(err))
}
