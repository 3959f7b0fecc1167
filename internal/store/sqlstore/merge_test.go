// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package sqlstore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirhq/weir/internal/model"
)

// Whoever looks through all keys for each key, or writes the whole for each part, takes minutes for these.
func TestMergesAreNotQuadratic(t *testing.T) {
	keys := make([]string, 200_000)
	for i := range keys {
		keys[i] = fmt.Sprintf(`"key %d":{"n":%d}`, i, i)
	}
	large := "{" + strings.Join(keys, ",") + "}"
	t.Run("many keys", func(t *testing.T) {
		got := MergeScores(model.Score{Metadata: large}, model.Score{Metadata: strings.ReplaceAll(large, `"n"`, `"m"`)})
		assert.True(t, strings.HasPrefix(got.Metadata, `{"key 0":{"n":0,"m":0},"key 1":{"n":1,"m":1},`))
		assert.True(t, strings.HasSuffix(got.Metadata, `"key 199999":{"n":199999,"m":199999}}`))
	})
	t.Run("many parts", func(t *testing.T) {
		parts := make([]model.Score, len(keys))
		for i := range parts {
			parts[i].Metadata = "{" + keys[i] + "}"
		}
		assert.True(t, MergeScores(parts[0], parts[1:]...).Metadata == large) //nolint:testifylint // nobody wants to see the difference
	})
}

func TestMergeLeavesAsItIs(t *testing.T) {
	for _, texts := range [][]string{{`{"a": 1}`, `{"a": 1}`}, {`{"a": 1}`, ""}, {"", `{"a": 1}`}, {`[1]`, `{"a": 1}`}, {"", "", `{"a": 1}`}} {
		assert.Equal(t, `{"a": 1}`, mergeMetadata(texts), "%q", texts)
	}
	assert.Equal(t, `[1]`, mergeMetadata([]string{`{"a":1}`, `[1]`}))
	assert.Equal(t, `{"b":2}`, mergeMetadata([]string{`{"a":1}`, `7`, `{"b":2}`}))
	assert.Equal(t, `{"a":1,"b":2}`, mergeMetadata([]string{`{"a":1}`, `{"b":2}`, `{"a":1}`}))
	assert.Equal(t, `{"a":1}`, mergeMetadata([]string{`{"a":1}`, `{"a":null}`, `{"a":1}`}), "the last one counts, though it is the first again")
}
