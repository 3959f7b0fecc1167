// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
	"github.com/weirhq/weir/internal/query"
	"github.com/weirhq/weir/internal/store"
)

func createPrompt(t *testing.T, c *Catalog, create PromptCreate) model.Prompt {
	t.Helper()
	prompt, err := c.CreatePrompt(t.Context(), project, create)
	require.NoError(t, err)
	return prompt
}

// labelsOf are the labels of all versions.
func labelsOf(t *testing.T, c *Catalog, name string) map[int][]string {
	t.Helper()
	head, err := c.promptHead(t.Context(), project, name)
	require.NoError(t, err)
	labels := map[int][]string{}
	for i := range head.Versions {
		labels[head.Versions[i].Version] = head.labels(&head.Versions[i])
	}
	return labels
}

func TestPrompts(t *testing.T) {
	c, clock := newCatalog(t)
	const name = "folder/my prompt+?"
	first := createPrompt(t, c, PromptCreate{
		Name: name, Prompt: raw(`"Hello {{name}} <b> ü"`), Labels: []string{"production", "latest", "a"}, Tags: []string{"x", "y", "x"}, CommitMessage: "m",
	})
	assert.Equal(t, model.Prompt{
		ID: first.ID, Name: name, Version: 1, Type: model.PromptText, Prompt: raw(`"Hello {{name}} <b> ü"`), Config: raw("{}"),
		CommitMessage: "m", CreatedBy: "API", Labels: []string{"production", "a", "latest"}, Tags: []string{"x", "y"},
		CreatedAt: clock.now, UpdatedAt: clock.now,
	}, first)
	clock.advance(time.Second)
	second := createPrompt(t, c, PromptCreate{Name: name, Prompt: raw(`"2"`), Config: raw(`{"t": 0.5}`), Labels: []string{"a", "b"}})
	assert.Equal(t, 2, second.Version)
	assert.NotEqual(t, first.ID, second.ID)
	assert.Equal(t, []string{"x", "y"}, second.Tags, "tags belong to the name")
	assert.Equal(t, raw(`{"t":0.5}`), second.Config)
	assert.Equal(t, map[int][]string{1: {"production"}, 2: {"a", "b", "latest"}}, labelsOf(t, c, name))
	third := createPrompt(t, c, PromptCreate{Name: name, Prompt: raw(`"3"`), Tags: []string{}})
	assert.Empty(t, third.Tags)

	get := func(q PromptQuery) model.Prompt {
		q.Name = name
		prompt, err := c.Prompt(t.Context(), project, q)
		require.NoError(t, err)
		return prompt
	}
	assert.Equal(t, 1, get(PromptQuery{}).Version, "production when nothing is said")
	assert.Equal(t, 2, get(PromptQuery{Label: "b"}).Version)
	assert.Equal(t, 3, get(PromptQuery{Label: "latest"}).Version)
	assert.Equal(t, third, get(PromptQuery{Version: new(3)}))
	for message, q := range map[string]PromptQuery{
		"Prompt not found: 'p' with label 'production'":               {Name: "p"},
		"Prompt not found: 'p' with version 3":                        {Name: "p", Version: new(3)},
		"Prompt not found: 'folder/my prompt+?' with version 4":       {Name: name, Version: new(4)},
		"Prompt not found: 'folder/my prompt+?' with label 'no such'": {Name: name, Label: "no such"},
		"Prompt not found: '' with label 'production'":                {},
	} {
		_, err := c.Prompt(t.Context(), project, q)
		requireError(t, err, store.ErrNotFound, message)
	}
	_, err := c.Prompt(t.Context(), other, PromptQuery{Name: name})
	require.ErrorIs(t, err, store.ErrNotFound)
	_, err = c.Prompt(t.Context(), project, PromptQuery{Name: name, Version: new(1), Label: "a"})
	requireError(t, err, store.ErrInvalid, "Cannot specify both version and label")
}

