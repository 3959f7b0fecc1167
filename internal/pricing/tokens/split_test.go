// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package tokens

import (
	"regexp"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// The expressions as they are published, but for what Go's regexp writes otherwise or has not: white space beyond ASCII,
// and the last two alternatives with their look ahead, which expressionPieces adds.
const (
	blank        = `[\s\x{0b}\x{85}\p{Z}]`
	sign         = `[^\s\x{0b}\x{85}\p{Z}\p{L}\p{N}]`
	contractions = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`
	upperClass   = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`
	lowerClass   = `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
)

var expressions = []struct {
	name       string
	next       func(string, int) int
	expression *regexp.Regexp
}{
	{"r50k", nextR50k, regexp.MustCompile(`^(?:'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?` + sign + `+)`)},
	{"cl100k", nextCl100k, regexp.MustCompile(`^(?:` + contractions + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?` + sign + `+[\r\n]*|` + blank + `*[\r\n]+)`)},
	{"o200k", nextO200k, regexp.MustCompile(`^(?:[^\r\n\p{L}\p{N}]?` + upperClass + `*` + lowerClass + `+` + contractions + `?|` +
		`[^\r\n\p{L}\p{N}]?` + upperClass + `+` + lowerClass + `*` + contractions + `?|` +
		`\p{N}{1,3}| ?` + sign + `+[\r\n/]*|` + blank + `*[\r\n]+)`)},
}

var blankRun = regexp.MustCompile(`^` + blank + `+`)

func expressionPieces(expression *regexp.Regexp, text string) []string {
	var pieces []string
	for text != "" {
		piece := expression.FindString(text)
		if piece == "" {
			piece = blankRun.FindString(text)
			_, width := utf8.DecodeLastRuneInString(piece)
			if len(piece) < len(text) && len(piece) > width {
				piece = piece[:len(piece)-width]
			}
		}
		pieces = append(pieces, piece)
		text = text[len(piece):]
	}
	return pieces
}

func pieces(next func(string, int) int, text string) []string {
	var all []string
	for pos := 0; pos < len(text); {
		end := next(text, pos)
		all = append(all, text[pos:end])
		pos = end
	}
	return all
}

func TestSplit(t *testing.T) {
	const text = "I'LL pay 12345€ to HTTPServer's\t \n\n  x "
	assert.Equal(t, []string{"I", "'", "LL", " pay", " 12345", "€", " to", " HTTPServer", "'s", "\t \n\n ", " x", " "}, pieces(nextR50k, text))
	assert.Equal(t, []string{"I", "'LL", " pay", " ", "123", "45", "€", " to", " HTTPServer", "'s", "\t \n\n", " ", " x", " "}, pieces(nextCl100k, text))
	assert.Equal(t, []string{"I'LL", " pay", " ", "123", "45", "€", " to", " HTTPServer's", "\t \n\n", " ", " x", " "}, pieces(nextO200k, text))
	assert.Equal(t, []string{"camel", "Case", "XMLParser", "X"}, pieces(nextO200k, "camelCaseXMLParserX")[:4])
}

func FuzzSplit(f *testing.F) {
	for _, text := range []string{
		"", "I'LL pay 12345€ to HTTPServer's\t \n\n  x ", "\r\n \r\n/ //\n", "ǅªʰA\u0301\u0301a \u0301B", "\u00a0\u2028\u3000 x\u0085\u000b",
		"'ſ'S'rE'Ve ''d", "٣½²9999", "中文 日本", "\u0301", " \u0301A", "!!!\u0301\n\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			// The expressions are about characters. Bytes that are none must only be counted without an accident.
			for _, e := range expressions {
				pieces(e.next, text)
			}
			return
		}
		for _, e := range expressions {
			assert.Equal(t, expressionPieces(e.expression, text), pieces(e.next, text), "%s: %q", e.name, text)
		}
	})
}
