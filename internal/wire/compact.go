// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import "unicode/utf8"

// AppendCompact appends JSON text that Inspect accepted, in the form in which it goes over the wire: no blanks
// between tokens, bytes that are not UTF-8 replaced, and an integer that does not fit in 64 bits as a string
// of its digits, because every reader on the way would round it.
func AppendCompact(dst []byte, text string) []byte {
	for pos := 0; pos < len(text); {
		end := pos + 1
		switch b := text[pos]; {
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
		case b == '"':
			end = stringEnd(text, pos)
			dst = appendValidUTF8(dst, text[pos:end])
		case b == '-' || '0' <= b && b <= '9':
			end = numberEnd(text, pos)
			dst = appendNumber(dst, text[pos:end])
		default:
			dst = append(dst, b)
		}
		pos = end
	}
	return dst
}

// stringEnd is the position after the string that starts at pos in valid JSON.
func stringEnd(text string, pos int) int {
	for pos++; text[pos] != '"'; pos++ {
		if text[pos] == '\\' {
			pos++
		}
	}
	return pos + 1
}

// numberEnd is the position after the number that starts at pos in valid JSON.
func numberEnd(text string, pos int) int {
	for ; pos < len(text); pos++ {
		switch b := text[pos]; {
		case '0' <= b && b <= '9', b == '-', b == '+', b == '.', b == 'e', b == 'E':
		default:
			return pos
		}
	}
	return pos
}

func appendNumber(dst []byte, number string) []byte {
	if isInteger(number) && !fitsInt64(number) {
		dst = append(dst, '"')
		dst = append(dst, number...)
		return append(dst, '"')
	}
	return append(dst, number...)
}

func isInteger(number string) bool {
	for i := range len(number) {
		switch number[i] {
		case '.', 'e', 'E':
			return false
		}
	}
	return true
}

func appendValidUTF8(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return append(dst, s...)
	}
	for _, r := range s { // ranging yields U+FFFD for each byte that is not UTF-8
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}
