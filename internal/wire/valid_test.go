// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

// runes are characters of each width, the first and the last of each, and bytes that are none.
var runes = []string{
	"a", "\x7f", "\u0080", "ü", "\u07ff", "\u0800", "日", "\uffff", "\ufffd", "\U00010000", "🚀", "\U0010ffff",
	"\x80", "\xbf", "\xc0\xaf", "\xc3", "\xe0\x80\x80", "\xe6\x97", "\xed\xa0\x80", "\xf0\x80\x80\x80", "\xf0\x9f\x9a", "\xf4\x90\x80\x80", "\xff",
}

// At every distance from the beginning, the end and each other.
func TestValidText(t *testing.T) {
	assert.True(t, ValidText(""))
	for _, first := range runes {
		for _, second := range runes {
			for before := range 34 {
				for between := range 10 {
					text := strings.Repeat("x", before) + first + strings.Repeat("y", between) + second
					for _, after := range []int{0, 1, 7, 33} {
						text := text + strings.Repeat("z", after)
						if ValidText(text) != utf8.ValidString(text) {
							t.Fatalf("ValidText(%q) is %t", text, ValidText(text))
						}
					}
				}
			}
		}
	}
}

func FuzzValidText(f *testing.F) {
	for _, text := range runes {
		f.Add("a text of some length with " + text + " in it, " + text + text + " and some more after it")
	}
	f.Fuzz(func(t *testing.T, text string) {
		assert.Equal(t, utf8.ValidString(text), ValidText(text), "%q", text)
	})
}

func BenchmarkValidText(b *testing.B) {
	for _, language := range []struct{ name, text string }{
		{"english", "The weather in Paris is fine today, is it not? "},
		{"german", "Heute ist es in Zürich kälter als üblich, aber schön. "},
		{"russian", "Погода сегодня хорошая, не правда ли? "},
		{"japanese", "今日の天気はとても良いですね。"},
	} {
		text := strings.Repeat(language.text, 2000/len(language.text))
		for _, check := range []struct {
			name  string
			valid func(string) bool
		}{{"ours", ValidText}, {"standard", utf8.ValidString}} {
			b.Run(language.name+"/"+check.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if !check.valid(text) {
						b.Fatal("not valid")
					}
				}
			})
		}
	}
}
