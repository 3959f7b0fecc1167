// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPrompts(t *testing.T) {
	h := start(t)
	page := `{"page":1,"limit":10,"totalItems":0,"totalPages":0}`
	h.like(t, 200, `{"data":[],"meta":`+page+`,"pagination":`+page+`}`, h.get(t, "/v2/prompts"))

	head := `"id":"<id>","createdAt":"<time>","updatedAt":"<time>","projectId":"<project>","createdBy":"API","name":"greet"`
	first := `{` + head + `,"prompt":"Hello {{name}}","version":1,"type":"text","config":{},"tags":[],"labels":["production","latest"],"commitMessage":null}`
	h.like(t, 201, first, h.send(t, http.MethodPost, "/v2/prompts",
		`{"name":"greet","prompt":"Hello {{name}}","labels":["production"],"config":null,"tags":null,"commitMessage":null}`))
	second := `{` + head + `,"prompt":"Hi","version":2,"type":"text","config":{"t":[0.5]},"tags":["a","b"],"labels":["staging","latest"],"commitMessage":"shorter"}`
	h.like(t, 201, second, h.send(t, http.MethodPost, "/v2/prompts",
		`{"name":"greet","type":"text","prompt":"Hi","labels":["staging","latest"],"config":{"t":[0.5]},"tags":["a","b"],"commitMessage":"shorter"}`))

	production := `{` + head + `,"prompt":"Hello {{name}}","version":1,"type":"text","config":{},"tags":["a","b"],"labels":["production"],"commitMessage":null,"isActive":true,"resolutionGraph":null}`
	latest := `{` + head + `,"prompt":"Hi","version":2,"type":"text","config":{"t":[0.5]},"tags":["a","b"],"labels":["staging","latest"],"commitMessage":"shorter","isActive":false,"resolutionGraph":null}`
	for query, want := range map[string]string{
		"": production, "?label=production": production, "?version=1": production,
		"?label=latest": latest, "?label=staging": latest, "?version=2": latest, "?version=2&resolve=false": latest, "?version=2&resolve=true": latest,
	} {
		h.like(t, 200, want, h.send(t, http.MethodGet, "/v2/prompts/greet"+query, nil))
	}
	for _, query := range []string{"?version=&label=", "?other=x"} {
		h.like(t, 200, production, h.beyond().send(t, http.MethodGet, "/v2/prompts/greet"+query, nil))
	}

	h.like(t, 200, `{`+head+`,"prompt":"Hi","version":2,"type":"text","config":{"t":[0.5]},"tags":["a","b"],"labels":["staging","production","latest"],"commitMessage":"shorter"}`,
		h.send(t, http.MethodPatch, "/v2/prompts/greet/versions/2", `{"newLabels":["production"]}`))
	assert.Empty(t, h.get(t, "/v2/prompts/greet", "version", "1").decode(t)["labels"], "a label is on one version")
	assert.Equal(t, 2.0, h.get(t, "/v2/prompts/greet").decode(t)["version"])

	cleared := h.made(t, "/v2/prompts", `{"name":"greet","prompt":"3","tags":[]}`)
	assert.Equal(t, []any{}, cleared["tags"])
	assert.Equal(t, []any{"latest"}, cleared["labels"])

	for _, query := range []string{"?version=3", "?label=production", ""} {
		got := h.send(t, http.MethodDelete, "/v2/prompts/greet"+query, nil)
		assert.Equal(t, 204, got.status, got.body)
		assert.Empty(t, got.body)
	}
	assert.Equal(t, 404, h.get(t, "/v2/prompts/greet", "version", "1").status)
	assert.Equal(t, 1.0, h.made(t, "/v2/prompts", `{"name":"greet","type":"chat","prompt":[]}`)["version"], "deleted is as if it never was")
}

func TestChatPrompts(t *testing.T) {
	h := start(t)
	messages := `[{"type":"chatmessage","role":"system","content":"Be kind"},{"role":"user","content":"{{q}}"},{"type":"placeholder","name":"history"}]`
	h.like(t, 201, `{"id":"<id>","createdAt":"<time>","updatedAt":"<time>","projectId":"<project>","createdBy":"API","name":"chat","prompt":`+messages+`,
		"version":1,"type":"chat","config":7,"tags":[],"labels":["latest"],"commitMessage":null}`,
		h.send(t, http.MethodPost, "/v2/prompts", `{"name":"chat","type":"chat","prompt":`+messages+`,"config":7}`))
}

