// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfusestoreexporter

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace"

	"github.com/weirhq/weir/internal/catalog"
	"github.com/weirhq/weir/internal/pricing"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

// generations are one of each project, with a model, usage and a prompt.
func generations(projects ...string) ptrace.Traces {
	td := ptrace.NewTraces()
	for _, project := range projects {
		attributes := addSpans(td, project, 0, 1).ScopeSpans().At(0).Spans().At(0).Attributes()
		attributes.PutStr("langfuse.observation.type", "generation")
		attributes.PutStr("langfuse.observation.model.name", "house")
		attributes.PutStr("langfuse.observation.usage_details", `{"input": 10}`)
		attributes.PutStr("langfuse.observation.prompt.name", "greeting")
		attributes.PutInt("langfuse.observation.prompt.version", 2)
	}
	return td
}

func TestModelsOfTheProject(t *testing.T) {
	h := newHarness(t)
	var err error
	h.extension.prices, err = pricing.Default()
	require.NoError(t, err)
	entries, ctx := h.extension.Catalog(), t.Context()
	exporter := h.traces(configWith())
	cost := func(project string) string {
		require.NoError(t, exporter.ConsumeTraces(t.Context(), generations("a", "b")))
		total, _ := h.stored(project)[project+"0"].Cost.Get("total")
		return total.String()
	}
	assert.Equal(t, "0", cost("a"), "no such model")
	house, err := entries.CreateModel(ctx, "a", catalog.ModelCreate{ModelName: "house", MatchPattern: "^house$", InputPrice: json.Number("0.5")})
	require.NoError(t, err)
	assert.Equal(t, "5", cost("a"), "from the next span on")
	assert.Equal(t, house.ID, h.stored("a")["a0"].ModelID)
	assert.Equal(t, "0", cost("b"), "a model of another project")
	assert.Empty(t, h.stored("b")["b0"].ModelID)
	require.NoError(t, entries.DeleteModel(ctx, "a", house.ID))
	assert.Equal(t, "0", cost("a"))
}

func TestPromptsOfTheProject(t *testing.T) {
	h := newHarness(t)
	entries, ctx := h.extension.Catalog(), t.Context()
	exporter := h.traces(configWith())
	id := func(project string) string {
		require.NoError(t, exporter.ConsumeTraces(t.Context(), generations("a", "b")))
		row := h.stored(project)[project+"0"]
		assert.Equal(t, "greeting", row.PromptName)
		return row.PromptID
	}
	create := func(project string) string {
		prompt, err := entries.CreatePrompt(ctx, project, catalog.PromptCreate{Name: "greeting", Prompt: json.RawMessage(`"hi"`)})
		require.NoError(t, err)
		return prompt.ID
	}
	create("a")
	create("b")
	assert.Empty(t, id("a"), "there is no version 2 yet")
	second := create("a")
	assert.Equal(t, second, id("a"))
	assert.Empty(t, id("b"), "a version of another project")
	require.NoError(t, entries.DeletePrompt(ctx, "a", "greeting", nil, ""))
	assert.Empty(t, id("a"))
}

// countedDocuments is a store that counts the queries for documents.
type countedDocuments struct {
	store.Store
	queries *int
}

func (c countedDocuments) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	*c.queries++
	return c.Store.ListDocuments(ctx, q)
}

func TestABatchOfManyPrompts(t *testing.T) {
	h := newHarness(t)
	queries := 0
	h.extension.store = countedDocuments{h.store, &queries}
	prompt, err := h.extension.Catalog().CreatePrompt(t.Context(), "a", catalog.PromptCreate{Name: "7", Prompt: json.RawMessage(`"hi"`)})
	require.NoError(t, err)
	td := ptrace.NewTraces()
	for i, span := range addSpans(td, "a", 0, 400).ScopeSpans().At(0).Spans().All() {
		span.Attributes().PutStr("langfuse.observation.type", "generation")
		span.Attributes().PutStr("langfuse.observation.prompt.name", strconv.Itoa(i))
		span.Attributes().PutInt("langfuse.observation.prompt.version", 1)
	}
	exporter := h.traces(configWith())
	queries = 0
	require.NoError(t, exporter.ConsumeTraces(t.Context(), td))
	assert.Equal(t, 2, queries, "one for the models, one for all prompts")
	stored := h.stored("a")
	assert.Equal(t, prompt.ID, stored["a7"].PromptID)
	assert.Empty(t, stored["a8"].PromptID)
}

// noDocuments is a store that cannot read documents.
type noDocuments struct {
	store.Store
	err error
}

func (n noDocuments) ListDocuments(context.Context, query.Documents) (store.DocumentPage, error) {
	return store.DocumentPage{}, n.err
}

func TestACatalogThatCannotBeRead(t *testing.T) {
	h := newHarness(t)
	h.extension.store = noDocuments{h.store, errors.Join(store.ErrUnavailable, errors.New("away"))}
	err := h.traces(configWith()).ConsumeTraces(t.Context(), generations("a"))
	require.ErrorIs(t, err, store.ErrUnavailable, "the sender tries again")
	assert.Empty(t, h.stored("a"))
}
