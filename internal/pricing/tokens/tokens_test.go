// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package tokens

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The sums are those which OpenAI's own library expects of the files.
func TestVocabulariesAreOpenAIs(t *testing.T) {
	for name, want := range map[string]string{
		"o200k_base":  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
		"cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
		"p50k_base":   "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
		"r50k_base":   "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
	} {
		file, err := assets.Assets.ReadFile(name + ".tiktoken")
		require.NoError(t, err)
		sum := sha256.Sum256(file)
		assert.Equal(t, want, hex.EncodeToString(sum[:]), name)

		v, err := Named(name).vocabulary()
		require.NoError(t, err, name)
		for token := range v {
			if len(token) >= longestToken {
				t.Errorf("%s has a token of %d bytes", name, len(token))
			}
		}
		for b := range 256 {
			_, ok := v[string([]byte{byte(b)})]
			assert.True(t, ok, "%s can write any byte", name)
		}
	}
}

func TestParseVocabularyErrors(t *testing.T) {
	for file, want := range map[string]string{
		"IQ== 0\n!! 1\n":                  "f: the token in line 2: illegal base64 data at input byte 0",
		"IQ==\n":                          `f: the rank in line 1: strconv.ParseUint: parsing "": invalid syntax`,
		"IQ== -1\n":                       `f: the rank in line 1: strconv.ParseUint: parsing "-1": invalid syntax`,
		"\n" + strings.Repeat("A", 400):   `f: the rank in line 1: strconv.ParseUint: parsing "": invalid syntax`,
		strings.Repeat("A", 400) + " 1\n": "f: the token in line 1 is too long",
	} {
		_, err := parseVocabulary("f", file)
		assert.EqualError(t, err, want)
	}
	_, err := readVocabulary("none")
	assert.Error(t, err)
}

// The numbers are from OpenAI's tiktoken with the expressions that split.go quotes.
func TestCount(t *testing.T) {
	for text, want := range map[string][4]int{ // o200k, cl100k, p50k, r50k
		"":                               {0, 0, 0, 0},
		"hello world":                    {2, 2, 2, 2},
		"You are a helpful assistant.":   {6, 6, 6, 6},
		"What is the capital of France?": {7, 7, 7, 7},
		"a\n    \n\n  b":                 {4, 4, 6, 9},
		"\t\tif x {\n\t\t\treturn 12345\n\t\t}\n": {13, 13, 17, 17},
		"I'LL don't THEY'RE it’s":                 {9, 9, 12, 12},
		"HTTPServer camelCase snake_case":         {6, 6, 8, 8},
		"Straße 日本語 Здравствуйте हिन्दी":          {7, 18, 36, 36},
		"👩‍👩‍👧 café é":                            {10, 15, 12, 12},
		"https://example.com/a//\n/b?x=1":         {12, 11, 15, 15},
		"<|endoftext|>":                           {7, 7, 7, 7},
		"   leading and trailing   ":              {5, 5, 5, 8},
		" \n \n \n":                               {2, 2, 6, 6},
		"x\u017f'\u017f y":                        {5, 7, 7, 7},
	} {
		for i, e := range encodings {
			count, err := e.Count(text)
			require.NoError(t, err)
			assert.Equal(t, want[i], count, "%s: %q", e, text)
		}
	}
}

func TestForModel(t *testing.T) {
	for name, want := range map[string]*Encoding{
		"gpt-4o": o200kBase, "GPT-4o-mini": o200kBase, "ft:gpt-4o:acme": o200kBase, "gpt-4.1-nano": o200kBase, "gpt-5.6-sol": o200kBase,
		"o1": o200kBase, "o4-mini": o200kBase, "gpt-4": cl100kBase, "gpt-4-turbo": cl100kBase, "gpt-3.5-turbo-0301": cl100kBase,
		"ft:gpt-3.5-turbo-0613": cl100kBase, "text-embedding-ada-002-v2": cl100kBase, "davinci-002": cl100kBase, "ft:babbage-002": cl100kBase,
		"text-davinci-003": p50kBase, "text-davinci-001": r50kBase, "text-ada-001": r50kBase,
		"claude-2": nil, "": nil, "my-gpt-4o": nil,
	} {
		assert.Same(t, want, ForModel(name), name)
	}
}

func TestNamed(t *testing.T) {
	assert.Same(t, o200kBase, Named("o200k_base"))
	assert.Nil(t, Named("o200k"))
	assert.Equal(t, "o200k_base, cl100k_base, p50k_base, r50k_base", Names())
}

// Texts that make a careless tokenizer slow must take no longer than any other. With quadratic time, this test would
// not end.
func TestCountOfLongTexts(t *testing.T) {
	const size = 100_000
	for _, tc := range []struct {
		text string
		want int
	}{{"a", 12_500}, {"ab", 50_000}, {" \n", 25_000}, {"1", 33_334}} {
		count, err := cl100kBase.Count(strings.Repeat(tc.text, size/len(tc.text)))
		require.NoError(t, err)
		assert.InDelta(t, tc.want, count, size/maxPiece+1, "%q: a token for each cut", tc.text)
	}
}

func TestCountByManyAtOnce(t *testing.T) {
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for _, e := range encodings {
				count, err := e.Count("hello world")
				assert.NoError(t, err)
				assert.Equal(t, 2, count)
			}
		})
	}
	wait.Wait()
}

// mergeSlowly is the definition, for ASCII: of all pairs the one of lowest rank, the leftmost of equals, until there is none.
func mergeSlowly(v vocabulary, piece string) int {
	parts := strings.Split(piece, "")
	for {
		best, at := uint32(noRank), -1
		for i := range len(parts) - 1 {
			if rank, ok := v[parts[i]+parts[i+1]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return len(parts)
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
}

func TestMergeIsTheDefinition(t *testing.T) {
	v, err := o200kBase.vocabulary()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(1, 2))
	m := merger{vocabulary: v}
	for range 1000 {
		letters := []string{"abc", "etaoinshr", "aA", " \n\t", "=-+"}[random.IntN(5)]
		piece := make([]byte, 1+random.IntN(40))
		for i := range piece {
			piece[i] = letters[random.IntN(len(letters))]
		}
		assert.Equal(t, mergeSlowly(v, string(piece)), m.merge(string(piece)), "%q", piece)
	}
}

func BenchmarkCount(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over the lazy dog; it's 12345 of 67890 and HTTPServer.\n\n    return x\n", 22)[:2048]
	for _, e := range []*Encoding{o200kBase, cl100kBase} {
		b.Run(e.name, func(b *testing.B) {
			_, _ = e.Count("")
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = e.Count(text)
			}
		})
	}
	b.Run("load o200k_base", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = readVocabulary("o200k_base.tiktoken")
		}
	})
}