func TestPromptList(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/prompts", `{"name":"b","prompt":"1","labels":["production"],"config":{"v":1}}`)
	before := h.made(t, "/v2/prompts", `{"name":"b","prompt":"2","tags":["x"],"config":{"v":2}}`)["updatedAt"].(string)
	h.made(t, "/v2/prompts", `{"name":"a/b","type":"chat","prompt":[]}`)
	b := `{"name":"b","type":"text","versions":[1,2],"labels":["production","latest"],"tags":["x"],"lastUpdatedAt":"<time>","lastConfig":{"v":2}}`
	a := `{"name":"a/b","type":"chat","versions":[1],"labels":["latest"],"tags":[],"lastUpdatedAt":"<time>","lastConfig":{}}`
	list := func(limit, total, pages int, rows ...string) string {
		meta := fmt.Sprintf(`{"page":1,"limit":%d,"totalItems":%d,"totalPages":%d}`, limit, total, pages)
		return `{"data":[` + strings.Join(rows, ",") + `],"meta":` + meta + `,"pagination":` + meta + `}`
	}
	h.like(t, 200, list(10, 2, 1, a, b), h.get(t, "/v2/prompts"))
	h.like(t, 200, list(1, 2, 2, a), h.get(t, "/v2/prompts", "limit", "1"))
	h.like(t, 200, list(10, 1, 1, b), h.get(t, "/v2/prompts", "name", "b"))
	h.like(t, 200, list(10, 1, 1, b), h.get(t, "/v2/prompts", "tag", "x"))
	h.like(t, 200, list(10, 1, 1, `{"name":"b","type":"text","versions":[1],"labels":["production"],"tags":["x"],"lastUpdatedAt":"<time>","lastConfig":{"v":1}}`),
		h.get(t, "/v2/prompts", "label", "production"))
	h.like(t, 200, list(10, 1, 1, `{"name":"b","type":"text","versions":[2],"labels":["latest"],"tags":["x"],"lastUpdatedAt":"<time>","lastConfig":{"v":2}}`),
		h.get(t, "/v2/prompts", "version", "2"))
	h.like(t, 200, list(10, 0, 0), h.get(t, "/v2/prompts", "toUpdatedAt", "2020-01-01T00:00:00Z"))
	assert.Contains(t, names(h.get(t, "/v2/prompts", "fromUpdatedAt", before).data(t)), "b")
	assert.Empty(t, h.get(t, "/v2/prompts", "fromUpdatedAt", "2999-01-01T00:00:00Z").data(t))
}

func TestPromptReferences(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/prompts", `{"name":"part","prompt":"kind","labels":["production"]}`)
	h.made(t, "/v2/prompts", `{"name":"whole","prompt":"Be @@@langfusePrompt:name=part|label=production@@@!","labels":["production"]}`)
	resolved := h.get(t, "/v2/prompts/whole").decode(t)
	assert.Equal(t, "Be kind!", resolved["prompt"])
	graph := resolved["resolutionGraph"].(map[string]any)
	root := graph["root"].(map[string]any)
	assert.Equal(t, "whole", root["name"])
	dependency := graph["dependencies"].(map[string]any)[root["id"].(string)].([]any)[0].(map[string]any)
	assert.Equal(t, "part", dependency["name"])
	assert.Equal(t, 1.0, dependency["version"])
	assert.Equal(t, "Be @@@langfusePrompt:name=part|label=production@@@!", h.get(t, "/v2/prompts/whole", "resolve", "false").decode(t)["prompt"])
	h.refuses(t, refusal{
		http.MethodDelete, "/v2/prompts/part", nil, 400,
		"Other prompts are depending on prompt versions you are trying to delete: version 1 of 'whole'", nil,
	})
}

