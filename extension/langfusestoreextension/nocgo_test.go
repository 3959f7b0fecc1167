// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !cgo

package langfusestoreextension

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABuildWithoutTheEngineSaysSo(t *testing.T) {
	h := newHarness(t)
	e := h.create(configWith(at(t.TempDir())))
	require.ErrorContains(t, e.Start(t.Context(), h.host), "this build has no embedded store, because it was made without cgo")
}
