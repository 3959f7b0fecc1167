// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAppendNode(t *testing.T) {
	long := strings.Repeat("9", 301)
	many := `{` + strings.Repeat(`"k":0,`, comparedKeys+1) + `"k":1}`
	for text, want := range map[string]string{
		`null`:                              `null`,
		`[ true, false, "a\"", 1.50 ]`:      `[true,false,"a\"",1.50]`,
		`{"a":{"b":[]},"c":{}}`:             `{"a":{"b":[]},"c":{}}`,
		`12345678901234567890123`:           `12345678901234567890123`,
		`1e5`:                               `1e5`,
		`1e999`:                             `"1e999"`,
		long:                                long,
		strings.Repeat(long, 2):             `"` + strings.Repeat(long, 2) + `"`,
		`{"a":1,"b":2,"a":3}`:               `{"b":2,"a":3}`,
		`[{"x":{"a":1,"a":{"b":1,"b":2}}}]`: `[{"x":{"a":{"b":2}}}]`,
		many:                                `{"k":1}`,
	} {
		node, err := Decode(text, Limits{Bytes: len(text), Values: len(text)})
		require.NoError(t, err, text)
		assert.Equal(t, want, string(AppendNode(nil, node)), text)
	}
}
