// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import "unicode/utf8"

// AppendTruncated appends as much of compact JSON text as fits in limit characters and is still JSON: it cuts
// inside a string or after a complete element, and closes what is open. ok is false when nothing fits; a
// number is never cut, since a part of it is another number.
func AppendTruncated(dst []byte, text string, limit int) (_ []byte, ok bool) {
	t := truncation{text: text, limit: limit, best: -1}
	t.find()
	if t.best < 0 {
		return dst, false
	}
	dst = append(dst, text[:t.best]...)
	if t.inString {
		dst = append(dst, '"')
	}
	for i := t.depth - 1; i >= 0; i-- {
		dst = append(dst, t.open[i]+2) // in ASCII, ] and } stand two after their opening brackets
	}
	return dst, true
}

// truncation walks over the text once and keeps the last place at which it may be cut.
type truncation struct {
	text  string
	limit int

	open  []byte // the brackets that are open here
	chars int    // characters before here
	full  bool   // whether a place did not fit; then no later one does, since opening and closing only add

	best     int  // where to cut; -1 for nowhere yet
	inString bool // whether that is inside a string
	depth    int  // how many brackets are open there
}

// mark offers the place at pos for the cut.
func (t *truncation) mark(pos int, inString bool) {
	closers := len(t.open)
	if inString {
		closers++
	}
	if t.chars+closers > t.limit {
		t.full = true
		return
	}
	t.best, t.inString, t.depth = pos, inString, len(t.open)
}

func (t *truncation) find() {
	isKey := false // whether the next string is the key of an object
	for pos := 0; pos < len(t.text) && !t.full; {
		b := t.text[pos]
		end := pos + 1
		switch {
		case b == '{' || b == '[':
			t.open = append(t.open, b)
			isKey = b == '{'
			t.chars++
			t.mark(end, false)
		case b == '}' || b == ']':
			t.open = t.open[:len(t.open)-1]
			t.chars++
			t.mark(end, false)
		case b == ',' || b == ':':
			isKey = b == ',' && t.open[len(t.open)-1] == '{'
			t.chars++
		case b == '"':
			end = stringEnd(t.text, pos)
			t.str(pos, end, isKey)
		default:
			end = scalarEnd(t.text, pos)
			t.chars += end - pos
			t.mark(end, false)
		}
		pos = end
	}
}

// str walks over the string token text[pos:end].
func (t *truncation) str(pos, end int, isKey bool) {
	if isKey {
		t.chars += utf8.RuneCountInString(t.text[pos:end])
		return
	}
	t.chars++
	for pos++; pos < end-1 && !t.full; {
		t.mark(pos, true)
		width := characterWidth(t.text[pos:end])
		t.chars += utf8.RuneCountInString(t.text[pos : pos+width])
		pos += width
	}
	if t.full {
		return
	}
	t.mark(pos, true)
	t.chars++
	t.mark(end, false)
}

// characterWidth is how many bytes of a JSON string stand for its first character; a pair of surrogates stays
// together.
func characterWidth(s string) int {
	if s[0] != '\\' {
		_, width := utf8.DecodeRuneInString(s)
		return width
	}
	if s[1] != 'u' {
		return 2
	}
	_, width := unescapeRune(s)
	return width
}

// scalarEnd is the position after the number or word that starts at pos.
func scalarEnd(text string, pos int) int {
	for ; pos < len(text); pos++ {
		switch text[pos] {
		case ',', ']', '}':
			return pos
		}
	}
	return pos
}
