// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package catalog

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/internal/model"
)

// Whatever stands in a prompt, what comes of it is JSON, and a text stays a text.
func FuzzPromptReferences(f *testing.F) {
	for _, seed := range []string{
		"a @@@langfusePrompt:name=x|version=1@@@ b", `@@@langfusePrompt:name=x|label=l@@@@@@langfusePrompt:name=x|label=l@@@`,
		`"\@@@langfusePrompt:name=x\u007cversion=1@@@`, "@@@langfusePrompt:", "@@@langfusePrompt:name=|version=@@@\n", "\x00\u2028",
	} {
		f.Add(seed, "text \"with\" <quotes>\n")
	}
	f.Fuzz(func(t *testing.T, prompt, used string) {
		encoded, err := encode(prompt)
		require.NoError(t, err)
		text, err := encode(used)
		require.NoError(t, err)
		texts := map[promptUse]json.RawMessage{}
		uses := usesOf(raw(encoded))
		if len(uses) > maxUses {
			return // it is refused
		}
		for _, use := range uses {
			require.NotEmpty(t, use.Name)
			require.NotEqual(t, use.Version > 0, use.Label != "", "either a version or a label")
			texts[use] = raw(text)
		}
		resolved, err := (&resolver{}).replace(raw(encoded), texts)
		require.NoError(t, err)
		var got string
		require.NoError(t, json.Unmarshal(resolved, &got), "%s", resolved)
		if len(texts) == 0 {
			require.Equal(t, encoded, string(resolved))
		}
	})
}

func FuzzMediaReferences(f *testing.F) {
	f.Add(`{"a":["@@@langfuseMedia:type=image/png|id=x|source=bytes@@@"]}`)
	f.Add(`"@@@langfuseMedia:@@@"`)
	f.Fuzz(func(t *testing.T, input string) {
		for _, reference := range MediaReferences(&model.DatasetItem{Input: raw(input)}) {
			require.NotEmpty(t, reference.MediaID)
			require.Contains(t, reference.ReferenceString, reference.MediaID)
		}
	})
}

func FuzzSchema(f *testing.F) {
	f.Add(`{"type":"object","required":["q"]}`, `{"q":1}`)
	f.Add(`{"$ref":"#"}`, "null")
	f.Add(`{"pattern":"("}`, `"x"`)
	for schema, value := range complexSchemas() {
		f.Add(schema, value)
	}
	f.Fuzz(func(_ *testing.T, schema, value string) {
		if compiled, err := compileSchema("inputSchema", raw(schema)); err == nil {
			_ = fits(compiled, "input", raw(value))
		}
	})
}
