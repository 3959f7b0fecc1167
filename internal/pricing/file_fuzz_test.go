// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package pricing

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// What can be read of a table of prices is a model that can be asked, or an error.
func FuzzFile(f *testing.F) {
	f.Add("m\t(?i)^m$\t-\tStandard\t0\t\tinput=0.000001\n")
	f.Add("m\t(\topenai\tx\t1\tsum(usage ~ /a/) gt 1\tinput=1,output=x\n")
	f.Add("# only a comment\n")
	f.Add("a\tb\n")
	f.Add("m\tm\t-\tA\t-1\tmetadata.k in a|b\t=\n")
	f.Fuzz(func(t *testing.T, text string) {
		definitions, err := parseFile(text)
		if err != nil {
			return
		}
		models, err := build(definitions, builtIn)
		if err != nil {
			return
		}
		for _, m := range models {
			assert.NotEmpty(t, m.MatchPattern())
		}
	})
}
