// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package clickhouse

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBind(t *testing.T) {
	for _, tc := range []struct {
		statement string
		args      []any
		want      string
	}{
		{"SELECT 1", nil, "SELECT 1"},
		{"a = ? AND b = ?", []any{"x?y", int64(2)}, `a = 'x?y' AND b = 2`},
		{"?", []any{`it's \ "q"`}, `'it\'s \\ "q"'`},
		{"?, ?, ?", []any{nil, true, uint64(math.MaxUint64)}, "NULL, true, 18446744073709551615"},
		{"?", []any{time.Date(2026, 1, 2, 3, 4, 5, 678_901_000, time.FixedZone("", 3600))}, "'2026-01-02 02:04:05.678901'"},
		{"?", []any{time.Time{}}, "'1900-01-01 00:00:00.000000'"},
		{"?", []any{time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}, "'2299-12-31 23:59:59.999999'"},
		{"?, ?", []any{0.1, math.Inf(-1)}, "toFloat64(1e-01), -inf"},
	} {
		got, err := bind(tc.statement, tc.args)
		require.NoError(t, err)
		assert.Equal(t, tc.want, got)
	}
	_, err := bind("? ?", []any{1})
	require.ErrorContains(t, err, "2 placeholders for 1 values")
	_, err = bind("?", []any{struct{}{}})
	require.ErrorContains(t, err, "struct {}")
}

// FuzzQuote reads a literal as ClickHouse does: it must end where it ends, and say what was put in.
func FuzzQuote(f *testing.F) {
	for _, text := range []string{"", "'", `\`, `\'`, `\\'`, "'; DROP TABLE observations; --", "a\x00b\nc", "日本"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		literal := quote(text)
		require.True(t, strings.HasPrefix(literal, "'"))
		var said strings.Builder
		at := 1
		for ; literal[at] != '\''; at++ {
			if literal[at] == '\\' {
				at++
			}
			said.WriteByte(literal[at])
		}
		require.Equal(t, len(literal)-1, at, "the literal %s ends too early", literal)
		require.Equal(t, text, said.String())
	})
}
