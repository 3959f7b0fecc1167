// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

// Package times says how long most of many repetitions took.
package times // import "github.com/weirhq/weir/test/internal/times"

import (
	"slices"
	"time"
)

// Times is how long each of many repetitions took.
type Times []time.Duration

// At is the value below which a share of the repetitions lies; 0 when there are none.
func (t Times) At(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	i := min(int(share*float64(len(sorted))), len(sorted)-1)
	return sorted[i].Round(10 * time.Microsecond)
}
