// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model // import "github.com/weirhq/weir/internal/model"

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Decimal is an exact number with twelve digits after the point, which is how both engines store money. Sums of
// many small prices stay what they are; a float would drift.
type Decimal int64

// decimalUnit is one, and decimalPlaces the digits after the point.
const (
	decimalUnit   = 1_000_000_000_000
	decimalPlaces = 12

	// maxDecimal is the largest amount: nine million dollars for one observation.
	maxDecimal = math.MaxInt64
)

// ParseDecimal reads a decimal number, with or without an exponent, rounded to twelve places.
func ParseDecimal(text string) (Decimal, error) {
	if len(text) > 100 {
		return 0, errors.New("an amount has no more than 100 characters")
	}
	// An exponent of any size would make big.Rat build a number of that size.
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(text[i+1:]); err != nil || exponent > 20 || exponent < -400 {
			return 0, fmt.Errorf("%q is no amount", text)
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok || strings.ContainsAny(text, "/_xXpP") {
		return 0, fmt.Errorf("%q is no amount", text)
	}
	r.Mul(r, big.NewRat(decimalUnit, 1))
	// FloatString rounds half away from zero.
	n, err := strconv.ParseInt(r.FloatString(0), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is too large an amount", text)
	}
	return Decimal(n), nil
}

// DecimalFromFloat rounds a float to twelve places; what does not fit becomes the nearest that does, NaN 0.
func DecimalFromFloat(f float64) Decimal {
	scaled := math.Round(f * decimalUnit)
	switch {
	case math.IsNaN(scaled):
		return 0
	case scaled >= maxDecimal:
		return maxDecimal
	case scaled <= -maxDecimal:
		return -maxDecimal
	}
	return Decimal(scaled)
}

// Times is a price for a number of units; what does not fit becomes the largest amount.
func (d Decimal) Times(units int64) Decimal {
	negative := (d < 0) != (units < 0)
	hi, lo := bits.Mul64(magnitude(int64(d)), magnitude(units))
	if hi != 0 || lo > maxDecimal {
		lo = maxDecimal
	}
	if negative {
		return -Decimal(lo)
	}
	return Decimal(lo)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return uint64(-(n + 1)) + 1
	}
	return uint64(n)
}

// Plus is the sum; what does not fit becomes the largest amount.
func (d Decimal) Plus(other Decimal) Decimal {
	sum := d + other
	switch {
	case d > 0 && other > 0 && sum < 0:
		return maxDecimal
	case d < 0 && other < 0 && sum >= 0:
		return -maxDecimal
	}
	return sum
}

// Float is the nearest float, for showing.
func (d Decimal) Float() float64 {
	f, _ := strconv.ParseFloat(d.String(), 64)
	return f
}

// String is the number without an exponent and without zeros at its end.
func (d Decimal) String() string { return string(d.Append(nil)) }

// Append appends what String gives.
func (d Decimal) Append(dst []byte) []byte {
	n := magnitude(int64(d))
	if d < 0 {
		dst = append(dst, '-')
	}
	dst = strconv.AppendUint(dst, n/decimalUnit, 10)
	fraction := n % decimalUnit
	if fraction == 0 {
		return dst
	}
	digits := strconv.AppendUint(make([]byte, 0, decimalPlaces), fraction, 10)
	dst = append(dst, '.')
	for range decimalPlaces - len(digits) {
		dst = append(dst, '0')
	}
	return append(dst, strings.TrimRight(string(digits), "0")...)
}
