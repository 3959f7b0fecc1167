// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore // import "github.com/weirhq/weir/internal/store/sqlstore"

import (
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	KindNull Kind = iota
	KindText
	KindFlag
	KindInt32
	KindInt64
	KindFloat
	KindTime
)

func (k Kind) String() string {
	return [...]string{"NULL", "text", "flag", "32-bit integer", "64-bit integer", "float", "time"}[k]
}

// Value is what is stored of a row in one column. It is not an `any`, since a text in one is an allocation, and a row has forty
// texts.
type Value struct {
	Kind Kind
	Text string
	Time time.Time
	// bits holds all other kinds.
	bits uint64
}

// ofText and its neighbours say what is stored.
func ofText(s string) Value    { return Value{Kind: KindText, Text: s} }
func ofInt64(n int64) Value    { return Value{Kind: KindInt64, bits: uint64(n)} }
func ofFloat(f float64) Value  { return Value{Kind: KindFloat, bits: math.Float64bits(f)} }
func ofTime(t time.Time) Value { return Value{Kind: KindTime, Time: t} }

func ofFlag(b bool) Value {
	if b {
		return Value{Kind: KindFlag, bits: 1}
	}
	return Value{Kind: KindFlag}
}

// ofOptionalTime is NULL for no time.
func ofOptionalTime(t time.Time) Value {
	if t.IsZero() {
		return Value{}
	}
	return ofTime(t)
}

// ofOptionalInt is NULL for no number.
func ofOptionalInt(n *int) Value {
	if n == nil {
		return Value{}
	}
	return Value{Kind: KindInt32, bits: uint64(*n)}
}

// Flag is the value of a KindFlag.
func (v Value) Flag() bool { return v.bits != 0 }

// Int32 is the value of a KindInt32.
func (v Value) Int32() int32 { return int32(v.bits) }

// Int64 is the value of a KindInt64.
func (v Value) Int64() int64 { return int64(v.bits) }

// Float is the value of a KindFloat.
func (v Value) Float() float64 { return math.Float64frombits(v.bits) }

// Any is the value for who takes any type.
func (v Value) Any() any {
	switch v.Kind {
	case KindText:
		return v.Text
	case KindFlag:
		return v.Flag()
	case KindInt32:
		return v.Int32()
	case KindInt64:
		return v.Int64()
	case KindFloat:
		return v.Float()
	case KindTime:
		return v.Time
	default:
		return nil
	}
}

// Check tells what an engine could not store, or not give back as it was: text that is not UTF-8, and times that are not
// between the first and the last that it knows. No time at all can always be stored.
func (v Value) Check(first, last time.Time) error {
	switch {
	case v.Kind == KindText && !utf8.ValidString(v.Text):
		return errors.New("is not UTF-8")
	case v.Kind == KindTime && !v.Time.IsZero() && (v.Time.Before(first) || v.Time.After(last)):
		return fmt.Errorf("is in the year %d", v.Time.UTC().Year())
	default:
		return nil
	}
}