func TestPromptLabels(t *testing.T) {
	c, clock := newCatalog(t)
	for range 3 {
		createPrompt(t, c, PromptCreate{Name: "p", Prompt: raw(`""`), Labels: []string{"production", "a"}})
	}
	clock.advance(time.Hour)
	prompt, err := c.SetPromptLabels(t.Context(), project, "p", 1, []string{"production", "b"})
	require.NoError(t, err)
	assert.Equal(t, []string{"production", "b"}, prompt.Labels)
	assert.Equal(t, clock.now, prompt.UpdatedAt)
	assert.Equal(t, clock.now.Add(-time.Hour), prompt.CreatedAt)
	assert.Equal(t, map[int][]string{1: {"production", "b"}, 2: nil, 3: {"a", "latest"}}, labelsOf(t, c, "p"))
	_, err = c.SetPromptLabels(t.Context(), project, "p", 1, []string{"c"})
	require.NoError(t, err)
	assert.Equal(t, []string{"production", "b", "c"}, labelsOf(t, c, "p")[1], "labels are added")

	_, err = c.SetPromptLabels(t.Context(), project, "p", 4, []string{"c"})
	requireError(t, err, store.ErrNotFound, "Prompt not found: 'p' with version 4")
	_, err = c.SetPromptLabels(t.Context(), project, "p", 1, []string{"latest"})
	requireError(t, err, store.ErrInvalid, "Label 'latest' is always assigned to the latest prompt version")
	_, err = c.SetPromptLabels(t.Context(), project, "p", 1, []string{"A"})
	requireError(t, err, store.ErrInvalid, "Label must be lowercase alphanumeric with optional underscores, hyphens, or periods")
}

func TestPromptChecks(t *testing.T) {
	c, _ := newCatalog(t)
	createPrompt(t, c, PromptCreate{Name: "text", Prompt: raw(`"x"`)})
	createPrompt(t, c, PromptCreate{Name: "chat", Type: model.PromptChat, Prompt: raw(
		`[{"role":"system","content":"x","type":"chatmessage"},{"type":"placeholder","name":"history"},{"role":"any","content":""}]`,
	)})
	const message = "Message 1 of the prompt must be an object with role and content, both strings"
	for _, tc := range []struct {
		create  PromptCreate
		message string
	}{
		{PromptCreate{}, "Too small: expected string to have >=1 characters"},
		{PromptCreate{Name: "a|b"}, "Prompt name cannot contain '|' character"},
		{PromptCreate{Name: "<i>a"}, "Text cannot contain HTML tags"},
		{PromptCreate{Name: "."}, "Name cannot be or contain a path of '.' or '..'"},
		{PromptCreate{Name: ".."}, "Name cannot be or contain a path of '.' or '..'"},
		{PromptCreate{Name: "a/../b"}, "Name cannot be or contain a path of '.' or '..'"},
		{PromptCreate{Name: "a\x00"}, "Name cannot contain control characters"},
		{PromptCreate{Name: "a\r\nb"}, "Name cannot contain control characters"},
		{PromptCreate{Name: "a\u0085"}, "Name cannot contain control characters"},
		{PromptCreate{Name: "new"}, "Prompt name cannot be 'new'"},
		{PromptCreate{Name: "a", Type: "image"}, `Invalid option: expected one of "text"|"chat"`},
		{PromptCreate{Name: "a", Labels: []string{strings.Repeat("l", 37)}}, "Too big: expected string to have <=36 characters"},
		{PromptCreate{Name: "a", Labels: make([]string, 51)}, "A version has at most 50 labels"},
		{PromptCreate{Name: "a", Tags: make([]string, 51)}, "A prompt has at most 50 tags"},
		{PromptCreate{Name: "a", CommitMessage: strings.Repeat("m", 501)}, "Too big: expected string to have <=500 characters"},
		{PromptCreate{Name: "a", Config: raw("{")}, "config is not JSON"},
		{PromptCreate{Name: "a"}, "The prompt of type text must be a string"},
		{PromptCreate{Name: "a", Prompt: raw("null")}, "The prompt of type text must be a string"},
		{PromptCreate{Name: "a", Prompt: raw("[]")}, "The prompt of type text must be a string"},
		{PromptCreate{Name: "a", Type: model.PromptChat, Prompt: raw(`"x"`)}, "The prompt of type chat must be a list of messages"},
		{PromptCreate{Name: "a", Type: model.PromptChat, Prompt: raw(`[{"role":"user"}]`)}, message},
		{PromptCreate{Name: "a", Type: model.PromptChat, Prompt: raw(`["x"]`)}, message},
		{PromptCreate{Name: "a", Type: model.PromptChat, Prompt: raw(`[{"role":"user","content":1}]`)}, message},
		{PromptCreate{Name: "a", Type: model.PromptChat, Prompt: raw(`[{"type":"placeholder"}]`)}, "Message 1 of the prompt is a placeholder and needs a name"},
		{PromptCreate{Name: "chat", Prompt: raw(`"x"`)}, "Previous versions have different prompt type. Create a new prompt with a different name."},
		{PromptCreate{Name: "a", Prompt: raw(`"` + strings.Repeat("x", 1<<20) + `"`)}, "prompt has 1048578 bytes, more than 1048576"},
	} {
		_, err := c.CreatePrompt(t.Context(), project, tc.create)
		requireError(t, err, store.ErrInvalid, tc.message)
	}
}

