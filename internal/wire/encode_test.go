// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

func encode(t *testing.T, v pcommon.Value) string {
	t.Helper()
	text, ok := AppendValue(nil, v)
	require.True(t, ok)
	require.True(t, json.Valid(text), "%s", text)
	return string(text)
}

func TestAppendValueStrings(t *testing.T) {
	for in, want := range map[string]string{
		"":                         `""`,
		"plain":                    `"plain"`,
		"123":                      `"123"`,
		`say "hi" \ bye`:           `"say \"hi\" \\ bye"`,
		"Grüße 日本 🚀":               `"Grüße 日本 🚀"`,
		"<b>&amp;</b>":             `"<b>&amp;</b>"`,
		"a\u2028b\u2029c":          "\"a\u2028b\u2029c\"",
		"\b\f\n\r\t\x00\x1f\x7f":   "\"\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"",
		"bad \xff\xc3 end":         "\"bad \uFFFD\uFFFD end\"",
		"already the \uFFFD char":  "\"already the \uFFFD char\"",
		"slash / stays":            `"slash / stays"`,
		"cut short \xe6\x97":       "\"cut short \uFFFD\uFFFD\"",
		"surrogate \xed\xa0\x80 x": "\"surrogate \uFFFD\uFFFD\uFFFD x\"",
	} {
		assert.Equal(t, want, encode(t, pcommon.NewValueStr(in)), "%q", in)
	}
}

func TestAppendValueNumbers(t *testing.T) {
	for in, want := range map[int64]string{
		0: "0", -1: "-1", 9007199254740993: "9007199254740993",
		math.MaxInt64: "9223372036854775807", math.MinInt64: "-9223372036854775808",
	} {
		assert.Equal(t, want, encode(t, pcommon.NewValueInt(in)))
	}
	for in, want := range map[float64]string{
		1.5: "1.5", 0.1: "0.1", 3: "3", -0.25: "-0.25", 1e21: "1e+21", 1e20: "1e+20", 1 << 62: "4611686018427388000", 1 << 63: "9.223372036854776e+18",
		1e-6: "0.000001", 1e-7: "1e-7", 1.25e-10: "1.25e-10", math.MaxFloat64: "1.7976931348623157e+308",
		math.SmallestNonzeroFloat64: "5e-324", math.Copysign(0, -1): "-0",
	} {
		assert.Equal(t, want, encode(t, pcommon.NewValueDouble(in)))
	}
}

func TestAppendValueScalars(t *testing.T) {
	assert.Equal(t, "true", encode(t, pcommon.NewValueBool(true)))
	assert.Equal(t, "false", encode(t, pcommon.NewValueBool(false)))
	assert.Equal(t, "null", encode(t, pcommon.NewValueEmpty()))
}

func TestAppendValueBytes(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 767, 768, 769, 5000} {
		raw := []byte(strings.Repeat("\x00\xffab", n)[:n])
		v := pcommon.NewValueBytes()
		v.Bytes().FromRaw(raw)
		assert.Equal(t, `"`+base64.StdEncoding.EncodeToString(raw)+`"`, encode(t, v), "%d bytes", n)
	}
}

func TestAppendValueContainers(t *testing.T) {
	v := pcommon.NewValueMap()
	m := v.Map()
	m.PutStr("z", "first")
	m.PutEmpty("a")
	m.PutDouble("nan", math.NaN())
	list := m.PutEmptySlice("list")
	list.AppendEmpty().SetInt(1)
	list.AppendEmpty().SetDouble(math.Inf(-1))
	list.AppendEmpty().SetEmptyMap().PutBool("ok", true)
	m.PutEmptyMap("empty")
	m.PutEmptySlice("none")
	assert.Equal(t, `{"z":"first","a":null,"nan":null,"list":[1,null,{"ok":true}],"empty":{},"none":[]}`, encode(t, v))
}

func TestAppendValueWithoutANumberForIt(t *testing.T) {
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		text, ok := AppendValue([]byte("kept"), pcommon.NewValueDouble(f))
		assert.False(t, ok)
		assert.Equal(t, "kept", string(text))
	}
}

func TestAppendValueBoundsTheDepth(t *testing.T) {
	v := pcommon.NewValueSlice()
	inner := v
	for range 2 * MaxDepth {
		inner = inner.Slice().AppendEmpty()
		inner.SetEmptySlice()
	}
	assert.Equal(t, strings.Repeat("[", MaxDepth)+"null"+strings.Repeat("]", MaxDepth), encode(t, v))
	shape, err := Inspect(encode(t, v))
	require.NoError(t, err)
	assert.Equal(t, Shape{Kind: Array, Canonical: true}, shape)
}

func TestAppendValueAllocatesNothing(t *testing.T) {
	v := typicalValue()
	buf := make([]byte, 0, 4096)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = AppendValue(buf[:0], v) }))
}

func typicalValue() pcommon.Value {
	v := pcommon.NewValueMap()
	m := v.Map()
	m.PutStr("tenant", "acme")
	m.PutStr("text", `He said "Grüße" and left.`)
	m.PutInt("attempt", 3)
	m.PutDouble("temperature", 0.7)
	m.PutEmptyBytes("raw").FromRaw([]byte("some bytes"))
	list := m.PutEmptySlice("list")
	for i := range 5 {
		list.AppendEmpty().SetInt(int64(i))
	}
	return v
}

func BenchmarkAppendValue(b *testing.B) {
	v := typicalValue()
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = AppendValue(buf[:0], v)
	}
	b.SetBytes(int64(len(buf)))
}
