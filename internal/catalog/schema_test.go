// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/store"
)

// doubling are definitions of which each refers twice to the next one, so that there are 2^30 paths through them.
func doubling(head, reference string) string {
	var text strings.Builder
	fmt.Fprintf(&text, `{%s"$ref":"#/$defs/d0","$defs":{`, head)
	for i := range 30 {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		fmt.Fprintf(&text, `"d%d":{%s},`, i, strings.ReplaceAll(reference, "NEXT", next))
	}
	return text.String() + `"d30":{"type":"string"}}}`
}

// nested is a value of that depth.
func nested(begin, inner, end string, depth int) string {
	return strings.Repeat(begin, depth) + inner + strings.Repeat(end, depth)
}

// complexSchemas are schemas that make much work, and a value for each.
func complexSchemas() map[string]string {
	const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	return map[string]string{
		doubling("", `"anyOf":[NEXT,NEXT]`):                                                                         "1",
		doubling("", `"allOf":[NEXT,NEXT]`):                                                                         "1",
		doubling("", `"oneOf":[NEXT,NEXT]`):                                                                         `"x"`,
		doubling("", `"not":NEXT,"if":NEXT`):                                                                        "1",
		doubling("", `"dependentSchemas":{"a":NEXT,"b":NEXT}`):                                                      `{"a":1,"b":1}`,
		strings.Replace(doubling(draft7, `"anyOf":[NEXT,NEXT]`), `"$ref"`, `"allOf":[{}],"$ref"`, 1):                "1",
		`{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#"}},{"type":"array","items":{"$ref":"#"}}]}`: nested("[", "1", "]", 40),
		`{"type":"array","items":{"$ref":"#"}}`:                                                                     nested("[", "1", "]", 9_000),
		`{"properties":{"a":{"$ref":"#"}},"additionalProperties":false}`:                                            nested(`{"a":`, `{"b":1}`, "}", 9_000),
		`{"items":{"allOf":[` + strings.Repeat(`{"type":"string"},`, 4_000) + `{"minLength":1}]}}`:                  "[" + strings.Repeat("1,", 100_000) + "1]",
	}
}

func TestComplexSchemas(t *testing.T) {
	for schema, value := range complexSchemas() {
		start := time.Now()
		compiled, err := compileSchema("inputSchema", raw(schema))
		require.NoError(t, err, "%.200s", schema)
		err = fits(compiled, "input", raw(value))
		require.Error(t, err, "%.200s", schema)
		requireError(t, err, store.ErrInvalid, "The schema of the dataset is too complex to check input with it")
		require.Less(t, time.Since(start), 10*time.Second, "%.200s", schema)
	}
	for schema, message := range map[string]string{
		nested(`{"not":`, "true", "}", 5_000):    "inputSchema is too complex: it is nested more than 200 levels deep",
		`{"minimum":1e999999}`:                   "inputSchema has a number that is too long: 1e999999",
		`{"$defs":{"a":{"$dynamicAnchor":"a"}}}`: "inputSchema is too complex: $dynamicAnchor is not supported",
	} {
		_, err := compileSchema("inputSchema", raw(schema))
		requireError(t, err, store.ErrInvalid, message)
	}
	integer, err := compileSchema("inputSchema", raw(`{"type":"integer"}`))
	require.NoError(t, err)
	for _, number := range []string{"1e999999", "1E-999999", "1e99999999999999999999", strings.Repeat("1", 1001)} {
		require.ErrorContains(t, fits(integer, "input", raw(number)), "input has a number that is too long: 1")
	}
}

func TestLargeValuesFitPlainSchemas(t *testing.T) {
	for schema, value := range map[string]string{
		`{"type":"array","items":{"type":"integer"}}`: "[" + strings.Repeat("1,", 200_000) + "1]",
		`{"type":"object","properties":{"list":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}}},"required":["list"]}`: `{"list":[` +
			strings.Repeat(`"x",`, 20_000) + "null]}",
		`{"type":"string","minLength":1}`:                                      `"` + strings.Repeat("x", 1<<20) + `"`,
		`{"anyOf":[{"type":"integer"},{"type":"array","items":{"$ref":"#"}}]}`: nested("[", "1", "]", 300),
		`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`:              `{"type":"object","properties":{"a":{"type":"string"}}}`,
	} {
		compiled, err := compileSchema("inputSchema", raw(schema))
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, fits(compiled, "input", raw(value)), "%.200s", schema)
		}
	}
}
