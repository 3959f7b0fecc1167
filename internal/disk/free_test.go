// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestFree(t *testing.T) {
	dir := t.TempDir()
	assert.Positive(t, Free(dir))
	assert.EqualValues(t, math.MaxInt64, Free(filepath.Join(dir, "nowhere")), "nobody can tell, so nobody is refused")
}
