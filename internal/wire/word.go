// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import "math/bits"

// A word is eight bytes of text that are looked at all at once.
const (
	wordSize = 8
	// lowBits and highBits are the lowest and the highest bit of each byte.
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// word is the first eight bytes of text, the first one lowest; the compiler makes it a single load.
func word(text string) uint64 {
	_ = text[wordSize-1]
	return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
		uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
}

// plainBytes is how many bytes of a word, from the first one, stand in a JSON string as they are: ASCII, but for quotes,
// backslashes and control characters.
//
// Each subtraction sets the highest bit of a byte that is below what is subtracted. It may also do so in bytes after
// such a one, which does not matter, because only the first counts.
func plainBytes(w uint64) int {
	quotes, backslashes := w^('"'*lowBits), w^('\\'*lowBits)
	special := (w | (w - ' '*lowBits) | (quotes - lowBits) | (backslashes - lowBits)) & highBits
	return bits.TrailingZeros64(special) / 8
}