func TestPromptList(t *testing.T) {
	c, clock := newCatalog(t)
	begin := clock.now
	createPrompt(t, c, PromptCreate{Name: "b", Prompt: raw(`"1"`), Config: raw(`{"v":1}`), Labels: []string{"production"}, Tags: []string{"x"}})
	clock.advance(time.Hour)
	createPrompt(t, c, PromptCreate{Name: "b", Prompt: raw(`"2"`), Config: raw(`{"v":2}`)})
	createPrompt(t, c, PromptCreate{Name: "a", Type: model.PromptChat, Prompt: raw(`[]`)})
	a := model.PromptMeta{
		Name: "a", Type: model.PromptChat, Versions: []int{1}, Labels: []string{"latest"}, LastUpdatedAt: clock.now, LastConfig: raw("{}"),
	}
	b := model.PromptMeta{
		Name: "b", Type: model.PromptText, Versions: []int{1, 2}, Labels: []string{"production", "latest"}, Tags: []string{"x"},
		LastUpdatedAt: clock.now, LastConfig: raw(`{"v":2}`),
	}
	first := b
	first.Versions, first.Labels, first.LastUpdatedAt, first.LastConfig = []int{1}, []string{"production"}, begin, raw(`{"v":1}`)
	for _, tc := range []struct {
		q    PromptsQuery
		want []model.PromptMeta
	}{
		{PromptsQuery{}, []model.PromptMeta{a, b}},
		{PromptsQuery{Name: "b"}, []model.PromptMeta{b}},
		{PromptsQuery{Name: "B"}, nil},
		{PromptsQuery{Tag: "x"}, []model.PromptMeta{b}},
		{PromptsQuery{Label: "production"}, []model.PromptMeta{first}},
		{PromptsQuery{Name: "b", Version: new(1)}, []model.PromptMeta{first}},
		{PromptsQuery{ToUpdatedAt: clock.now}, []model.PromptMeta{first}},
		{PromptsQuery{FromUpdatedAt: clock.now, Name: "a"}, []model.PromptMeta{a}},
		{PromptsQuery{FromUpdatedAt: clock.now.Add(time.Millisecond)}, nil},
	} {
		list, err := c.Prompts(t.Context(), project, tc.q, firstPage)
		require.NoError(t, err)
		assert.Equal(t, List[model.PromptMeta]{Rows: tc.want, Total: len(tc.want)}, list, "%+v", tc.q)
	}
	list, err := c.Prompts(t.Context(), project, PromptsQuery{}, Page{2, 1})
	require.NoError(t, err)
	assert.Equal(t, List[model.PromptMeta]{Rows: []model.PromptMeta{b}, Total: 2}, list)
	list, err = c.Prompts(t.Context(), other, PromptsQuery{}, firstPage)
	require.NoError(t, err)
	assert.Zero(t, list.Total)
}

