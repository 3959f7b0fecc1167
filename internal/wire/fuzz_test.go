// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

// valueFrom builds any value from a program of bytes, so that the fuzzer can reach every shape.
func valueFrom(program *[]byte, v pcommon.Value, depth int) {
	take := func() byte {
		if len(*program) == 0 {
			return 0
		}
		b := (*program)[0]
		*program = (*program)[1:]
		return b
	}
	text := func() string {
		n := min(int(take()), len(*program))
		s := string((*program)[:n])
		*program = (*program)[n:]
		return s
	}
	var bits uint64
	op := take() % 8
	if op == 2 || op == 3 {
		for range 8 {
			bits = bits<<8 | uint64(take())
		}
	}
	switch op {
	case 1:
		v.SetStr(text())
	case 2:
		v.SetInt(int64(bits))
	case 3:
		v.SetDouble(math.Float64frombits(bits))
	case 4:
		v.SetBool(take()%2 == 0)
	case 5:
		v.SetEmptyBytes().FromRaw([]byte(text()))
	case 6:
		list := v.SetEmptySlice()
		for n := take() % 8; n > 0 && depth < 20; n-- {
			valueFrom(program, list.AppendEmpty(), depth+1)
		}
	case 7:
		m := v.SetEmptyMap()
		for n := take() % 8; n > 0 && depth < 20; n-- {
			valueFrom(program, m.PutEmpty(text()), depth+1)
		}
	}
}

// nodeOf is what decoding the encoding of v must give, told without any code of the codec.
func nodeOf(v pcommon.Value) Node {
	valid := func(s string) string { return string([]rune(s)) }
	switch v.Type() {
	case pcommon.ValueTypeStr:
		return Node{Kind: String, Text: valid(v.Str())}
	case pcommon.ValueTypeBytes:
		return Node{Kind: String, Text: base64.StdEncoding.EncodeToString(v.Bytes().AsRaw())}
	case pcommon.ValueTypeBool:
		return Node{Kind: Bool, Bool: v.Bool()}
	case pcommon.ValueTypeInt:
		return Node{Kind: Number, Text: strconv.FormatInt(v.Int(), 10)}
	case pcommon.ValueTypeDouble:
		text, err := json.Marshal(v.Double())
		if err != nil {
			return Node{Kind: Null}
		}
		if abs := math.Abs(v.Double()); abs >= 1<<63 && abs < 1e21 { // encoding/json writes digits up to 1e21
			text = strconv.AppendFloat(nil, v.Double(), 'e', -1, 64)
		}
		return Node{Kind: Number, Text: string(text)}
	case pcommon.ValueTypeSlice:
		node := Node{Kind: Array}
		for _, element := range v.Slice().All() {
			node.Items = append(node.Items, nodeOf(element))
		}
		return node
	case pcommon.ValueTypeMap:
		node := Node{Kind: Object}
		for key, member := range v.Map().All() {
			node.Keys = append(node.Keys, valid(key))
			node.Items = append(node.Items, nodeOf(member))
		}
		return node
	default:
		return Node{Kind: Null}
	}
}

func FuzzEncodeDecode(f *testing.F) {
	f.Add([]byte{1, 5, 'h', '"', 0xff, '\\', 'x'})
	f.Add([]byte{2, 0x7f, 255, 255, 255, 255, 255, 255, 255})
	f.Add([]byte{3, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0})
	f.Add([]byte{7, 3, 1, 'a', 6, 2, 4, 0, 5, 3, 1, 2, 3, 1, 'b', 3, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, program []byte) {
		v := pcommon.NewValueEmpty()
		valueFrom(&program, v, 0)
		text, ok := AppendValue(nil, v)
		if !ok {
			require.Equal(t, pcommon.ValueTypeDouble, v.Type())
			require.Empty(t, text)
			return
		}
		require.True(t, json.Valid(text), "%q", text)
		require.True(t, utf8.Valid(text), "%q", text)
		shape, err := Inspect(string(text))
		require.NoError(t, err)
		require.True(t, shape.Canonical, "%q", text)
		node, err := Decode(string(text), DefaultLimits)
		require.NoError(t, err)
		require.Equal(t, nodeOf(v), node)
	})
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"a": [1, -0.5e3, "x\u00e4\ud83d\ude80", null, true]}`, `"\ud800"`, `99999999999999999999`, `[[[]]]`, "\"\xff\"", ` {} `, `01`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// A decoder gives the same after a text that it could not read.
		var used Decoder
		_, _ = used.TryDecode("[[1,2],[3],"+text, DefaultLimits)
		afterwards, readable := used.TryDecode(text, DefaultLimits)
		fresh, ok := TryDecode(text, DefaultLimits)
		require.Equal(t, ok, readable)
		require.Equal(t, fresh, afterwards)

		shape, err := Inspect(text)
		if strings.Count(text, "[")+strings.Count(text, "{") <= MaxDepth {
			require.Equal(t, json.Valid([]byte(text)), err == nil, "%q: %v", text, err)
		}
		require.Equal(t, err == nil, ok, "%q: %v", text, err)
		if err != nil {
			return
		}
		compact := string(AppendCompact(nil, text))
		require.Equal(t, shape.Canonical, compact == text, "%q", text)
		again, err := Inspect(compact)
		require.NoError(t, err)
		require.True(t, again.Canonical, "%q", compact)

		node, err := Decode(text, DefaultLimits)
		require.NoError(t, err)
		if shape.Kind == String {
			var want string
			require.NoError(t, json.Unmarshal([]byte(text), &want))
			require.Equal(t, want, node.Text)
		}
	})
}

func FuzzTruncate(f *testing.F) {
	f.Add(`{"a":{"b":[true,"x\ny",null]},"c":"日本"}`, 12)
	f.Add(`"\ud83d\ude80"`, 5)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if _, err := Inspect(text); err != nil {
			return
		}
		compact := string(AppendCompact(nil, text))
		out, ok := AppendTruncated(nil, compact, limit)
		if !ok {
			return
		}
		assert.LessOrEqual(t, utf8.RuneCount(out), limit)
		shape, err := Inspect(string(out))
		require.NoError(t, err, "%q to %d gave %q", compact, limit, out)
		assert.True(t, shape.Canonical)
		if utf8.RuneCountInString(compact) <= limit {
			assert.Equal(t, compact, string(out))
		}
	})
}
