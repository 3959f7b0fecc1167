// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import "unicode/utf8"

// ValidText is utf8.ValidString, faster for prose with characters of two or three bytes: it looks at eight bytes at
// once, where a branch for each of them is a wrong guess every few bytes.
func ValidText(text string) bool {
	rest := text
	var open uint64 // where in the next word a character goes on that began in the last one
	for len(rest) >= wordSize {
		w := word(rest)
		rest = rest[wordSize:]
		if w&highBits|open == 0 {
			for len(rest) >= 4*wordSize &&
				(word(rest)|word(rest[wordSize:])|word(rest[2*wordSize:])|word(rest[3*wordSize:]))&highBits == 0 {
				rest = rest[4*wordSize:]
			}
			continue
		}
		// A shift by n brings the n-th bit from the top of each byte to the place that highBits masks. So each of
		// these has the bytes of one class, and a shift by whole bytes gives the places after them.
		first := w & (w << 1) & highBits                        // 11......
		following := w &^ (w << 1) & highBits                   // 10......
		ofMore := first & (w << 2)                              // 111.....
		ofFour := ofMore & (w << 3)                             // 1111....
		overlong := first &^ (w<<2 | w<<3 | w<<4 | w<<5 | w<<6) // 1100000.
		// Of 11100000 and 11101101, the next byte decides whether they begin a character.
		undecided := ofMore & (^(w<<4 | w<<5 | w<<6 | w<<7) | (w<<4)&(w<<5)&^(w<<6)&(w<<7))
		if following != first<<8|ofMore<<16|open || ofFour|overlong|undecided != 0 {
			return utf8.ValidString(text)
		}
		open = first>>56 | ofMore>>48
	}
	end := len(text) - len(rest)
	if open != 0 {
		end--
		for !utf8.RuneStart(text[end]) {
			end--
		}
	}
	return utf8.ValidString(text[end:])
}
