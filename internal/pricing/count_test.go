// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCount(t *testing.T) {
	table := defaultTable(t)
	for _, tc := range []struct {
		model, text string
		want        int
	}{
		{"gpt-4", "", 0},
		{"gpt-4", "hello world", 2},
		{"gpt-4", "https://example.com/a//\n/b?x=1", 11},
		{"gpt-4o", "https://example.com/a//\n/b?x=1", 12}, // another encoding
		{"gpt-5.4", "https://example.com/a//\n/b?x=1", 12},
		{"text-davinci-003", "a\n    \n\n  b", 6},
		{"text-davinci-001", "a\n    \n\n  b", 9},

		// role 1, content 6; role 1, content 7; 3 a message and 3 for the reply
		{"gpt-4", `[{"role":"system","content":"You are a helpful assistant."},{"role":"user","content":"What is the capital of France?"}]`, 24},
		{"gpt-4", ` [{"role":"user","content":"hello world"}]`, 9},
		{"gpt-4", `[{"role":"user","content":"hello world","name":"user"}]`, 11},
		{"gpt-3.5-turbo-0301", `[{"role":"user","content":"hello world","name":"user"}]`, 10},
		{"gpt-4", `[{"role":"user","content":"","refusal":null}]`, 7},
		{"gpt-4", `[{"role":"user","content":"hello\u0020world"}]`, 9},
		{"gpt-4", `[{"role":"user","content":"hello world","n":[1,2]}]`, 14},

		// Anything else is text.
		{"gpt-4", `[]`, 1},
		{"gpt-4", `[1]`, 3},
		{"gpt-4", `[{"role":"user"}]`, 7},
		{"gpt-4", `[{"role":"user","content":"hello world"}`, 11},
		{"gpt-4o-mini", `[{"role":"system","content":"You are a helpful assistant."},{"role":"user","parts":[{"type":"text","content":"What is the capital of France?"}]}]`, 38},
	} {
		count, ok := table.Match(tc.model).Count(tc.text)
		assert.True(t, ok)
		assert.Equal(t, tc.want, count, "%s: %s", tc.model, tc.text)
	}
}

func TestCountOfWhatCannotBeCounted(t *testing.T) {
	for _, name := range []string{"claude-opus-4-6", "claude-2.1", "gemini-2.5-pro"} {
		count, ok := defaultTable(t).Match(name).Count("hello world")
		assert.False(t, ok, name)
		assert.Zero(t, count, name)
	}
}

func TestCountByTheNameOfAnEncoding(t *testing.T) {
	definition := flat("mine", "", "1")
	definition.Tokenizer = "cl100k_base"
	table, err := defaultTable(t).With([]Definition{definition})
	require.NoError(t, err)
	count, ok := table.Match("mine").Count("https://example.com/a//\n/b?x=1")
	assert.True(t, ok)
	assert.Equal(t, 11, count)
	assert.Equal(t, "cl100k_base", table.Match("mine").TokenizerName())
}

func FuzzCount(f *testing.F) {
	f.Add(`[{"role":"user","content":"hello","name":"x","tool_calls":[{}]}]`)
	f.Add("\xff'S \r\n ſ")
	table := defaultTable(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"gpt-4o", "gpt-4", "text-ada-001"} {
			count, ok := table.Match(name).Count(text)
			assert.True(t, ok)
			assert.GreaterOrEqual(t, count, 0)
		}
	})
}
