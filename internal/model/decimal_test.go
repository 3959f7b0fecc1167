// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package model

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "1": "1", "-1.5": "-1.5", "1.25e-06": "0.00000125", "2.5E-6": "0.0000025", "0.1": "0.1",
		"0.0000000000004": "0", "0.0000000000005": "0.000000000001", "-0.0000000000005": "-0.000000000001",
		"123456.789012345678": "123456.789012345678", "9000000": "9000000", "+3": "3", "1e3": "1000", "1e-300": "0",
	} {
		got, err := ParseDecimal(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got.String(), text)
	}
	for _, text := range []string{"", "x", "1/3", "1e99999999", "10000000", "NaN", "Inf", "1_0", "0x10", "1e", "--1"} {
		_, err := ParseDecimal(text)
		assert.Error(t, err, text)
	}
}

func TestDecimalArithmetic(t *testing.T) {
	price, err := ParseDecimal("1.25e-06")
	require.NoError(t, err)
	assert.Equal(t, "0.00125", price.Times(1000).String())
	assert.Equal(t, "-0.00125", price.Times(-1000).String())
	assert.Equal(t, Decimal(math.MaxInt64), price.Times(math.MaxInt64))
	assert.Equal(t, Decimal(-math.MaxInt64), price.Times(math.MinInt64))
	assert.Equal(t, Decimal(math.MaxInt64), Decimal(math.MaxInt64).Plus(1))
	assert.Equal(t, Decimal(-math.MaxInt64), Decimal(math.MinInt64).Plus(-1))

	tenth, sum := DecimalFromFloat(0.1), Decimal(0)
	for range 10 {
		sum = sum.Plus(tenth)
	}
	assert.Equal(t, "1", sum.String(), "ten times a tenth is one")
	assert.InDelta(t, 0.1, tenth.Float(), 0)
}

func TestDecimalFromFloat(t *testing.T) {
	assert.Equal(t, "0.003", DecimalFromFloat(0.003).String())
	assert.Equal(t, Decimal(0), DecimalFromFloat(math.NaN()))
	assert.Equal(t, Decimal(math.MaxInt64), DecimalFromFloat(math.Inf(1)))
	assert.Equal(t, Decimal(-math.MaxInt64), DecimalFromFloat(-1e300))
}

func FuzzParseDecimal(f *testing.F) {
	for _, text := range []string{"1.25e-06", "-0", "9223372.036854775807", "1e20"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDecimal(text)
		if err != nil {
			return
		}
		again, err := ParseDecimal(d.String())
		require.NoError(t, err, d.String())
		require.Equal(t, d, again)
	})
}