func TestPromptNames(t *testing.T) {
	h := start(t)
	for _, name := range []string{oddName, "a b", "a+b", "folder/sub/leaf", "100%", "ünï"} {
		prompt := h.made(t, "/v2/prompts", map[string]any{"name": name, "prompt": "x", "labels": []string{"production"}})
		path := "/v2/prompts/" + url.PathEscape(name)
		assert.Equal(t, prompt["id"], h.get(t, path).decode(t)["id"], name)
		assert.Equal(t, 200, h.send(t, http.MethodPatch, path+"/versions/1", `{"newLabels":["x"]}`).status, name)
		assert.Equal(t, []any{name}, names(h.get(t, "/v2/prompts", "name", name).data(t)))
		assert.Equal(t, 204, h.send(t, http.MethodDelete, path, nil).status, name)
	}
	assert.Equal(t, 404, h.get(t, "/v2/prompts/").status, "an empty name is not the list")
}

func TestPromptRefusals(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/prompts", `{"name":"p","prompt":"x"}`)
	const post, path = http.MethodPost, "/v2/prompts"
	const missing = "Invalid input: expected string, received undefined"
	label := "Label must be lowercase alphanumeric with optional underscores, hyphens, or periods"
	h.refuses(t,
		refusal{http.MethodGet, path + "/p", nil, 404, "Prompt not found: 'p' with label 'production'", nil},
		refusal{http.MethodGet, path + "/none?label=x", nil, 404, "Prompt not found: 'none' with label 'x'", nil},
		refusal{http.MethodGet, path + "/p?version=3", nil, 404, "Prompt not found: 'p' with version 3", nil},
		refusal{http.MethodGet, path + "/p?version=1&label=latest", nil, 400, "Cannot specify both version and label", nil},
		refusal{http.MethodGet, path + "/p?version=x", nil, 400, "Invalid input: expected number, received NaN", []any{"version"}},
		refusal{http.MethodGet, path + "/p?version=1.5", nil, 400, "Invalid input: expected int, received number", []any{"version"}},
		refusal{http.MethodGet, path + "/p?resolve=yes", nil, 400, `Invalid option: expected one of "true"|"false"`, []any{"resolve"}},
		refusal{http.MethodGet, path + "?limit=101", nil, 400, "Too big: expected number to be <=100", []any{"limit"}},
		refusal{http.MethodGet, path + "?fromUpdatedAt=2026-01-01", nil, 400, "Invalid ISO datetime", []any{"fromUpdatedAt"}},
		refusal{http.MethodGet, path + "?name=a&name=b", nil, 400, "Invalid input: expected string, received array", []any{"name"}},
		refusal{post, path, `{"prompt":"x"}`, 400, missing, []any{"name"}},
		refusal{post, path, `{"name":"","prompt":"x"}`, 400, "Too small: expected string to have >=1 characters", []any{"name"}},
		refusal{post, path, `{"name":"<i>","prompt":"x"}`, 400, "Text cannot contain HTML tags", []any{"name"}},
		refusal{post, path, `{"name":"a|b","prompt":"x"}`, 400, "Prompt name cannot contain '|' character", []any{"name"}},
		refusal{post, path, `{"name":"new","prompt":"x"}`, 400, "Prompt name cannot be 'new'", []any{"name"}},
		refusal{post, path, `{"name":"p"}`, 400, missing, []any{"prompt"}},
		refusal{post, path, `{"name":"p","prompt":[]}`, 400, "Invalid input: expected string, received array", []any{"prompt"}},
		refusal{post, path, `{"name":"p","type":"chat","prompt":"x"}`, 400, "Invalid input: expected array, received string", []any{"prompt"}},
		refusal{post, path, `{"name":"q","type":"chat","prompt":[{"role":"user"}]}`, 400, "Message 1 of the prompt must be an object with role and content, both strings", []any{"prompt"}},
		refusal{post, path, `{"name":"q","type":"audio","prompt":"x"}`, 400, `Invalid option: expected one of "text"|"chat"`, []any{"type"}},
		refusal{post, path, `{"name":"p","type":"chat","prompt":[]}`, 400, "Previous versions have different prompt type. Create a new prompt with a different name.", []any{"type"}},
		refusal{post, path, `{"name":"p","prompt":"x","labels":["Upper"]}`, 400, label, []any{"labels"}},
		refusal{post, path, `{"name":"p","prompt":"x","labels":[1]}`, 400, "Invalid input: expected string, received number", []any{"labels", 0}},
		refusal{post, path, `{"name":"p","prompt":"x","labels":["` + strings.Repeat("x", 37) + `"]}`, 400, "Too big: expected string to have <=36 characters", []any{"labels"}},
		refusal{post, path, `{"name":"p","prompt":"x","commitMessage":"` + strings.Repeat("x", 501) + `"}`, 400, "Too big: expected string to have <=500 characters", []any{"commitMessage"}},
		refusal{http.MethodPatch, path + "/p/versions/1", `{}`, 400, "Invalid input: expected array, received undefined", []any{"newLabels"}},
		refusal{http.MethodPatch, path + "/p/versions/1", `{"newLabels":["latest"]}`, 400, "Label 'latest' is always assigned to the latest prompt version", []any{"newLabels"}},
		refusal{http.MethodPatch, path + "/p/versions/9", `{"newLabels":["x"]}`, 404, "Prompt not found: 'p' with version 9", nil},
		refusal{http.MethodPatch, path + "/p/versions/one", `{"newLabels":["x"]}`, 400, "Invalid input: expected number, received NaN", []any{"promptVersion"}},
		refusal{http.MethodDelete, path + "/none", nil, 404, "Prompt not found: 'none'", nil},
		refusal{http.MethodDelete, path + "/p?version=1&label=latest", nil, 400, "Cannot specify both version and label", nil},
		refusal{http.MethodDelete, path + "/p?label=x", nil, 404, "Prompt not found: 'p' with label 'x'", nil},
	)
	for _, r := range [][2]string{{http.MethodGet, path}, {post, path}, {http.MethodGet, path + "/p"}, {http.MethodDelete, path + "/p"}, {http.MethodPatch, path + "/p/versions/1"}} {
		got := h.call(t, r[0], "/api/public"+r[1], nil, "Authorization", "")
		h.like(t, 401, `{"message":"No authorization header","error":"UnauthorizedError"}`, got)
	}
}

