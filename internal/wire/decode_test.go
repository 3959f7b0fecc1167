// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

func str(text string) Node    { return Node{Kind: String, Text: text} }
func number(text string) Node { return Node{Kind: Number, Text: text} }

func TestDecode(t *testing.T) {
	for text, want := range map[string]Node{
		`null`:                           {Kind: Null},
		` true `:                         {Kind: Bool, Bool: true},
		`false`:                          {Kind: Bool},
		`"plain"`:                        str("plain"),
		`"\"q\" \\ \/ \b\f\n\r\t"`:       str("\"q\" \\ / \b\f\n\r\t"),
		`"\u00fc\u65e5 \ud83d\ude80"`:    str("ü日 🚀"),
		`"half \ud83d pair \ude80"`:      str("half \uFFFD pair \uFFFD"),
		`"\ud83d\ud83d\ude80"`:           str("\uFFFD🚀"),
		`"\ud83d\u0041"`:                 str("\uFFFDA"),
		"\"\xff\"":                       str("\uFFFD"),
		`1.50`:                           number("1.50"),
		`123456789012345678901234567890`: number("123456789012345678901234567890"),
		`[]`:                             {Kind: Array},
		`{}`:                             {Kind: Object},
		` [ 1 , [ ] , "x" ] `:            {Kind: Array, Items: []Node{number("1"), {Kind: Array}, str("x")}},
		`{ "b" : 1 , "a\n" : {"b":2} , "b" : 3 }`: {
			Kind: Object, Keys: []string{"b", "a\n", "b"},
			Items: []Node{number("1"), {Kind: Object, Keys: []string{"b"}, Items: []Node{number("2")}}, number("3")},
		},
	} {
		got, err := Decode(text, DefaultLimits)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestBothBoundTheDepthAlike(t *testing.T) {
	v := pcommon.NewValueMap()
	for inner, i := v, 0; i < MaxDepth+5; i++ {
		inner = inner.Map().PutEmpty("k")
		inner.SetEmptyMap()
	}
	_, err := Decode(encode(t, v), DefaultLimits)
	require.NoError(t, err)
}

func TestDecodeLimits(t *testing.T) {
	_, err := Decode(`"123456789"`, Limits{Bytes: 10, Values: 1})
	assert.EqualError(t, err, "JSON text of 11 bytes is longer than 10")
	_, err = Decode(`[1,2,3]`, Limits{Bytes: 10, Values: 3})
	assert.EqualError(t, err, "JSON text holds more than 3 values")
	_, err = Decode(`[1,2,3]`, Limits{Bytes: 10, Values: 4})
	require.NoError(t, err)
	_, err = Decode(`[[[[1]]],{"a":1}]`, Limits{Bytes: 100, Values: 2})
	assert.EqualError(t, err, "JSON text holds more than 2 values")
	_, err = Decode(strings.Repeat("[", MaxDepth+1)+strings.Repeat("]", MaxDepth+1), DefaultLimits)
	assert.ErrorContains(t, err, "JSON nests deeper than 512 levels")
	_, err = Decode(`not JSON`, DefaultLimits)
	assert.Error(t, err)
}

func TestTryDecode(t *testing.T) {
	node, ok := TryDecode(`[1]`, Limits{Bytes: 3, Values: 2})
	assert.True(t, ok)
	assert.Equal(t, Node{Kind: Array, Items: []Node{number("1")}}, node)
	for text, limits := range map[string]Limits{
		"[10]": {Bytes: 3, Values: 2}, "[2]": {Bytes: 3, Values: 1}, "plain": DefaultLimits, "": DefaultLimits,
		`{"a":1} and more`: DefaultLimits, "tru": DefaultLimits, "1.": DefaultLimits,
	} {
		node, ok := TryDecode(text, limits)
		assert.False(t, ok, text)
		assert.Zero(t, node, text)
	}
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = TryDecode("tenant-a", DefaultLimits) }))
}

func TestDecoderUsesItsMemoryAgain(t *testing.T) {
	var d Decoder
	decode := func(text string) Node {
		node, ok := d.TryDecode(text, DefaultLimits)
		require.True(t, ok)
		return node
	}
	first := decode(`{"a":[1,2],"b":{"c":null}}`)
	want, err := Decode(`{"a":[1,2],"b":{"c":null}}`, DefaultLimits)
	require.NoError(t, err)
	_, ok := d.TryDecode(`{"a":[3,4`, DefaultLimits)
	assert.False(t, ok)
	second := decode(`[5,6,7]`)
	first.Items[0].Items = append(first.Items[0].Items, number("8"))
	assert.Equal(t, Node{Kind: Array, Items: []Node{number("5"), number("6"), number("7")}}, second)
	want.Items[0].Items = append(want.Items[0].Items, number("8"))
	assert.Equal(t, want, first)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		d.Reset()
		decode(`{"a":[1,2],"b":{"c":null}}`)
	}))
}

// Much text that only begins as JSON must leave nothing behind.
func TestDecoderKeepsNothingOfWhatItCannotRead(t *testing.T) {
	var d Decoder
	for _, text := range []string{strings.Repeat("[[0],[0],", 100), strings.Repeat("[[0],[0],", 10_000)} {
		_, ok := d.TryDecode(text, DefaultLimits)
		assert.False(t, ok)
		assert.Empty(t, d.items)
	}
	assert.Less(t, cap(d.items), 1000, "long text is not even tried")
}

func TestUnquote(t *testing.T) {
	content, ok := Unquote(` "a \"b\"" `)
	assert.True(t, ok)
	assert.Equal(t, `a "b"`, content)
	for _, text := range []string{`plain`, `42`, `{"a":1}`, `"open`, `"a" "b"`, ``} {
		_, ok := Unquote(text)
		assert.False(t, ok, text)
	}
}

func BenchmarkDecode(b *testing.B) {
	text := `{"tenant":"acme","nested":{"a":{"b":[1,2,3]}},"attempt":3,"list":[0,1,2,3,4]}`
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = Decode(text, DefaultLimits)
	}
}
