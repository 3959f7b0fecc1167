// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInspectKinds(t *testing.T) {
	for text, want := range map[string]Shape{
		`null`:                     {Kind: Null, Canonical: true},
		`true`:                     {Kind: Bool, Canonical: true},
		`false`:                    {Kind: Bool, Canonical: true},
		`-0.5e+10`:                 {Kind: Number, Canonical: true},
		`9223372036854775807`:      {Kind: Number, Canonical: true},
		`-9223372036854775808`:     {Kind: Number, Canonical: true},
		`9223372036854775808`:      {Kind: Number},
		`-9223372036854775809`:     {Kind: Number},
		`99999999999999999999e0`:   {Kind: Number, Canonical: true},
		`"a\u00fcb"`:               {Kind: String, Canonical: true},
		`{"a":{"b":[1,"x"]}}`:      {Kind: Object, Canonical: true},
		`{"a": 1}`:                 {Kind: Object},
		"[1,\n2]":                  {Kind: Array},
		` 1`:                       {Kind: Number},
		`1 `:                       {Kind: Number},
		`[]`:                       {Kind: Array, Canonical: true},
		`{}`:                       {Kind: Object, Canonical: true},
		"\"\xff\"":                 {Kind: String},
		`{"a":1,"a":2}`:            {Kind: Object, Canonical: true},
		`[12345678901234567890]`:   {Kind: Array},
		`"12345678901234567890"`:   {Kind: String, Canonical: true},
		"\"Grüße \u2028 < > & 日\"": {Kind: String, Canonical: true},
	} {
		got, err := Inspect(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestInspectRefusesWhatIsNotJSON(t *testing.T) {
	for _, text := range []string{
		``, ` `, `plain`, `nul`, `nullx`, `True`, `NaN`, `Infinity`, `-`, `+1`, `01`, `1.`, `.5`, `1e`, `1e+`, `0x1`,
		`"open`, `"bad \x escape"`, `"\u12"`, `"\u12g4"`, "\"line\nbreak\"", `'single'`, `"a""b"`, `1 2`,
		`[1,]`, `[,1]`, `[1`, `[1 2]`, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1`, `}`, `]`, `{"a":1}}`,
		"\"\\", "\u00a01", "// comment", "[1]\x00",
	} {
		_, err := Inspect(text)
		assert.Error(t, err, "%q", text)
	}
}

func TestDecodeSaysWhere(t *testing.T) {
	_, err := Decode(`{"a":x}`, DefaultLimits)
	assert.EqualError(t, err, `not a JSON text (at byte 5)`)
	_, err = Decode(`{"a":`, DefaultLimits)
	assert.EqualError(t, err, `JSON text ends too early (at byte 5)`)
}

func TestInspectBoundsTheDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	_, err := Inspect(nested(MaxDepth))
	require.NoError(t, err)
	_, err = Inspect(nested(MaxDepth + 1))
	require.EqualError(t, err, "JSON nests deeper than 512 levels")
	_, err = Inspect(strings.Repeat(`{"a":`, 1_000_000))
	assert.Error(t, err)
}

func TestAppendCompact(t *testing.T) {
	for text, want := range map[string]string{
		" { \"a\" : [ 1 , 2.50 ,\t\"b c\" ] }\n": `{"a":[1,2.50,"b c"]}`,
		`{"text": "keeps  its \" blanks \\"}`:    `{"text":"keeps  its \" blanks \\"}`,
		`18446744073709551616`:                   `"18446744073709551616"`,
		`[-18446744073709551616, 1]`:             `["-18446744073709551616",1]`,
		`1e400`:                                  `1e400`,
		"\"a\xffb\"":                             "\"a\uFFFDb\"",
		`"\u00fc"`:                               `"\u00fc"`,
		`null`:                                   `null`,
	} {
		assert.Equal(t, want, string(AppendCompact(nil, text)), "%q", text)
	}
}

func TestInspectAllocatesNothing(t *testing.T) {
	text := `{"a": {"b": [1, 2.5, "x y", null, true]}, "c": "Grüße"}`
	buf := make([]byte, 0, len(text))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = Inspect(text)
		for _, other := range []string{"tenant-a", "127.0.0.1", "[see below", "2026-11-15"} {
			_, _ = Inspect(other)
		}
		buf = AppendCompact(buf[:0], text)
	}))
}

func BenchmarkInspect(b *testing.B) {
	text := `{"tenant":"acme","text":"He said \"Grüße\" and left.","attempt":3,"list":[0,1,2,3,4]}`
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = Inspect(text)
	}
}
