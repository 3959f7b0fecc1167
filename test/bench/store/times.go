// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"time"
)

// times is how long each of many repetitions took.
type times []time.Duration

// at is the value below which a share of the repetitions lies.
func (t times) at(share float64) time.Duration {
	sorted := slices.Sorted(slices.Values(t))
	i := min(int(share*float64(len(sorted))), len(sorted)-1)
	return sorted[i].Round(10 * time.Microsecond)
}
