// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
)

func TestAppendTruncated(t *testing.T) {
	for _, tc := range []struct {
		text  string
		limit int
		want  string
	}{
		{`"abcdef"`, 8, `"abcdef"`},
		{`"abcdef"`, 7, `"abcde"`},
		{`"abcdef"`, 2, `""`},
		{`"日本語日本語"`, 5, `"日本語"`},
		{`"ab\ncd"`, 5, `"ab"`},
		{`"ab\ncd"`, 6, `"ab\n"`},
		{`"\u00e4\u00e4"`, 9, `"\u00e4"`},
		{`"\ud83d\ude80x"`, 13, `""`},
		{`"\ud83d\ude80x"`, 14, `"\ud83d\ude80"`},
		{`[1,2,345,6]`, 8, `[1,2]`},
		{`[1,2,345,6]`, 9, `[1,2,345]`},
		{`{"a":"long text","b":1}`, 12, `{"a":"long"}`},
		{`{"a":1,"b":"long text"}`, 12, `{"a":1}`},
		{`{"a":1,"b":"long text"}`, 16, `{"a":1,"b":"lo"}`},
		{`{"a":{"b":[true,false,null]},"c":2}`, 19, `{"a":{"b":[true]}}`},
		{`{"a":{"b":[true,false,null]},"c":2}`, 32, `{"a":{"b":[true,false,null]}}`},
		{`{"key":1}`, 4, `{}`},
		{`[[[]]]`, 4, `[[]]`},
	} {
		got, ok := AppendTruncated(nil, tc.text, tc.limit)
		assert.True(t, ok)
		assert.Equal(t, tc.want, string(got), "%s to %d", tc.text, tc.limit)
		assert.True(t, json.Valid(got), "%s", got)
		assert.LessOrEqual(t, utf8.RuneCount(got), tc.limit)
	}
}

func TestAppendTruncatedWhereNothingFits(t *testing.T) {
	for text, limit := range map[string]int{`"abc"`: 1, `1.2345`: 5, `true`: 3, `[1]`: 1, `{"a":1}`: 0} {
		got, ok := AppendTruncated([]byte("kept"), text, limit)
		assert.False(t, ok, text)
		assert.Equal(t, "kept", string(got))
	}
}