func TestPromptsOfOthers(t *testing.T) {
	h := start(t)
	h.made(t, "/v2/prompts", `{"name":"p","prompt":"x","labels":["production"]}`)
	other := h.asOther()
	assert.Empty(t, other.get(t, "/v2/prompts").data(t))
	other.refuses(t,
		refusal{http.MethodGet, "/v2/prompts/p", nil, 404, "Prompt not found: 'p' with label 'production'", nil},
		refusal{http.MethodPatch, "/v2/prompts/p/versions/1", `{"newLabels":["x"]}`, 404, "Prompt not found: 'p' with version 1", nil},
		refusal{http.MethodDelete, "/v2/prompts/p", nil, 404, "Prompt not found: 'p'", nil},
	)
	assert.Equal(t, 1.0, other.made(t, "/v2/prompts", `{"name":"p","type":"chat","prompt":[]}`)["version"])
	assert.Equal(t, "x", h.get(t, "/v2/prompts/p").decode(t)["prompt"])
}

// However many make versions at once, each gets a number of its own, and a label is on one of them.
func TestPromptsAtOnce(t *testing.T) {
	h := start(t)
	const writers = 16
	got := make([]answer, writers)
	var wait sync.WaitGroup
	for i := range got {
		wait.Go(func() {
			got[i] = h.send(t, http.MethodPost, "/v2/prompts", fmt.Sprintf(`{"name":"race","prompt":"%d","labels":["production"]}`, i))
		})
	}
	wait.Wait()
	var versions []int
	for _, a := range got {
		require.Equal(t, 201, a.status, a.body)
		versions = append(versions, int(a.decode(t)["version"].(float64)))
	}
	slices.Sort(versions)
	for i, version := range versions {
		assert.Equal(t, i+1, version)
	}
	row := h.get(t, "/v2/prompts", "name", "race").data(t)[0]
	assert.Equal(t, []any{"production", "latest"}, row["labels"])
	assert.Len(t, row["versions"], writers)
}