func TestDeletePrompt(t *testing.T) {
	c, _ := newCatalog(t)
	for range 4 {
		createPrompt(t, c, PromptCreate{Name: "p", Prompt: raw(`""`)})
	}
	_, err := c.SetPromptLabels(t.Context(), project, "p", 1, []string{"a"})
	require.NoError(t, err)
	require.NoError(t, c.DeletePrompt(t.Context(), project, "p", new(4), ""))
	assert.Equal(t, map[int][]string{1: {"a"}, 2: nil, 3: {"latest"}}, labelsOf(t, c, "p"), "latest goes to the highest that is left")
	require.NoError(t, c.DeletePrompt(t.Context(), project, "p", nil, "a"))
	assert.Equal(t, map[int][]string{2: nil, 3: {"latest"}}, labelsOf(t, c, "p"))
	requireError(t, c.DeletePrompt(t.Context(), project, "p", new(9), ""), store.ErrNotFound, "Prompt not found: 'p' with version 9")
	requireError(t, c.DeletePrompt(t.Context(), project, "p", nil, "a"), store.ErrNotFound, "Prompt not found: 'p' with label 'a'")
	requireError(t, c.DeletePrompt(t.Context(), project, "p", new(9), "a"), store.ErrInvalid, "Cannot specify both version and label")
	require.NoError(t, c.DeletePrompt(t.Context(), project, "p", nil, ""))
	requireError(t, c.DeletePrompt(t.Context(), project, "p", nil, ""), store.ErrNotFound, "Prompt not found: 'p'")
	assert.Equal(t, 1, createPrompt(t, c, PromptCreate{Name: "p", Type: model.PromptChat, Prompt: raw(`[]`)}).Version)
}

func TestPromptReferences(t *testing.T) {
	c, _ := newCatalog(t)
	leaf := createPrompt(t, c, PromptCreate{Name: `le"af`, Prompt: raw(`"leaf \"1\"\n"`), Labels: []string{"production"}})
	middle := createPrompt(t, c, PromptCreate{Name: "middle", Prompt: raw(`"[@@@langfusePrompt:name=le\"af|version=1@@@]"`), Labels: []string{"production"}})
	text := raw(`[{"role":"user","content":"a @@@langfusePrompt:name=middle|label=production@@@ b @@@langfusePrompt:name=le\"af|label=latest@@@"},` +
		`{"role":"x","content":"@@@langfusePrompt:name=a@@@ @@@langfusePrompt:"},{"role":"@@@","content":""}]`)
	root := createPrompt(t, c, PromptCreate{Name: "root", Type: model.PromptChat, Prompt: text, Labels: []string{"production"}})

	got, err := c.Prompt(t.Context(), project, PromptQuery{Name: "root"})
	require.NoError(t, err)
	assert.Equal(t, `[{"role":"user","content":"a [leaf \"1\"\n] b leaf \"1\"\n"},`+
		`{"role":"x","content":"@@@langfusePrompt:name=a@@@ @@@langfusePrompt:"},{"role":"@@@","content":""}]`, string(got.Prompt))
	leafRef := model.PromptRef{ID: leaf.ID, Name: leaf.Name, Version: 1}
	middleRef := model.PromptRef{ID: middle.ID, Name: "middle", Version: 1}
	assert.Equal(t, &model.PromptGraph{
		Root:         model.PromptRef{ID: root.ID, Name: "root", Version: 1},
		Dependencies: map[string][]model.PromptRef{root.ID: {middleRef, leafRef}, middle.ID: {leafRef}},
	}, got.Resolution)
	got, err = c.Prompt(t.Context(), project, PromptQuery{Name: "root", Raw: true})
	require.NoError(t, err)
	assert.Equal(t, string(text), string(got.Prompt))
	assert.Nil(t, got.Resolution)

	const used = "Other prompts are depending on prompt versions you are trying to delete: version 1 of '%s'"
	requireError(t, c.DeletePrompt(t.Context(), project, "middle", nil, ""), store.ErrInvalid, fmt.Sprintf(used, "root"))
	requireError(t, c.DeletePrompt(t.Context(), project, leaf.Name, new(1), ""), store.ErrInvalid, fmt.Sprintf(used, "middle"))
	createPrompt(t, c, PromptCreate{Name: "middle", Prompt: raw(`"unused"`)})
	require.NoError(t, c.DeletePrompt(t.Context(), project, "middle", new(2), ""))

	for message, prompt := range map[string]string{
		"Prompt dependency not found: 'nope' with version 3":                     `"@@@langfusePrompt:name=nope|version=3@@@"`,
		"Prompt dependency not found: 'middle' with label 'nope'":                `"@@@langfusePrompt:name=middle|label=nope@@@"`,
		"Prompt dependency is not a text prompt: 'root' with label 'production'": `"@@@langfusePrompt:name=root|label=production@@@"`,
	} {
		_, err := c.CreatePrompt(t.Context(), project, PromptCreate{Name: "bad", Prompt: raw(prompt)})
		requireError(t, err, store.ErrInvalid, message)
	}
	_, err = c.CreatePrompt(t.Context(), project, PromptCreate{Name: leaf.Name, Prompt: raw(`"@@@langfusePrompt:name=middle|version=1@@@"`)})
	requireError(t, err, store.ErrInvalid, `Circular dependency detected involving prompt 'le"af' version 1`)
}

