// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package tokens // import "github.com/weirhq/weir/internal/pricing/tokens"

import (
	"strings"
	"sync"
)

// Encoding is a vocabulary with its rule for cutting text into pieces. It may be used by many at once.
type Encoding struct {
	name string
	// next is where the piece that begins at pos ends.
	next       func(text string, pos int) int
	vocabulary func() (vocabulary, error)
}

func newEncoding(name string, next func(text string, pos int) int) *Encoding {
	// A vocabulary takes megabytes and tens of milliseconds: only what is used is read, and only once.
	return &Encoding{name: name, next: next, vocabulary: sync.OnceValues(func() (vocabulary, error) {
		return readVocabulary(name + ".tiktoken")
	})}
}

var (
	o200kBase  = newEncoding("o200k_base", nextO200k)
	cl100kBase = newEncoding("cl100k_base", nextCl100k)
	p50kBase   = newEncoding("p50k_base", nextR50k)
	r50kBase   = newEncoding("r50k_base", nextR50k)
)

var encodings = []*Encoding{o200kBase, cl100kBase, p50kBase, r50kBase}

// families are the beginnings of names, the longer before the shorter.
var families = []struct {
	prefix   string
	encoding *Encoding
}{
	{"gpt-5", o200kBase},
	{"gpt-4.1", o200kBase},
	{"gpt-4.5", o200kBase},
	{"gpt-4o", o200kBase},
	{"chatgpt-4o", o200kBase},
	{"gpt-oss", o200kBase},
	{"o1", o200kBase},
	{"o3", o200kBase},
	{"o4", o200kBase},
	{"gpt-4", cl100kBase},
	{"gpt-3.5", cl100kBase},
	{"gpt-35", cl100kBase},
	{"text-embedding-3-", cl100kBase},
	{"text-embedding-ada-002", cl100kBase},
	{"davinci-002", cl100kBase},
	{"babbage-002", cl100kBase},
	{"text-davinci-002", p50kBase},
	{"text-davinci-003", p50kBase},
	{"text-davinci-001", r50kBase},
	{"text-curie-001", r50kBase},
	{"text-babbage-001", r50kBase},
	{"text-ada-001", r50kBase},
}

// ForModel is the encoding of a model of OpenAI; nil when the name does not tell.
func ForModel(name string) *Encoding {
	name = strings.TrimPrefix(strings.ToLower(name), "ft:")
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return f.encoding
		}
	}
	return nil
}

// Named is the encoding of that name; nil when there is none.
func Named(name string) *Encoding {
	for _, e := range encodings {
		if e.name == name {
			return e
		}
	}
	return nil
}

// Names are the names of all encodings, for messages.
func Names() string {
	var names []string
	for _, e := range encodings {
		names = append(names, e.name)
	}
	return strings.Join(names, ", ")
}

// String is the name.
func (e *Encoding) String() string { return e.name }

// Count is the number of tokens of a text. Special tokens have no meaning in it: they are text. It fails only if the
// vocabulary cannot be read.
func (e *Encoding) Count(text string) (int, error) {
	v, err := e.vocabulary()
	if err != nil {
		return 0, err
	}
	var (
		count int
		m     = merger{vocabulary: v}
	)
	for pos := 0; pos < len(text); {
		end := e.next(text, pos)
		count += m.count(text[pos:end])
		pos = end
	}
	return count, nil
}
