// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package langfuseprocessor

import (
	"encoding/json"
	"math"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/pcommon"
)

// FuzzIdempotent holds, for any string and number under any mode: what is written is valid, and a second pass
// changes nothing.
func FuzzIdempotent(f *testing.F) {
	f.Add(`plain`, 1.5, int64(1), uint8(0))
	f.Add(`{"a": [1, "x"]}`, 1e300, int64(-1), uint8(1))
	f.Add(`"\"q\""`, 1e19, int64(0), uint8(2))
	f.Add("\xff 12345678901234567890", math.Copysign(0, -1), int64(9), uint8(7))
	f.Fuzz(func(t *testing.T, text string, double float64, integer int64, mode uint8) {
		cfg := configWith(func(c *Config) {
			c.Metadata.Encoding = []Encoding{EncodingJSON, EncodingPlain}[mode%2]
			c.Metadata.Strings = []Strings{StringsAuto, StringsAlways}[mode/2%2]
			c.Metadata.OverLimit = []OverLimit{OverLimitDrop, OverLimitTruncate}[mode/4%2]
			c.Metadata.TraceValueLimit = 20
		})
		td := tracesOf(foreign, map[string]any{
			observation + ".text": text, observation + ".double": double, trace + ".text": text,
			trace + ".list": []any{text, double, integer, map[string]any{text: integer}}, "other": []any{map[string]any{text: text}},
		})
		p := newProcessor(t, cfg)
		_, err := p.processTraces(t.Context(), td)
		require.NoError(t, err)
		for key, value := range scopeOf(td).Spans().At(0).Attributes().All() {
			require.Equal(t, pcommon.ValueTypeStr, value.Type(), key)
			if cfg.Metadata.Encoding == EncodingJSON {
				require.True(t, json.Valid([]byte(value.Str())), "%s: %q", key, value.Str())
				require.True(t, utf8.ValidString(value.Str()))
			}
			if key == trace+".text" || key == trace+".list" {
				require.LessOrEqual(t, utf8.RuneCountInString(value.Str()), 20)
			}
		}
		once := onTheWire(t, td)
		_, err = p.processTraces(t.Context(), td)
		require.NoError(t, err)
		require.Equal(t, once, onTheWire(t, td))
	})
}