func TestPromptReferencesAreBounded(t *testing.T) {
	c, _ := newCatalog(t)
	createPrompt(t, c, PromptCreate{Name: "0", Prompt: raw(`"x"`)})
	for i := 1; i <= maxNesting; i++ {
		createPrompt(t, c, PromptCreate{Name: strconv.Itoa(i), Prompt: raw(fmt.Sprintf(`"@@@langfusePrompt:name=%d|version=1@@@"`, i-1))})
	}
	_, err := c.CreatePrompt(t.Context(), project, PromptCreate{Name: "deep", Prompt: raw(`"@@@langfusePrompt:name=5|version=1@@@"`)})
	requireError(t, err, store.ErrInvalid, "Maximum nesting depth exceeded: prompts refer to each other more than 5 levels deep")

	const many = 60
	createPrompt(t, c, PromptCreate{Name: "l0", Prompt: raw(`"` + strings.Repeat("x", 1000) + `"`)})
	createPrompt(t, c, PromptCreate{Name: "l1", Prompt: raw(`"` + strings.Repeat("@@@langfusePrompt:name=l0|version=1@@@", many) + `"`)})
	_, err = c.CreatePrompt(t.Context(), project, PromptCreate{
		Name: "l2", Prompt: raw(`"` + strings.Repeat("@@@langfusePrompt:name=l1|version=1@@@", 2*many) + `"`),
	})
	requireError(t, err, store.ErrInvalid, "The prompt has more than 4194304 bytes when its references are resolved")
}

func TestManyPromptReferences(t *testing.T) {
	c, _ := newCatalog(t)
	var text strings.Builder
	for i := range 24_000 {
		fmt.Fprintf(&text, "@@@langfusePrompt:name=%d|version=1@@@", i)
	}
	prompt := raw(`"` + text.String() + `"`)
	assert.Len(t, usesOf(prompt), maxUses+1, "more need not be counted")
	_, err := c.CreatePrompt(t.Context(), project, PromptCreate{Name: "many", Prompt: prompt})
	requireError(t, err, store.ErrInvalid, "A prompt refers to at most 100 others")
}

