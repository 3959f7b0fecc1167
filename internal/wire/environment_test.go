// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEnvironment(t *testing.T) {
	names := NewNames("langfuse")
	for given, want := range map[string]string{
		"production": "production", "Staging": "staging", "a-b_9": "a-b_9",
		"langfuse-judge": "judge", "langfuse_langfuse-x": "x", "langfuse": "", "": "",
		"with blank": "", "ünï": "",
		strings.Repeat("x", 41): strings.Repeat("x", 40),
	} {
		assert.Equal(t, want, names.Environment(given), given)
	}
}
