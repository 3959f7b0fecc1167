// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// Every byte at every place, with every byte after it.
func TestPlainBytes(t *testing.T) {
	isPlain := func(b byte) bool { return b >= ' ' && b < utf8.RuneSelf && b != '"' && b != '\\' }
	for place := range wordSize {
		for b := range 256 {
			for after := range 256 {
				text := []byte("plain ~\x7f")
				text[place] = byte(b)
				if place+1 < wordSize {
					text[place+1] = byte(after)
				}
				want := 0
				for want < wordSize && isPlain(text[want]) {
					want++
				}
				if got := plainBytes(word(string(text))); got != want {
					t.Fatalf("%q: %d, not %d", text, got, want)
				}
			}
		}
	}
	assert.Equal(t, wordSize, plainBytes(word("all fine, and more")))
}
