// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"go.opentelemetry.io/collector/pdata/pcommon"
)

// MaxDepth is how deep maps and lists may nest, in both directions. What is deeper is written as null; text
// that nests deeper is not read as JSON. It keeps a hostile value from exhausting the stack.
const MaxDepth = 512

// AppendValue appends v as compact JSON: keys in their order, non-ASCII characters as they are, bytes as a
// base64 string, NaN and infinities inside a container as null. JSON has no word for such a number on its own:
// ok is then false and nothing is appended.
//
// pcommon.Value.AsString is no substitute: it sorts keys, and turns a container that holds a NaN into nothing.
func AppendValue(dst []byte, v pcommon.Value) (_ []byte, ok bool) {
	if v.Type() == pcommon.ValueTypeDouble && !isFinite(v.Double()) {
		return dst, false
	}
	return appendValue(dst, v, 0), true
}

func appendValue(dst []byte, v pcommon.Value, depth int) []byte {
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return AppendString(dst, v.Str())
	case pcommon.ValueTypeInt:
		return strconv.AppendInt(dst, v.Int(), 10)
	case pcommon.ValueTypeBool:
		return strconv.AppendBool(dst, v.Bool())
	case pcommon.ValueTypeDouble:
		return AppendDouble(dst, v.Double())
	case pcommon.ValueTypeBytes:
		return appendBytes(dst, v.Bytes())
	case pcommon.ValueTypeMap:
		return appendMap(dst, v.Map(), depth)
	case pcommon.ValueTypeSlice:
		return appendSlice(dst, v.Slice(), depth)
	default:
		return append(dst, "null"...)
	}
}

func appendMap(dst []byte, m pcommon.Map, depth int) []byte {
	if depth == MaxDepth {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	first := true
	for key, member := range m.All() {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = AppendString(dst, key)
		dst = append(dst, ':')
		dst = appendValue(dst, member, depth+1)
	}
	return append(dst, '}')
}

func appendSlice(dst []byte, s pcommon.Slice, depth int) []byte {
	if depth == MaxDepth {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, element := range s.All() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, element, depth+1)
	}
	return append(dst, ']')
}

func appendBytes(dst []byte, b pcommon.ByteSlice) []byte {
	dst = append(dst, '"')
	// In pieces of whole base64 groups, since AsRaw would copy everything once more.
	var piece [768]byte
	for start := 0; start < b.Len(); start += len(piece) {
		n := min(len(piece), b.Len()-start)
		for i := range n {
			piece[i] = b.At(start + i)
		}
		dst = base64.StdEncoding.AppendEncode(dst, piece[:n])
	}
	return append(dst, '"')
}

// AppendDouble appends the shortest number that reads back as f, or null where JSON has no number for it. It
// turns to an exponent below 1e-6, as the clients of the service do, and above 64 bits, where plain digits
// would read as an integer that is too large for them.
func AppendDouble(dst []byte, f float64) []byte {
	if !isFinite(f) {
		return append(dst, "null"...)
	}
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1<<63) {
		dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
		if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-07 is longer than e-7
			dst[n-2] = dst[n-1]
			dst = dst[:n-1]
		}
		return dst
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Only what JSON forbids is escaped; bytes that are not UTF-8 become
// U+FFFD.
func AppendString(dst []byte, s string) []byte {
	return append(AppendContent(append(dst, '"'), s), '"')
}

// AppendContent appends what AppendString does, without the quotes.
func AppendContent(dst []byte, s string) []byte {
	start := 0 // s[start:i] is still to be copied
	for i := 0; i < len(s); {
		if len(s)-i >= wordSize {
			plain := plainBytes(word(s[i:]))
			if i += plain; plain == wordSize {
				continue
			}
		}
		if b := s[i]; b < utf8.RuneSelf {
			if b >= ' ' && b != '"' && b != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscaped(dst, b)
			i++
			start = i
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && width == 1 {
			dst = append(dst, s[start:i]...)
			dst = append(dst, "\uFFFD"...)
			start = i + width
		}
		i += width
	}
	return append(dst, s[start:]...)
}

func appendEscaped(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	default:
		return append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xf])
	}
}
