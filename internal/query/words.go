// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"slices"
	"strings"
	"unicode"
)

// maxWords is how many different words of a full-text search are looked at.
const maxWords = 64

// Words are the different words of a full-text search in lower case: runs of letters and digits.
func Words(text string) []string { return ExactWords(strings.ToLower(text)) }

// ExactWords are the different words of a full-text search in which letter case counts.
func ExactWords(text string) []string {
	var words []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !IsWordRune(r) }) {
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
		if len(words) == maxWords {
			break
		}
	}
	return words
}

// IsWordRune tells what a word is made of.
func IsWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
