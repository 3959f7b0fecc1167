// Copyright The Weir Authors
// SPDX-License-Identifier: Apache-2.0

package storetest // import "github.com/weirhq/weir/internal/store/storetest"

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// seedEnv runs RunRandom with one seed only, to see a failure again.
	seedEnv = "WEIR_STORE_SEED"
	// operationsEnv is how many operations a seed is good for.
	operationsEnv     = "WEIR_STORE_OPS"
	defaultOperations = 300
)

//go:embed seeds.txt
var keptSeeds string

// RunRandom does the same random things to an engine and to a naive store, and compares every answer: for each seed in
// seeds.txt and for a new one, or for the one in WEIR_STORE_SEED. A failure tells the seed; keep it in seeds.txt.
func RunRandom(t *testing.T, engine Engine) {
	operations := envInt(t, operationsEnv, defaultOperations)
	for _, seed := range seeds(t) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			t.Cleanup(func() {
				if t.Failed() {
					t.Logf("to see it again: %s=%d %s=%d", seedEnv, seed, operationsEnv, operations)
				}
			})
			d := newDriver(t, engine, seed)
			for i := range operations {
				d.step(i)
			}
			d.compareAll()
		})
	}
}

func seeds(t *testing.T) []uint64 {
	t.Helper()
	if text := os.Getenv(seedEnv); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		require.NoError(t, err, seedEnv)
		return []uint64{seed}
	}
	var all []uint64
	for line := range strings.Lines(keptSeeds) {
		number, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if number == "" || number == "#" {
			continue
		}
		seed, err := strconv.ParseUint(number, 10, 64)
		require.NoError(t, err, "seeds.txt")
		all = append(all, seed)
	}
	return append(all, rand.Uint64())
}

// envInt is a number from the environment.
func envInt(tb testing.TB, name string, otherwise int) int {
	tb.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	number, err := strconv.Atoi(text)
	require.NoError(tb, err, name)
	return number
}
