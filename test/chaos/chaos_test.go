// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirhq/weir/test/internal/weirbin"
)

// Every fault in short; `make chaos` is the full run.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			o := options{binary: weirbin.Path(t), root: weirbin.Root(t), seed: 1, kills: 3, rounds: 1, everyStatus: 25, rate: 500}
			require.NoError(t, try(t.Context(), f, o, t.Output()))
		})
	}
}