func TestConcurrentVersions(t *testing.T) {
	c, _ := newCatalog(t)
	const writers, each = 8, 5
	var all sync.WaitGroup
	var mu sync.Mutex
	var versions []int
	for w := range writers {
		all.Go(func() {
			for i := range each {
				prompt, err := c.CreatePrompt(t.Context(), project, PromptCreate{
					Name: "p", Prompt: raw(fmt.Sprintf(`"%d %d"`, w, i)), Labels: []string{"production"},
				})
				assert.NoError(t, err)
				mu.Lock()
				versions = append(versions, prompt.Version)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	slices.Sort(versions)
	for i, version := range versions {
		require.Equal(t, i+1, version, "each has a version of its own")
	}
	production := 0
	for _, labels := range labelsOf(t, c, "p") {
		production += len(slices.DeleteFunc(labels, func(label string) bool { return label != "production" }))
	}
	assert.Equal(t, 1, production, "a label is on one version")
}

func TestPromptIDs(t *testing.T) {
	c, clock := newCatalog(t)
	id := func(version int) string {
		key := PromptKey{Name: "p", Version: version}
		ids, err := c.PromptIDs(t.Context(), project, []PromptKey{key})
		require.NoError(t, err)
		return ids[key]
	}
	assert.Empty(t, id(1))
	first := createPrompt(t, c, PromptCreate{Name: "p", Prompt: raw(`""`)})
	assert.Equal(t, first.ID, id(1), "what is made here shows at once")
	require.NoError(t, c.DeletePrompt(t.Context(), project, "p", nil, ""))
	assert.Empty(t, id(1))

	another := New(c.documents, c.options)
	second := createPrompt(t, another, PromptCreate{Name: "p", Prompt: raw(`""`)})
	assert.Empty(t, id(1), "remembered")
	clock.advance(defaultRefresh)
	assert.Equal(t, second.ID, id(1), "what another process made shows after a while")
	empty, err := c.PromptIDs(t.Context(), other, []PromptKey{{"p", 1}})
	require.NoError(t, err)
	assert.Empty(t, empty)
}

// countingDocuments counts the queries.
type countingDocuments struct {
	store.Documents
	queries int
}

func (d *countingDocuments) ListDocuments(ctx context.Context, q query.Documents) (store.DocumentPage, error) {
	d.queries++
	return d.Documents.ListDocuments(ctx, q)
}

func TestPromptIDsOfManyNames(t *testing.T) {
	first, clock := newCatalog(t)
	documents := &countingDocuments{Documents: first.documents}
	c := New(documents, Options{Now: clock.Now})
	one := createPrompt(t, first, PromptCreate{Name: "0", Prompt: raw(`""`)})
	two := createPrompt(t, first, PromptCreate{Name: "0", Prompt: raw(`""`)})
	last := createPrompt(t, first, PromptCreate{Name: "1499", Prompt: raw(`""`)})
	keys := []PromptKey{{"0", 2}, {"", 1}, {strings.Repeat("x", store.MaxDocumentKey+1), 1}}
	for i := range 3 * promptHeadsAtOnce {
		keys = append(keys, PromptKey{Name: strconv.Itoa(i), Version: 1})
	}
	for range 2 {
		ids, err := c.PromptIDs(t.Context(), project, keys)
		require.NoError(t, err)
		assert.Equal(t, map[PromptKey]string{{"0", 1}: one.ID, {"0", 2}: two.ID, {"1499", 1}: last.ID}, ids)
		assert.Equal(t, 3, documents.queries, "names that there are not are remembered too")
	}
	assert.Len(t, c.promptIDs.entries, 1501)

	for begin := range 10 {
		many := make([]PromptKey, 2000)
		for i := range many {
			many[i] = PromptKey{Name: "many", Version: 2000*begin + i}
		}
		_, err := c.PromptIDs(t.Context(), project, many)
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, len(c.promptIDs.entries), maxCached)
	assert.Equal(t, 13, documents.queries, "one a name")
}
