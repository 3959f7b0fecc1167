// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire // import "github.com/weirhq/weir/internal/wire"

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Shape is what one look over a JSON text tells.
type Shape struct {
	Kind Kind
	// Canonical is true when AppendCompact would return the text as it is.
	Canonical bool
}

// The ways in which a text is not JSON. They say no more than that, because most texts are not, and telling where
// would cost every one of them; Decode tells.
var (
	errSyntax = errors.New("not a JSON text")
	errDepth  = fmt.Errorf("JSON nests deeper than %d levels", MaxDepth)
	errEnd    = errors.New("JSON text ends too early")
)

// Inspect checks that text is one JSON value and nothing else, and tells its shape. It allocates nothing.
func Inspect(text string) (Shape, error) {
	shape, _, err := inspect(text)
	return shape, err
}

// inspect also tells how far it came.
func inspect(text string) (shape Shape, pos int, err error) {
	s := scanner{text: text, canonical: true}
	s.space()
	kind, err := s.value(0)
	if err != nil {
		return Shape{}, s.pos, err
	}
	s.space()
	if s.pos != len(text) {
		return Shape{}, s.pos, s.unexpected()
	}
	return Shape{Kind: kind, Canonical: s.canonical}, s.pos, nil
}

// scanner walks over JSON text, by the grammar of RFC 8259 and no more lenient.
type scanner struct {
	text      string
	pos       int
	canonical bool
	// literal says that the last string is its content: it has no escapes, and all of it is UTF-8.
	literal bool
}

func (s *scanner) unexpected() error {
	if s.pos >= len(s.text) {
		return errEnd
	}
	return errSyntax
}

func (s *scanner) space() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
			s.canonical = false
		default:
			return
		}
	}
}

// next is the byte to come, or 0 at the end; 0 is no part of any JSON text outside a string.
func (s *scanner) next() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) value(depth int) (Kind, error) {
	switch s.next() {
	case '{':
		return Object, s.object(depth)
	case '[':
		return Array, s.array(depth)
	case '"':
		return String, s.str()
	case 't':
		return Bool, s.word("true")
	case 'f':
		return Bool, s.word("false")
	case 'n':
		return Null, s.word("null")
	default:
		return Number, s.number()
	}
}

func (s *scanner) word(word string) error {
	for i := range len(word) {
		if s.next() != word[i] {
			return s.unexpected()
		}
		s.pos++
	}
	return nil
}

func (s *scanner) object(depth int) error {
	return s.container(depth, '}', func() error {
		if s.next() != '"' {
			return s.unexpected()
		}
		if err := s.str(); err != nil {
			return err
		}
		s.space()
		if s.next() != ':' {
			return s.unexpected()
		}
		s.pos++
		s.space()
		_, err := s.value(depth + 1)
		return err
	})
}

func (s *scanner) array(depth int) error {
	return s.container(depth, ']', func() error {
		_, err := s.value(depth + 1)
		return err
	})
}

// container walks from the opening bracket past the closing one; entry walks over what stands between commas.
func (s *scanner) container(depth int, closing byte, entry func() error) error {
	if depth == MaxDepth {
		return errDepth
	}
	s.pos++
	s.space()
	if s.next() == closing {
		s.pos++
		return nil
	}
	for {
		if err := entry(); err != nil {
			return err
		}
		s.space()
		switch s.next() {
		case ',':
			s.pos++
			s.space()
		case closing:
			s.pos++
			return nil
		default:
			return s.unexpected()
		}
	}
}

func (s *scanner) str() error {
	s.literal = true
	s.pos++
	for s.pos < len(s.text) {
		if len(s.text)-s.pos >= wordSize {
			plain := plainBytes(word(s.text[s.pos:]))
			if s.pos += plain; plain == wordSize {
				continue
			}
		}
		switch b := s.text[s.pos]; {
		case b == '"':
			s.pos++
			return nil
		case b == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case b < ' ':
			return s.unexpected()
		case b < utf8.RuneSelf:
			s.pos++
		default:
			r, width := utf8.DecodeRuneInString(s.text[s.pos:])
			if r == utf8.RuneError && width == 1 {
				s.canonical, s.literal = false, false
			}
			s.pos += width
		}
	}
	return errEnd
}

func (s *scanner) escape() error {
	s.literal = false
	s.pos++
	switch s.next() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return nil
	case 'u':
		s.pos++
		for range 4 {
			if !isHex(s.next()) {
				return s.unexpected()
			}
			s.pos++
		}
		return nil
	default:
		return s.unexpected()
	}
}

func isHex(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
}

func (s *scanner) number() error {
	start, integer := s.pos, true
	if s.next() == '-' {
		s.pos++
	}
	if s.next() == '0' {
		s.pos++
	} else if err := s.digits(); err != nil {
		return err
	}
	if s.next() == '.' {
		integer = false
		s.pos++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if b := s.next(); b == 'e' || b == 'E' {
		integer = false
		s.pos++
		if b := s.next(); b == '+' || b == '-' {
			s.pos++
		}
		if err := s.digits(); err != nil {
			return err
		}
	}
	if integer && !fitsInt64(s.text[start:s.pos]) {
		s.canonical = false
	}
	return nil
}

func (s *scanner) digits() error {
	start := s.pos
	for b := s.next(); '0' <= b && b <= '9'; b = s.next() {
		s.pos++
	}
	if s.pos == start {
		return s.unexpected()
	}
	return nil
}

// fitsInt64 tells whether an integer of JSON fits in 64 bits with sign.
func fitsInt64(number string) bool {
	digits, largest := number, "9223372036854775807"
	if digits[0] == '-' {
		digits, largest = digits[1:], "9223372036854775808"
	}
	return len(digits) < len(largest) || len(digits) == len(largest) && digits <= largest
}
