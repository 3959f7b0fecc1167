// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Node is a JSON value as it was written: key order and repeated keys kept, numbers as their text.
type Node struct {
	Kind Kind
	Bool bool
	// Text is the content of a String, or the digits of a Number just as they stood.
	Text string
	// Keys are the keys of an Object, one for each of Items.
	Keys []string
	// Items are the elements of an Array or the members of an Object.
	Items []Node
}

// Limits bound what Decode builds in memory. The depth is bounded by MaxDepth in any case.
type Limits struct {
	// Bytes is the longest text, Values the largest number of values in it, containers included.
	Bytes, Values int
}

// DefaultLimits are generous for metadata written by people and programs, and small against memory.
var DefaultLimits = Limits{Bytes: 16 << 20, Values: 200_000}

// Decode reads text that is one JSON value and nothing else. Repeated keys are kept: which one counts is the
// caller's rule. Strings share the memory of text where they can.
func Decode(text string, limits Limits) (Node, error) {
	if len(text) > limits.Bytes {
		return Node{}, fmt.Errorf("JSON text of %d bytes is longer than %d", len(text), limits.Bytes)
	}
	if node, ok := TryDecode(text, limits); ok {
		return node, nil
	}
	if _, pos, err := inspect(text); err != nil {
		return Node{}, fmt.Errorf("%w (at byte %d)", err, pos)
	}
	return Node{}, fmt.Errorf("JSON text holds more than %d values", limits.Values)
}

// TryDecode is Decode where text may as well be no JSON at all, as most is: it makes no error, and so costs such text
// next to nothing.
func TryDecode(text string, limits Limits) (_ Node, ok bool) {
	var d Decoder
	return d.TryDecode(text, limits)
}

// Unquote gives the content of text that is one JSON string; ok is false for anything else.
func Unquote(text string) (content string, ok bool) {
	shape, err := Inspect(text)
	if err != nil || shape.Kind != String {
		return "", false
	}
	return unquote(strings.Trim(text, " \t\n\r")), true
}

// unquote gives the content of a valid JSON string token. It allocates only where there are escapes.
func unquote(token string) string {
	body := token[1 : len(token)-1]
	if strings.IndexByte(body, '\\') < 0 && utf8.ValidString(body) {
		return body
	}
	out := make([]byte, 0, len(body))
	for i := 0; i < len(body); {
		if body[i] != '\\' {
			r, width := utf8.DecodeRuneInString(body[i:])
			out = utf8.AppendRune(out, r)
			i += width
			continue
		}
		if body[i+1] == 'u' {
			r, width := unescapeRune(body[i:])
			out = utf8.AppendRune(out, r)
			i += width
			continue
		}
		out = append(out, unescapeByte(body[i+1]))
		i += 2
	}
	return string(out)
}

func unescapeByte(b byte) byte {
	switch b {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	default:
		return b
	}
}

// unescapeRune reads \uXXXX, or two of them that form one character. Half a pair gives U+FFFD.
func unescapeRune(s string) (r rune, width int) {
	const escape = len(`\uXXXX`)
	r = hexRune(s[2:escape])
	if !utf16.IsSurrogate(r) {
		return r, escape
	}
	if len(s) >= 2*escape && s[escape] == '\\' && s[escape+1] == 'u' {
		if pair := utf16.DecodeRune(r, hexRune(s[escape+2:2*escape])); pair != utf8.RuneError {
			return pair, 2 * escape
		}
	}
	return utf8.RuneError, escape
}

func hexRune(digits string) rune {
	var r rune
	for i := range len(digits) {
		b := digits[i]
		switch {
		case b <= '9':
			b -= '0'
		case b <= 'F':
			b -= 'A' - 10
		default:
			b -= 'a' - 10
		}
		r = r<<4 | rune(b)
	}
	return r
}
