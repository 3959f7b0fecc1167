// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package query // import "github.com/weirhq/weir/internal/query"

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// OpenWords are those words of a search, as ExactWords gives them, that could be part of a longer word where the search
// occurs: at most the first and the last. All others stand between characters of the search that end a word, and so
// where it occurs they are whole words. To look for a whole word is dear, and a search may have many.
func OpenWords(search string) []string {
	words := ExactWords(search)
	isOther := func(r rune) bool { return !IsWordRune(r) }
	first, last := search, search
	if end := strings.IndexFunc(search, isOther); end >= 0 {
		first = search[:end]
	}
	if begin := strings.LastIndexFunc(search, isOther); begin >= 0 {
		_, size := utf8.DecodeRuneInString(search[begin:])
		last = search[begin+size:]
	}
	return slices.DeleteFunc(words, func(word string) bool { return word != first && word != last })
}

// IsWordRune tells what a word is made of.
func IsWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
