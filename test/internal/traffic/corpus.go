// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package traffic // import "github.com/weirhq/weir/test/internal/traffic"

import (
	"math/rand/v2"
	"strings"
	"sync"
)

// corpusSize is so large that no compression finds the same text again.
const corpusSize = 16 << 20

// corpus is words of all lengths, the short ones more often, as in any language; nothing in it needs to be escaped.
var corpus = sync.OnceValue(func() string {
	random := rand.New(rand.NewPCG(2026, 11))
	words := make([]string, 20_000)
	for i := range words {
		var word strings.Builder
		for range 2 + random.IntN(9) {
			word.WriteByte("etaoinshrdlucmfwypvbgkjqxz"[min(random.IntN(26), random.IntN(26))])
		}
		words[i] = word.String()
	}
	var text strings.Builder
	for text.Len() < corpusSize+largestText {
		text.WriteString(words[min(random.IntN(len(words)), random.IntN(len(words)), random.IntN(len(words)))])
		text.WriteByte(' ')
	}
	return text.String()
})

func (t text) String() string { return corpus()[t.from : t.from+t.size] }
