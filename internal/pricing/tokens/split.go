// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package tokens // import "github.com/weirhq/weir/internal/pricing/tokens"

import (
	"unicode"
	"unicode/utf8"
)

// Each encoding defines its pieces by an expression with a look ahead, which Go's regexp has not. These functions do
// what the expressions say, alternative by alternative, and look at every character only a few times.

// nextR50k is for r50k_base and p50k_base:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func nextR50k(text string, pos int) int {
	if end := contraction(text, pos, false); end > pos {
		return end
	}
	start := pos
	if text[pos] == ' ' {
		start++
	}
	for _, kind := range [...]class{letter, number, other | mark} {
		if end := run(text, start, kind); end > start {
			return end
		}
	}
	return blanks(text, pos)
}

// nextCl100k is for cl100k_base:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextCl100k(text string, pos int) int {
	if end := contraction(text, pos, true); end > pos {
		return end
	}
	start := afterPrefix(text, pos)
	if end := run(text, start, letter); end > start {
		return end
	}
	return nextCommon(text, pos, "\r\n")
}

// nextO200k is for o200k_base, where U is [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L is [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//	[^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func nextO200k(text string, pos int) int {
	start := afterPrefix(text, pos)
	for _, word := range [...]func(string, int) int{lowerWord, upperWord} {
		end := word(text, start)
		if end == start && start > pos {
			// A mark is both: what may stand before a word and a part of it.
			start, end = pos, word(text, pos)
		}
		if end > start {
			return contraction(text, end, true)
		}
		start = afterPrefix(text, pos)
	}
	return nextCommon(text, pos, "\r\n/")
}

const (
	upperRun = upper | caseless | mark
	lowerRun = lower | caseless | mark
)

// lowerWord is U*L+. What is neither upper nor lower belongs to both: the first part takes it and gives back as much as
// the second one needs.
func lowerWord(text string, pos int) int {
	end, lastLower := pos, pos
	for end < len(text) {
		kind, width := classify(text, end)
		if kind&upperRun == 0 {
			break
		}
		end += width
		if kind&lowerRun != 0 {
			lastLower = end
		}
	}
	if after := run(text, end, lowerRun); after > end {
		return after
	}
	return lastLower
}

// upperWord is U+L*.
func upperWord(text string, pos int) int {
	end := run(text, pos, upperRun)
	if end == pos {
		return pos
	}
	return run(text, end, lowerRun)
}

// nextCommon is what cl100k_base and o200k_base have in common after words; they differ in what may follow a sign.
func nextCommon(text string, pos int, afterSigns string) int {
	kind, width := classify(text, pos)
	if kind == number {
		end := pos + width
		for range 2 {
			kind, width = classify(text, end)
			if kind != number {
				break
			}
			end += width
		}
		return end
	}
	start := pos
	if text[pos] == ' ' {
		start++
	}
	if end := run(text, start, other|mark); end > start {
		for end < len(text) && isOneOf(text[end], afterSigns) {
			end++
		}
		return end
	}
	if end := throughLastNewline(text, pos); end > pos {
		return end
	}
	return blanks(text, pos)
}

// blanks is \s+(?!\S)|\s+: white space, but the last of several before a word goes with the word.
func blanks(text string, pos int) int {
	end, last := pos, pos
	for end < len(text) {
		kind, width := classify(text, end)
		if kind&space == 0 {
			break
		}
		last = end
		end += width
	}
	if end < len(text) && last > pos {
		return last
	}
	return end
}

// throughLastNewline is \s*[\r\n]+; pos when there is no newline in the white space.
func throughLastNewline(text string, pos int) int {
	found := pos
	for pos < len(text) {
		kind, width := classify(text, pos)
		if kind&space == 0 {
			break
		}
		pos += width
		if kind&newline != 0 {
			found = pos
		}
	}
	return found
}

// afterPrefix is [^\r\n\p{L}\p{N}]?.
func afterPrefix(text string, pos int) int {
	if kind, width := classify(text, pos); kind&(letter|number|newline) == 0 {
		return pos + width
	}
	return pos
}

// contraction is 's|'t|'re|'ve|'m|'ll|'d; pos when there is none.
func contraction(text string, pos int, anyCase bool) int {
	if pos >= len(text) || text[pos] != '\'' {
		return pos
	}
	rest := text[pos+1:]
	at := func(i int) byte {
		switch {
		case i >= len(rest):
			return 0
		case anyCase && 'A' <= rest[i] && rest[i] <= 'Z':
			return rest[i] + 'a' - 'A'
		}
		return rest[i]
	}
	switch first, second := at(0), at(1); {
	case first == 's', first == 't', first == 'm', first == 'd':
		return pos + len("'s")
	case first == 'r' && second == 'e', first == 'v' && second == 'e', first == 'l' && second == 'l':
		return pos + len("'re")
	case anyCase && len(rest) >= len(longS) && rest[:len(longS)] == longS:
		return pos + len("'") + len(longS)
	}
	return pos
}

// longS is the one letter beyond ASCII that is an s when case does not count.
const longS = "\u017f"

// run is where characters of some classes end.
func run(text string, pos int, kinds class) int {
	for pos < len(text) {
		kind, width := classify(text, pos)
		if kind&kinds == 0 {
			break
		}
		pos += width
	}
	return pos
}

func isOneOf(b byte, set string) bool {
	for i := range len(set) {
		if set[i] == b {
			return true
		}
	}
	return false
}

// class is what an expression can ask about a character.
type class uint8

const (
	upper    class = 1 << iota // Lu, Lt
	lower                      // Ll
	caseless                   // Lm, Lo
	mark                       // M
	number                     // N
	space                      // White_Space
	newline                    // space too
	other                      // signs, and bytes that are no text

	letter = upper | lower | caseless
)

// classify is the class of the character at pos, and its width; nothing at the end of the text.
func classify(text string, pos int) (class, int) {
	if pos >= len(text) {
		return 0, 0
	}
	if b := text[pos]; b < utf8.RuneSelf {
		return ascii[b], 1
	}
	r, width := utf8.DecodeRuneInString(text[pos:])
	if r == utf8.RuneError && width == 1 {
		return other, 1
	}
	return classOf(r), width
}

func classOf(r rune) class {
	switch {
	case unicode.Is(unicode.Ll, r):
		return lower
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upper
	case unicode.IsLetter(r):
		return caseless
	case unicode.IsMark(r):
		return mark
	case unicode.IsNumber(r):
		return number
	case r == '\r' || r == '\n':
		return newline | space
	case unicode.IsSpace(r):
		return space
	}
	return other
}

// ascii has the classes of what most texts are made of.
var ascii = func() (table [utf8.RuneSelf]class) {
	for b := range table {
		table[b] = classOf(rune(b))
	}
	return table
}()
